import { zScores } from './z-scores.js'

interface SearchHit {
  readonly score: number
  readonly cosine: number | null
}

/** Minimum number of results for a mean and deviation of their scores. */
const MIN_SAMPLE = 5
/** Typical distance between the cosines of related texts. */
const COSINE_SPREAD = 0.03

/**
 * Merges results of two kinds, each best first. Scores of different kinds are compared as z-scores within their kind. The log-odds
 * that a kind has an answer, from its cosines, are added, so a kind without an answer does not fill the list.
 */
export function mergeKinds<R extends SearchHit>(first: readonly R[], second: readonly R[], floor: number): readonly R[] {
  const kinds = [first, second].map((results) => ({ results, distances: distancesOf(results), evidence: evidenceFor(results, floor) }))
  const comparable = kinds.every(({ evidence, results }) => evidence !== null || results.length === 0)
  const top = Math.max(0, ...kinds.flatMap(({ distances }) => distances ?? []))
  return kinds
    .flatMap(({ results, distances, evidence }) => {
      const placed = distances ?? results.map((result) => top - distanceToBest(result, results[0]))
      return results.map((result, i) => ({ ...result, score: (placed[i] ?? 0) + (comparable ? (evidence ?? 0) : 0) }))
    })
    .sort((a, b) => b.score - a.score)
}

/** Z-scores; null for a small sample. */
const distancesOf = (results: readonly SearchHit[]): readonly number[] | null =>
  results.length < MIN_SAMPLE ? null : zScores(results.map((result) => result.score))

function evidenceFor(results: readonly SearchHit[], floor: number): number | null {
  const cosines = results.flatMap(({ cosine }) => cosine ?? []).sort((a, b) => b - a)
  return computeAnswerLogOdds(cosines, floor)
}

/** Distance of a result to the best one. */
const distanceToBest = (result: SearchHit, best: SearchHit | undefined): number =>
  best === undefined
    ? 0
    : result.cosine === null || best.cosine === null
      ? best.score - result.score
      : Math.max(0, best.cosine - result.cosine) / COSINE_SPREAD

/** Number of cosines after the best whose mean is the usual cosine of the query. */
const RUNNER_UP_COUNT = 5

/** Log-odds that a kind has an answer, by the height of its best cosine and its distance to the next; null without any cosine. */
export function computeAnswerLogOdds(cosines: readonly number[], floor: number): number | null {
  const [best, ...rest] = cosines
  if (best === undefined) return null
  const next = rest.slice(0, RUNNER_UP_COUNT)
  const usual = next.length === 0 ? floor : next.reduce((sum, cosine) => sum + cosine, 0) / next.length
  return (1.8 * (best - floor) + 11.3 * (best - usual)) / (1 - floor) - 3
}
