import type { Instant } from '../../../core/facts/fact.js'
import { first, number, numberOrNull, type Plan, run, text } from '../plan/plan.js'

/** Entries per slice. */
const SLICE_SIZE = 250

/** Keys that record the last processed entry of each treatment. */
const TRIMMED_SETTING = 'journal.trimmed'
export const CLEARED_SETTING = 'journal.cleared'

/** If entries are numbered per owner, so are these keys. */
const keyOf = (treatment: string, owner: string | undefined): string => (owner === undefined ? treatment : `${treatment}:${owner}`)

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

/** The next entries older than an instant, in journal order. */
function* aged(key: string, before: Instant, owner: string | undefined): Plan<readonly Entry[]> {
  const [name, values] = owner === undefined ? ['', []] : [' AND owner = ?', [owner]]
  // Keeps the newest entry, which marks the current position of the journal.
  const rows = yield* run(
    `SELECT seq, at, op, target FROM journal WHERE seq > ?${name} AND seq < (SELECT max(seq) FROM journal WHERE true${name}) ORDER BY seq LIMIT ?`,
    yield* mark(key),
    ...values,
    ...values,
    SLICE_SIZE,
  )
  const young = rows.findIndex((row) => number(row, 'at') >= before)
  return rows
    .slice(0, young < 0 ? undefined : young)
    .map((row) => ({ seq: number(row, 'seq'), target: text(row, 'target'), isDeletion: text(row, 'op').endsWith('.delete') }))
}

/** The last entry whose contents were cleared, of any owner; 0 if none. */
export function* trimmedSeq(): Plan<number> {
  const row = yield* first(
    `SELECT max(CAST(value AS BIGINT)) AS seq FROM meta WHERE key = ? OR key LIKE '${TRIMMED_SETTING}:%'`,
    TRIMMED_SETTING,
  )
  return row === undefined ? 0 : (numberOrNull(row, 'seq') ?? 0)
}

/** Clears the contents of old entries; the entries remain. Returns the number of entries processed, 0 at the end. */
export function* trimContents(before: Instant, owner?: string): Plan<number> {
  const key = keyOf(TRIMMED_SETTING, owner)
  const entries = yield* aged(key, before, owner)
  const last = entries[entries.length - 1]
  if (last === undefined) return 0
  yield* run(
    `UPDATE journal SET before = NULL, after = NULL, reason = NULL WHERE seq > ? AND seq <= ?${owner === undefined ? '' : ' AND owner = ?'}`,
    yield* mark(key),
    last.seq,
    ...(owner === undefined ? [] : [owner]),
  )
  yield* setMark(key, last.seq)
  return entries.length
}

/** Deletes old entries, except the last one of every live object. Returns the number of entries processed, 0 at the end. */
export function* clearEntries(before: Instant, owner?: string): Plan<number> {
  const key = keyOf(CLEARED_SETTING, owner)
  const entries = yield* aged(key, before, owner)
  const last = entries[entries.length - 1]
  if (last === undefined) return 0
  // Also deletes preceding entries of the target that an earlier slice had to keep.
  for (const { seq, target, isDeletion } of entries)
    yield* run(
      `DELETE FROM journal WHERE target = ? AND seq < ?${owner === undefined ? '' : ' AND owner = ?'}`,
      target,
      isDeletion ? seq + 1 : seq,
      ...(owner === undefined ? [] : [owner]),
    )
  yield* setMark(key, last.seq)
  return entries.length
}
