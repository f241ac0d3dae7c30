import type { Instant } from '../../core/fact.js'
import { first, number, type Plan, run, text } from './plan.js'

/** Entries that one slice looks at. */
const SLICE = 250

/** The last entry that has been treated, per treatment. */
const TRIMMED = 'journal.trimmed'
export const CLEARED = 'journal.cleared'

function* mark(key: string): Plan<number> {
  const row = yield* first(`SELECT value FROM meta WHERE key = ?`, key)
  return row === undefined ? 0 : Number(text(row, 'value'))
}

function* setMark(key: string, seq: number): Plan<void> {
  yield* run(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, String(seq))
}

interface Entry {
  readonly seq: number
  readonly target: string
  readonly isDeletion: boolean
}

/** The next entries from before an instant, in the order of the journal. */
function* aged(key: string, before: Instant): Plan<readonly Entry[]> {
  // The newest entry stays, whatever it says: the next one gets its number from it.
  const rows = yield* run(
    `SELECT seq, at, op, target FROM journal WHERE seq > ? AND seq < (SELECT max(seq) FROM journal) ORDER BY seq LIMIT ?`,
    yield* mark(key),
    SLICE,
  )
  const young = rows.findIndex((row) => number(row, 'at') >= before)
  return rows
    .slice(0, young < 0 ? undefined : young)
    .map((row) => ({ seq: number(row, 'seq'), target: text(row, 'target'), isDeletion: text(row, 'op').endsWith('.delete') }))
}

/** The last entry whose contents were dropped for their age; 0 when none was. */
export const trimmedSeq = (): Plan<number> => mark(TRIMMED)

/** Drops what old entries say about their targets; that they happened stays. Answers how many entries it looked at: 0 ends it. */
export function* trimContents(before: Instant): Plan<number> {
  const entries = yield* aged(TRIMMED, before)
  const last = entries[entries.length - 1]
  if (last === undefined) return 0
  yield* run(`UPDATE journal SET before = NULL, after = NULL, reason = NULL WHERE seq > ? AND seq <= ?`, yield* mark(TRIMMED), last.seq)
  yield* setMark(TRIMMED, last.seq)
  return entries.length
}

/** Drops old entries, but the last one of everything that is still there. Answers how many entries it looked at: 0 ends it. */
export function* clearEntries(before: Instant): Plan<number> {
  const entries = yield* aged(CLEARED, before)
  const last = entries[entries.length - 1]
  if (last === undefined) return 0
  // Each takes those before it along, also the ones that an earlier slice had to leave.
  for (const { seq, target, isDeletion } of entries)
    yield* run(`DELETE FROM journal WHERE target = ? AND seq < ?`, target, isDeletion ? seq + 1 : seq)
  yield* setMark(CLEARED, last.seq)
  return entries.length
}
