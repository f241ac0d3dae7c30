import { z } from 'zod'
import { readReview } from '../../engine/console/review.js'
import { operation } from '../operation.js'
import { factShape, toShown } from './shapes.js'

const output = z.object({
  items: z.array(z.object({ kind: z.string(), facts: z.array(factShape), alike: z.number().optional() })),
  counts: z.object({ conflict: z.int(), candidate: z.int(), duplicate: z.int(), quarantine: z.int() }),
  count: z.int(),
  comparing: z.boolean().describe('True while facts are compared in the background; near duplicates may follow'),
})
export type ReviewAnswer = z.output<typeof output>

export const review = operation({
  name: 'review',
  title: 'Review',
  description: 'What waits for a decision: conflicts, captured candidates, near duplicates and quarantined writes',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({ limit: z.int().min(1).max(500).default(200) }),
  output,
  async run({ context }, { limit }) {
    const { items, isComparing } = await readReview(context)
    const counts = { conflict: 0, candidate: 0, duplicate: 0, quarantine: 0 }
    for (const { kind } of items) counts[kind] += 1
    return {
      items: items.slice(0, limit).map(({ kind, facts, alike }) => ({
        kind,
        facts: facts.map((fact) => toShown(fact, true)),
        ...(alike === undefined ? {} : { alike }),
      })),
      counts,
      count: items.length,
      comparing: isComparing,
    }
  },
})
