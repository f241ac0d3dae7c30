import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { isTrimmed } from '../../core/journal/change.js'
import { noLaterThan } from '../../core/time/instants.js'
import { listEntries } from '../../engine/history/entries.js'
import { aboutOf } from '../activity.js'
import { operation } from '../operation.js'
import { historyText } from './plain-text.js'

export const history = operation({
  name: 'history',
  title: 'History',
  description: 'Show changes, newest first: of one fact, entity or relation, or of everything',
  effect: 'read',
  idempotent: true,
  positionals: ['id'],
  input: z.strictObject({
    id: z.string().optional().describe('Only changes of this fact, entity or relation'),
    owner: z.string().optional(),
    limit: z.int().min(1).max(1000).default(20),
    before: z.int().optional().describe('Only changes before this sequence number; on a server database it needs an owner'),
    values: z.boolean().default(false).describe('Show the values before and after'),
  }),
  output: z.object({ changes: z.array(z.record(z.string(), z.unknown())), count: z.int() }),
  text: historyText,
  async run({ context }, { id, owner, limit, before, values }) {
    const { entries, trimmed } = await listEntries(context, {
      ...(id === undefined ? {} : { target: id }),
      ...(owner === undefined ? {} : { owner }),
      ...(before === undefined ? {} : { before }),
      limit,
    })
    const changes = entries.map((entry) => ({
      seq: entry.seq,
      at: formatInstant(noLaterThan(entry.at, context.clock.now())),
      actor: entry.actor,
      op: entry.op,
      kind: entry.targetKind,
      target: entry.target,
      owner: entry.owner,
      ...(entry.before === null && entry.after !== null ? { created: true } : {}),
      ...aboutOf(entry),
      ...(entry.reason === null ? {} : { reason: entry.reason }),
      ...(isTrimmed(entry, trimmed) ? { contents: 'dropped for their age' } : {}),
      ...(values ? { before: entry.before, after: entry.after } : {}),
    }))
    return { changes, count: changes.length }
  },
})
