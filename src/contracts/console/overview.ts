import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { readOverview } from '../../engine/console/overview.js'
import { activityShape, toActivity } from '../activity.js'
import { operation } from '../operation.js'
import { facetsShape, factShape, instantIn, toFacets, toShown } from './shapes.js'

const reviewShape = z.object({ conflict: z.int(), candidate: z.int(), duplicate: z.int(), quarantine: z.int() })
const bucketShape = z.object({ at: z.string(), learned: z.int(), ended: z.int() })

const output = z.object({
  facts: z.int(),
  entities: z.int(),
  total: z.int(),
  facets: facetsShape,
  growth: z.array(bucketShape),
  week: z.object({ facts: z.array(factShape), learned: z.int(), ended: z.int() }),
  review: reviewShape,
  told: z.array(z.object({ client: z.string(), prompts: z.int(), facts: z.int() })),
  last_write: activityShape.nullable(),
  problems: z.array(z.string()),
  embedding: z.object({ state: z.string(), model: z.string(), pending: z.int() }),
  location: z.string(),
  version: z.string(),
})
export type OverviewAnswer = z.output<typeof output>

export const overview = operation({
  name: 'overview',
  title: 'Overview',
  description: 'What is in the memory, what was learned, what waits for a decision, and whether the store is well',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({
    days: z.int().min(1).max(400).default(110).describe('How far growth goes back'),
    today: z.string().describe('When the day of the caller began'),
  }),
  output,
  async run({ context }, { days, today }) {
    const found = await readOverview(context, { days, dayStart: instantIn(today, 'today') })
    const byClient = new Map<string, { prompts: number; facts: number }>()
    for (const { client, facts } of found.toldToday) {
      const known = byClient.get(client) ?? { prompts: 0, facts: 0 }
      byClient.set(client, { prompts: known.prompts + 1, facts: known.facts + facts.length })
    }
    const { status } = found
    return {
      facts: found.counts.facts,
      entities: found.counts.entities,
      total: found.facets.total,
      facets: toFacets(found.facets.facets),
      growth: found.growth.map((bucket) => ({ ...bucket, at: formatInstant(bucket.at) })),
      week: { ...found.week, facts: found.week.facts.map((fact) => toShown(fact)) },
      review: { ...found.review },
      told: [...byClient].map(([client, counts]) => ({ client, ...counts })).sort((a, b) => b.prompts - a.prompts),
      last_write: found.lastWrite === undefined ? null : toActivity(found.lastWrite, context.clock.now()),
      problems: [...status.problems],
      embedding: {
        state: status.embedding.state,
        model: status.embedding.model,
        pending: context.embedder.disabled === true ? 0 : status.embedding.pending,
      },
      location: status.location,
      version: status.version,
    }
  },
})
