import { LOW_CONFIDENCE } from '../../src/core/recall/relevance.js'
import type { Outcome } from './metrics.js'

/** What an answer costs its reader, and whether it says what is true now. */
export interface AnswerMeasures {
  /** Share of questions answered with nothing, in per cent. */
  readonly empty: number
  /** Among the first ten. */
  readonly results: number
  /** About: characters of the first ten results, by four. */
  readonly tokens: number
  /** Of queries with contradicting memories: the newest is ranked before all older ones. */
  readonly newerFirst: number | null
  /** Share whose confidence says that it is probably not stored. */
  readonly unlikely: number | null
  /** How many came without their vector or the reranker; with any, the figures are not to be used. */
  readonly incomplete: number
}

const SHOWN = 10

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10)
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10

export function newerStandsFirst({ question, ranked }: Outcome): boolean {
  const place = ranked.findIndex((id) => question.gold.includes(id))
  const stale = ranked.findIndex((id) => question.stale.includes(id))
  return place >= 0 && (stale < 0 || place < stale)
}

export function measureAnswers(outcomes: readonly Outcome[]): AnswerMeasures {
  const updates = outcomes.filter((outcome) => outcome.question.stale.length > 0)
  const confident = outcomes.filter((outcome) => outcome.confidence !== null)
  return {
    empty: share(outcomes.filter((outcome) => outcome.ranked.length === 0).length, outcomes.length),
    results: mean(outcomes.map((outcome) => outcome.lengths.length)),
    tokens: mean(outcomes.map((outcome) => outcome.lengths.reduce((sum, length) => sum + length, 0) / 4)),
    newerFirst: updates.length === 0 ? null : share(updates.filter(newerStandsFirst).length, updates.length),
    unlikely:
      confident.length === 0
        ? null
        : share(confident.filter((outcome) => (outcome.confidence ?? 1) < LOW_CONFIDENCE).length, confident.length),
    incomplete: outcomes.filter((outcome) => outcome.incomplete).length,
  }
}

export interface Cut {
  readonly from: number
  readonly recall: number
  readonly results: number
  readonly tokens: number
}

/** What the first ten lose and save where results under a relevance are left out. */
export function measureCuts(outcomes: readonly Outcome[], levels: readonly number[] = [0, 0.2, 0.4, 0.6]): readonly Cut[] {
  const answerable = outcomes.filter((outcome) => outcome.question.headline)
  return levels.map((from) => {
    const kept = answerable.map(({ question, ranked, lengths, relevances }) => {
      const places = ranked.slice(0, SHOWN).flatMap((id, at) => ((relevances[at] ?? 1) >= from ? [{ id, length: lengths[at] ?? 0 }] : []))
      const found = question.gold.filter((id) => places.some((place) => place.id === id)).length
      return { recall: (100 * found) / question.gold.length, places }
    })
    return {
      from,
      recall: mean(kept.map((one) => one.recall)),
      results: mean(kept.map((one) => one.places.length)),
      tokens: mean(kept.map((one) => one.places.reduce((sum, place) => sum + place.length, 0) / 4)),
    }
  })
}
