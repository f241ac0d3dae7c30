import type { Fact, Instant } from '../../facts/fact.js'
import { isProvisional } from '../provisional.js'
import { type Contribution, toProbability } from '../rank.js'

export interface RankedFact {
  readonly fact: Fact
  readonly score: number
  readonly contributions: readonly Contribution[]
  /** Row number: later facts have higher ones. */
  readonly rid: number
  readonly isCode: boolean
  /** Raw score of the judge; null or absent where the judge did not read it. */
  readonly judged?: number | null
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
  /** Probability that the newer fact replaces the older one. */
  readonly probability: number
  /** True if the probability is high enough to mark the older fact. */
  readonly isCertain: boolean
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

/** Probability from which the newer fact is taken to answer what the older one answers. */
const INHERITS_FROM = 0.5
/** Distance of a statement that only contradicts, below the one it contradicts. */
const CONTRADICTING = 0.01
const MIN_PROBABILITY = 1e-9

const toLogOdds = (probability: number): number => {
  const bounded = Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, probability))
  return Math.log(bounded / (1 - bounded))
}

/**
 * What revisions add to each result. The older fact answers if it still holds: its probability is multiplied by that of no revision.
 * The newer fact answers if it does so itself, or if it replaces one that does. A statement that only contradicts falls below the
 * one it contradicts.
 */
export function revisionValues(results: readonly RankedFact[], revisions: readonly Revision[]): readonly number[] {
  const given = new Map(results.map(({ fact, score }) => [fact.id, score]))
  const scoreOf = ({ id }: Fact): number => given.get(id) ?? Number.NEGATIVE_INFINITY
  const holds = new Map<string, number>()
  const inherited = new Map<string, number>()
  for (const { older, newer, trusted, probability } of revisions) {
    if (!trusted) continue
    holds.set(older.id, Math.min(holds.get(older.id) ?? 1, 1 - probability))
    if (probability < INHERITS_FROM) continue
    inherited.set(newer.id, Math.max(inherited.get(newer.id) ?? 0, probability * toProbability(scoreOf(older))))
  }
  const scores = new Map<string, number>()
  for (const { fact, score } of results) {
    const [still, replaced] = [holds.get(fact.id) ?? 1, inherited.get(fact.id) ?? 0]
    const unchanged = still === 1 && replaced <= toProbability(score)
    scores.set(fact.id, unchanged ? score : toLogOdds(still * Math.max(toProbability(score), replaced)))
  }
  for (const { older, newer, trusted } of revisions) {
    const [upper, lower] = [scores.get(older.id) ?? 0, scores.get(newer.id) ?? 0]
    if (!trusted && lower > upper - CONTRADICTING) scores.set(newer.id, upper - CONTRADICTING)
  }
  return results.map(({ fact, score }) => (scores.get(fact.id) ?? score) - score)
}

/** Relations of a result to the other results. */
export function revisionMarksOf({ id }: Fact, revisions: readonly Revision[]): RevisionMarks {
  const by = revisions.find(({ older, trusted, isCertain }) => trusted && isCertain && older.id === id)
  const against = revisions.filter(({ older, newer, trusted }) => !trusted && (older.id === id || newer.id === id))
  return {
    supersededBy: by === undefined ? null : { id: by.newer.id, why: by.why },
    contradicts: [...new Set(against.map(({ older, newer }) => (older.id === id ? newer.id : older.id)))],
  }
}
