import { z } from 'zod'
import { formatInstant } from '../core/input/input.js'
import type { JournalEntry } from '../core/journal/change.js'
import { noLaterThan } from '../core/time/instants.js'

/** One change, as listed in feeds. */
export const activityShape = z.object({
  seq: z.int(),
  commit: z.string(),
  at: z.string(),
  actor: z.string(),
  op: z.string(),
  kind: z.string(),
  target: z.string(),
  owner: z.string(),
  created: z.boolean().optional(),
  about: z.string().optional(),
  reason: z.string().optional(),
  /** The status of a fact before and after, if it changed. */
  from: z.string().optional(),
  to: z.string().optional(),
})
export type Activity = z.output<typeof activityShape>

export const toActivity = (entry: JournalEntry, now: number): Activity => ({
  seq: entry.seq,
  commit: entry.commit,
  at: formatInstant(noLaterThan(entry.at, now)),
  actor: entry.actor,
  op: entry.op,
  kind: entry.targetKind,
  target: entry.target,
  owner: entry.owner,
  ...(entry.before === null && entry.after !== null ? { created: true } : {}),
  ...aboutOf(entry),
  ...(entry.reason === null ? {} : { reason: entry.reason }),
  ...statusesOf(entry),
})

const MAX_ABOUT_CHARS = 200

/** The title or text of the changed object; absent if it was deleted. */
export function aboutOf({ before, after }: JournalEntry): { readonly about?: string } {
  const thing = after ?? before ?? {}
  const words = [thing.text, thing.name, thing.title, thing.type].find((word) => typeof word === 'string')
  return typeof words === 'string' ? { about: words.length > MAX_ABOUT_CHARS ? `${words.slice(0, MAX_ABOUT_CHARS)}...` : words } : {}
}

function statusesOf({ before, after, targetKind }: JournalEntry): { readonly from?: string; readonly to?: string } {
  if (targetKind !== 'fact' || typeof after?.status !== 'string') return {}
  if (before === null) return { to: after.status }
  return typeof before.status === 'string' && before.status !== after.status ? { from: before.status, to: after.status } : {}
}
