import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { difference } from '../../engine/console/difference.js'
import { operation } from '../operation.js'
import { factShape, instantIn, toShown } from './shapes.js'

const output = z.object({
  learned: z.int(),
  ended: z.int(),
  changed: z.int(),
  same: z.int(),
  changes: z.array(z.object({ kind: z.string(), at: z.string(), fact: factShape, before: factShape.optional() })),
})
export type TimelineAnswer = z.output<typeof output>

export const timeline = operation({
  name: 'timeline',
  title: 'Timeline',
  description: 'What was learned, ended and changed between two instants',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({
    from: z.string(),
    until: z.string(),
    reading: z.enum(['true', 'known']).default('true').describe('What was true in the world, or what was known here'),
    owner: z.array(z.string()).max(100).optional(),
    limit: z.int().min(1).max(1000).default(300),
  }),
  output,
  async run({ context }, { from, until, reading, owner, limit }) {
    const span = { from: instantIn(from, 'from'), until: instantIn(until, 'until'), reading, owners: owner }
    const { changes, ...counts } = await difference(context, span)
    return {
      ...counts,
      changes: changes.slice(0, limit).map(({ kind, at, fact, before }) => ({
        kind,
        at: formatInstant(at),
        fact: toShown(fact),
        ...(before === undefined ? {} : { before: toShown(before) }),
      })),
    }
  },
})
