import type { Fact, Instant } from '../facts/fact.js'
import { isProvisional } from './provisional.js'
import type { Contribution } from './rank.js'

export interface RankedFact {
  readonly fact: Fact
  readonly score: number
  readonly contributions: readonly Contribution[]
  /** Row number: later facts have higher ones. */
  readonly rid: number
  readonly isCode: boolean
}

/** By valid time. A fact stamped by a clock that ran ahead counts as stored before the facts stored after it. */
export function newestFirst<R extends RankedFact>(facts: readonly R[], now: Instant): readonly R[] {
  let stored = now
  const dated = [...facts]
    .sort((a, b) => b.rid - a.rid)
    .map((one) => {
      const ahead = one.fact.recordedAt > now
      stored = ahead ? stored : Math.min(stored, one.fact.recordedAt)
      const begun = ahead && one.fact.validFrom === one.fact.recordedAt
      return { one, from: begun ? stored : one.fact.validFrom, recorded: ahead ? stored : one.fact.recordedAt }
    })
  return dated.sort((a, b) => b.from - a.from || b.recorded - a.recorded || b.one.rid - a.one.rid).map(({ one }) => one)
}

/** A newer statement of the same thing. */
export interface Revision {
  readonly older: Fact
  readonly newer: Fact
  /** For `explain`. */
  readonly why: string
  /** False if the newer fact comes from another source or is less certain: then both remain valid. */
  readonly trusted: boolean
}

/** Relations of a result to other results. */
export interface RevisionMarks {
  readonly supersededBy: { readonly id: string; readonly why: string } | null
  /** Results that contradict it without being a better source. */
  readonly contradicts: readonly string[]
}

/** False for another author or, without authors, another client; for less confidence; and for a provisional statement over a settled one. */
export function canSupersede(newer: Fact, older: Fact): boolean {
  if (isProvisional(newer) && !isProvisional(older)) return false
  const named = newer.author !== null && older.author !== null
  return (named ? newer.author === older.author : newer.source === older.source) && newer.confidence >= older.confidence
}

/** Distance of a superseded statement below the newer one. */
const SUPERSEDED = 1
/** The same for a statement that only contradicts, below the one it contradicts. */
const CONTRADICTING = 0.01

/**
 * What revisions add to each result. The newer statement answers the query as far as the older one does: it rises to the
 * score of the older one, which falls below it. A statement that only contradicts falls below the one it contradicts.
 */
export function revisionValues(results: readonly RankedFact[], revisions: readonly Revision[]): readonly number[] {
  const scores = new Map(results.map(({ fact, score }) => [fact.id, score]))
  const scoreOf = ({ id }: Fact): number => scores.get(id) ?? Number.NEGATIVE_INFINITY
  // Newest first: where a statement was revised twice, the last revision gets the best score of all.
  for (const { older, newer, trusted } of revisions) if (trusted) scores.set(newer.id, Math.max(scoreOf(newer), scoreOf(older)))
  // Chains need as many passes as they have members; a pass that changes nothing is the last.
  for (let pass = 0, changed = true; changed && pass < revisions.length; pass++) {
    changed = false
    for (const { older, newer, trusted } of revisions) {
      const [upper, lower, distance] = trusted ? [newer, older, SUPERSEDED] : [older, newer, CONTRADICTING]
      if (scoreOf(lower) <= scoreOf(upper) - distance) continue
      scores.set(lower.id, scoreOf(upper) - distance)
      changed = true
    }
  }
  return results.map(({ fact, score }) => scoreOf(fact) - score)
}

/** Relations of a result to the other results. */
export function revisionMarksOf({ id }: Fact, revisions: readonly Revision[]): RevisionMarks {
  const by = revisions.find(({ older, trusted }) => trusted && older.id === id)
  const against = revisions.filter(({ older, newer, trusted }) => !trusted && (older.id === id || newer.id === id))
  return {
    supersededBy: by === undefined ? null : { id: by.newer.id, why: by.why },
    contradicts: [...new Set(against.map(({ older, newer }) => (older.id === id ? newer.id : older.id)))],
  }
}
