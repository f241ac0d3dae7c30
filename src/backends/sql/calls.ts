import { CALLS_KEPT } from '../../core/calls.js'
import type { Instant } from '../../core/fact.js'
import type { JsonObject } from '../../core/json.js'
import type { CallId, Receipt, RecordedCall } from '../../ports/store.js'
import { readClock } from './clock.js'
import { first, jsonObject, number, type Plan, run, text } from './plan.js'

/** Of those that are too old, so many go with each new one: no commit pays for all of them. */
const DROPPED_AT_ONCE = 100

/** What is known of a call, unless it is too long ago by the wall and by the order of commits: one clock may be wrong. */
export function* recordedCall({ owner, actor, key }: CallId, now: Instant): Plan<RecordedCall | undefined> {
  const { order } = yield* readClock()
  const row = yield* first(
    `SELECT fingerprint, first_seq, last_seq, answer FROM calls WHERE owner = ? AND actor = ? AND key = ? AND (at > ? OR place > ?)`,
    owner,
    actor,
    key,
    now - CALLS_KEPT,
    Math.max(now, order) - CALLS_KEPT,
  )
  if (row === undefined) return undefined
  return {
    fingerprint: text(row, 'fingerprint'),
    firstSeq: number(row, 'first_seq'),
    lastSeq: number(row, 'last_seq'),
    answer: row.answer === null ? null : jsonObject(row, 'answer'),
  }
}

/** In the transaction of the changes themselves: the call is known exactly when they are there. */
export function* recordCall(call: CallId, { at, firstSeq, lastSeq }: Receipt, place: number): Plan<void> {
  const { owner, actor, key, fingerprint } = call
  yield* run(
    `DELETE FROM calls WHERE rid IN (SELECT rid FROM calls WHERE place <= ? AND at <= ? ORDER BY place LIMIT ?)`,
    place - CALLS_KEPT,
    at - CALLS_KEPT,
    DROPPED_AT_ONCE,
  )
  yield* run(
    `INSERT INTO calls (owner, actor, key, fingerprint, at, place, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (owner, actor, key) DO UPDATE SET fingerprint = excluded.fingerprint, at = excluded.at, place = excluded.place, first_seq = excluded.first_seq,
       last_seq = excluded.last_seq, answer = NULL`,
    owner,
    actor,
    key,
    fingerprint,
    at,
    place,
    firstSeq,
    lastSeq,
  )
}

/** An answer may hold what the call stored: it is not kept when that was deleted meanwhile. */
export function* recordAnswer({ owner, actor, key, fingerprint }: CallId, answer: JsonObject): Plan<void> {
  yield* run(
    `UPDATE calls SET answer = ? WHERE owner = ? AND actor = ? AND key = ? AND fingerprint = ? AND NOT EXISTS (
       SELECT 1 FROM journal j WHERE j.seq BETWEEN calls.first_seq AND calls.last_seq AND j.op LIKE '%.put' AND j.after IS NULL)`,
    JSON.stringify(answer),
    owner,
    actor,
    key,
    fingerprint,
  )
}

/** Takes what answers said about a target that is deleted; that the calls were carried out stays known. */
export function* forgetAnswers(target: string): Plan<void> {
  yield* run(
    `UPDATE calls SET answer = NULL WHERE rid IN (
       SELECT (SELECT CASE WHEN c.first_seq <= j.seq THEN c.rid END FROM calls c WHERE c.last_seq >= j.seq ORDER BY c.last_seq LIMIT 1)
       FROM journal j WHERE j.target = ?)`,
    target,
  )
}

/** The same for everything of an owner, whoever had called. */
export function* forgetAnswersOf(owner: string): Plan<void> {
  yield* run(
    `UPDATE calls SET answer = NULL WHERE EXISTS (
       SELECT 1 FROM journal j WHERE j.seq BETWEEN calls.first_seq AND calls.last_seq AND j.owner = ?)`,
    owner,
  )
}
