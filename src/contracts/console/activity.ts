import { z } from 'zod'
import { activityShape, toActivity } from '../activity.js'
import { operation } from '../operation.js'

const output = z.object({ changes: z.array(activityShape), next: z.object({ seq: z.int(), hlc: z.string() }).nullable() })
export type ActivityAnswer = z.output<typeof output>

export const activity = operation({
  name: 'activity',
  title: 'Activity',
  description: 'What happened, newest first',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({
    limit: z.int().min(1).max(500).default(100),
    before: z
      .strictObject({ seq: z.int(), hlc: z.string().max(100) })
      .optional()
      .describe('Where the page before ended'),
  }),
  output,
  async run({ context }, { limit, before }) {
    const entries = await context.store.journal({ newestFirst: true, limit, ...(before === undefined ? {} : { beyond: before }) })
    const now = context.clock.now()
    const last = entries.length < limit ? undefined : entries[entries.length - 1]
    return {
      changes: entries.map((entry) => toActivity(entry, now)),
      next: last === undefined ? null : { seq: last.seq, hlc: last.hlc },
    }
  },
})
