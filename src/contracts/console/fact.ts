import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { readFactPage } from '../../engine/console/fact-page.js'
import { activityShape, toActivity } from '../activity.js'
import { operation } from '../operation.js'
import { deliveryShape, factShape, id, toShown, toShownDelivery } from './shapes.js'

const linked = z.object({ fact: factShape, type: z.string(), direction: z.enum(['in', 'out']), weight: z.number() })
const textOf = (state: { readonly text?: unknown } | null): string | null => (typeof state?.text === 'string' ? state.text : null)

const output = z.object({
  fact: factShape.extend({
    metadata: z.record(z.string(), z.unknown()),
    value: z.unknown(),
    evidence: z.unknown(),
    date: z.string().nullable(),
  }),
  versions: z.array(activityShape.extend({ version: z.int().nullable(), text: z.string().nullable(), before: z.string().nullable() })),
  links: z.array(linked),
  similar: z.array(linked),
  entities: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
  session: z.array(factShape),
  replaces: z.array(factShape),
  replaced_by: factShape.nullable(),
  derived_from: z.array(factShape),
  last_told: deliveryShape.nullable(),
})
export type FactAnswer = z.output<typeof output>

export const fact = operation({
  name: 'fact',
  title: 'Fact',
  description: 'One fact with where it comes from, its versions, links, neighbours and near duplicates',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({ id }),
  output,
  async run({ context }, { id: wanted }) {
    const page = await readFactPage(context, wanted)
    const now = context.clock.now()
    const toLink = (linked: (typeof page.links)[number]) => ({
      fact: toShown(linked.fact),
      type: linked.edge.type,
      direction: linked.direction,
      weight: linked.edge.weight,
    })
    return {
      fact: {
        ...toShown(page.fact, true),
        metadata: { ...page.fact.metadata },
        value: page.fact.value,
        evidence: page.fact.evidence,
        date: page.fact.date ?? formatInstant(page.fact.eventAt),
      },
      versions: page.entries.map((entry) => ({
        ...toActivity(entry, now),
        version: typeof entry.after?.version === 'number' ? entry.after.version : null,
        text: textOf(entry.after),
        before: textOf(entry.before),
      })),
      links: page.links.map(toLink),
      similar: page.similar.map(toLink),
      entities: page.entities.map(({ entity, type }) => ({ id: entity.id, name: entity.name, type })),
      session: page.session.map((turn) => toShown(turn)),
      replaces: page.replaces.map((fact) => toShown(fact)),
      replaced_by: page.replacedBy === undefined ? null : toShown(page.replacedBy),
      derived_from: page.derivedFrom.map((source) => toShown(source)),
      last_told: page.lastTold === undefined ? null : toShownDelivery(page.lastTold),
    }
  },
})
