import type { JsonObject } from '../../src/core/encoding/json.js'
import type { Instant } from '../../src/core/facts/fact.js'
import { CALLS_KEPT } from '../../src/core/time/calls.js'
import type { CallId, CommitReceipt, RecordedCall } from '../../src/ports/store.js'
import type { State, StoredCall } from './state.js'

const nameOf = ({ owner, actor, key }: CallId): string => JSON.stringify([owner, actor, key])

/** By the wall clock and by the commit order: one clock may be wrong. */
const isOld = ({ at: instant, place }: StoredCall, now: Instant, latest: number): boolean =>
  instant <= now - CALLS_KEPT && place <= latest - CALLS_KEPT

export function recordedCall(state: State, call: CallId, now: Instant): RecordedCall | undefined {
  const stored = state.calls.get(nameOf(call))
  return stored === undefined || isOld(stored, now, Math.max(now, state.clock.order)) ? undefined : stored.recorded
}

export function recordCall(draft: State, call: CallId, { at: now, commit, entries }: CommitReceipt, place: number): void {
  for (const [name, stored] of draft.calls) if (isOld(stored, now, place)) draft.calls.delete(name)
  draft.calls.set(nameOf(call), {
    owner: call.owner,
    at: now,
    place,
    recorded: { fingerprint: call.fingerprint, commit, entries, answer: null },
  })
}

export function recordAnswer(draft: State, call: CallId, answer: JsonObject): void {
  const stored = draft.calls.get(nameOf(call))
  if (stored === undefined || stored.recorded.fingerprint !== call.fingerprint) return
  const deleted = entriesOf(draft, stored).some((entry) => entry.op.endsWith('.put') && entry.after === null)
  if (!deleted) draft.calls.set(nameOf(call), { ...stored, recorded: { ...stored.recorded, answer } })
}

/** Clears results of calls that refer to these entries. */
export function forgetAnswers(draft: State, about: (entry: State['journal'][number]) => boolean): void {
  for (const [name, stored] of draft.calls) {
    if (entriesOf(draft, stored).some(about)) draft.calls.set(name, { ...stored, recorded: { ...stored.recorded, answer: null } })
  }
}

const entriesOf = (state: State, { recorded }: StoredCall): State['journal'] =>
  state.journal.filter(({ commit }) => commit === recorded.commit)
