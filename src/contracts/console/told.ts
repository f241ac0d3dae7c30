import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { plainWords } from '../../core/text/text.js'
import { MIN_RELEVANCE } from '../../engine/hooks/brief.js'
import { operation } from '../operation.js'
import { deliveryShape, factShape, id, instantIn, toShown, toShownDelivery } from './shapes.js'

/** Facts whose deliveries a search finds. */
const MAX_FACTS_ABOUT = 200

const output = z.object({
  deliveries: z.array(deliveryShape),
  facts: z.array(factShape),
  next: z.object({ at: z.string(), id: z.string() }).nullable(),
  needed: z.number().describe('Relevance below which hooks add nothing to a prompt'),
})
export type ToldAnswer = z.output<typeof output>

export const told = operation({
  name: 'told',
  title: 'Told',
  description: 'What agents were given, newest first, with the facts as they are now; of one conversation, client or fact on request',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({
    conversation: z.string().max(300).optional(),
    client: z.string().max(300).optional(),
    fact: id.optional(),
    q: z.string().max(500).optional().describe('Asked with this text, or with facts that hold all of these words'),
    before: z.strictObject({ at: z.string(), id }).optional().describe('Where the page before ended'),
    limit: z.int().min(1).max(500).default(100),
  }),
  output,
  async run({ context }, { before, q, ...filters }) {
    const wanted = q?.trim() ?? ''
    const found = wanted === '' ? [] : (await context.store.browse({ words: plainWords(wanted) }, { limit: MAX_FACTS_ABOUT })).items
    const deliveries = await context.deliveries.list({
      ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
      limit: filters.limit,
      ...(wanted === '' ? {} : { about: { text: wanted, facts: found.map((fact) => fact.id) } }),
      ...(before === undefined ? {} : { before: { at: instantIn(before.at, 'before'), id: before.id } }),
    })
    const named = [...new Set(deliveries.flatMap(({ facts }) => facts.map((fact) => fact.id)))]
    const facts = await context.store.facts(named)
    const seen = new Set(facts.map((fact) => fact.id))
    const last = deliveries.length < filters.limit ? undefined : deliveries[deliveries.length - 1]
    return {
      deliveries: deliveries.map((delivery) => toShownDelivery({ ...delivery, facts: delivery.facts.filter((fact) => seen.has(fact.id)) })),
      facts: facts.map((fact) => toShown(fact)),
      next: last === undefined ? null : { at: formatInstant(last.at), id: last.id },
      needed: MIN_RELEVANCE,
    }
  },
})
