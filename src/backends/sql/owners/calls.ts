import type { JsonObject } from '../../../core/encoding/json.js'
import type { Instant } from '../../../core/facts/fact.js'
import { CALLS_KEPT } from '../../../core/time/calls.js'
import { MemoryError } from '../../../errors.js'
import type { CallId, CommitReceipt, JournalRange, RecordedCall } from '../../../ports/store.js'
import type { Dialect } from '../plan/dialect.js'
import { first, json, jsonObject, type Plan, queryBatch, type Row, run, text } from '../plan/plan.js'
import { openLedger } from './owners.js'

/** Number of expired calls removed with each new one, so that no commit pays for all of them. */
const DROPPED_BATCH_SIZE = 100

/** The record of a call, unless it expired by the wall clock and by the commit order: one clock may be wrong. */
export function* recordedCall({ owner, actor, key }: CallId, now: Instant, order: number): Plan<RecordedCall | undefined> {
  const row = yield* first(
    `SELECT fingerprint, commit_id, entries, answer FROM calls WHERE owner = ? AND actor = ? AND key = ? AND (at > ? OR place > ?)`,
    owner,
    actor,
    key,
    now - CALLS_KEPT,
    Math.max(now, order) - CALLS_KEPT,
  )
  if (row === undefined) return undefined
  return {
    fingerprint: text(row, 'fingerprint'),
    commit: text(row, 'commit_id'),
    entries: stretchesOf(row),
    answer: row.answer === null ? null : jsonObject(row, 'answer'),
  }
}

function stretchesOf(row: Row): readonly JournalRange[] {
  const stored = json(row, 'entries')
  if (!Array.isArray(stored))
    throw new MemoryError('storage', 'The entries of a recorded call cannot be read.', { hint: 'Run `mneme doctor`.' })
  return stored.flatMap((entry) => {
    const [owner, firstSeq, lastSeq] = Array.isArray(entry) ? entry : []
    return typeof owner === 'string' && typeof firstSeq === 'number' && typeof lastSeq === 'number' ? [{ owner, firstSeq, lastSeq }] : []
  })
}

/** Runs in the transaction of the changes: the call is recorded if and only if they are committed. */
export function* recordCall(call: CallId, { at: now, commit, entries }: CommitReceipt, place: number): Plan<void> {
  const { owner, actor, key, fingerprint } = call
  yield* run(
    `DELETE FROM calls WHERE owner = ? AND (actor, key) IN (
       SELECT actor, key FROM calls WHERE owner = ? AND place <= ? AND at <= ? ORDER BY place LIMIT ?)`,
    owner,
    owner,
    place - CALLS_KEPT,
    now - CALLS_KEPT,
    DROPPED_BATCH_SIZE,
  )
  yield* run(
    `INSERT INTO calls (owner, actor, key, fingerprint, at, place, commit_id, entries) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (owner, actor, key) DO UPDATE SET fingerprint = excluded.fingerprint, at = excluded.at, place = excluded.place,
       commit_id = excluded.commit_id, entries = excluded.entries, answer = NULL`,
    owner,
    actor,
    key,
    fingerprint,
    now,
    place,
    commit,
    JSON.stringify(entries.map((entry) => [entry.owner, entry.firstSeq, entry.lastSeq])),
  )
}

/** A result may contain what the call stored; it is not kept if that was deleted meanwhile. */
export function* recordAnswer(dialect: Dialect, { owner, actor, key, fingerprint }: CallId, answer: JsonObject): Plan<void> {
  const row = yield* first(
    `SELECT commit_id, entries FROM calls WHERE owner = ? AND actor = ? AND key = ? AND fingerprint = ?`,
    owner,
    actor,
    key,
    fingerprint,
  )
  if (row === undefined) return
  const stretches = stretchesOf(row)
  // Takes the lock of the owners, so that a concurrent deletion comes before or after.
  if (dialect.numbers === 'by owner') yield* openLedger(dialect, [owner, ...stretches.map((stretch) => stretch.owner)])
  const emptied = yield* queryBatch(
    stretches.map((stretch) => ({
      text: `SELECT seq FROM journal WHERE owner = ? AND seq BETWEEN ? AND ? AND commit_id = ? AND op LIKE '%.put' AND after IS NULL LIMIT 1`,
      values: [stretch.owner, stretch.firstSeq, stretch.lastSeq, text(row, 'commit_id')],
    })),
  )
  if (emptied.some((rows) => rows.length > 0)) return
  yield* run(
    `UPDATE calls SET answer = ? WHERE owner = ? AND actor = ? AND key = ? AND fingerprint = ?`,
    JSON.stringify(answer),
    owner,
    actor,
    key,
    fingerprint,
  )
}

/** Clears results that contain a deleted target; the calls stay recorded. */
export function* forgetAnswers(target: string, owner: string): Plan<void> {
  yield* run(
    `UPDATE calls SET answer = NULL WHERE commit_id IN (SELECT j.commit_id FROM journal j WHERE j.target = ? AND +j.owner = ?)`,
    target,
    owner,
  )
}

/** The same for everything of an owner, for every caller. */
export function* forgetAnswersOf(owner: string): Plan<void> {
  yield* run(
    `UPDATE calls SET answer = NULL WHERE answer IS NOT NULL AND commit_id IN (SELECT j.commit_id FROM journal j WHERE j.owner = ?)`,
    owner,
  )
}
