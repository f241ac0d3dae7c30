import { zScores } from '../code-rank.js'

interface Found {
  readonly score: number
  readonly cosine: number | null
}

/** So few say nothing about what is usual for their kind. */
const FEW = 5

/**
 * Results of two kinds in one order, each best first. Scores of different kinds only compare as distances from what is
 * usual for the kind. Of a kind with few results nobody knows what is usual: they are put where the cosine, which means
 * the same for both, would put them in the order of the others.
 */
export function mergeKinds<R extends Found>(one: readonly R[], other: readonly R[]): readonly R[] {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one]
  const usual = rescored(many, zScores(many.map((result) => result.score)))
  const placed =
    few.length >= FEW ? rescored(few, zScores(few.map((result) => result.score))) : few.map((result) => placeAmong(result, many, usual))
  return [...placed, ...usual].sort((a, b) => b.score - a.score)
}

const rescored = <R extends Found>(results: readonly R[], scores: readonly number[]): readonly R[] =>
  results.map((result, i) => ({ ...result, score: scores[i] ?? 0 }))

/** Where there is no cosine, by the score itself. */
const nearness = ({ cosine, score }: Found): number => cosine ?? score

function placeAmong<R extends Found>(result: R, others: readonly R[], usual: readonly R[]): R {
  const before = others.filter((other) => nearness(other) > nearness(result)).length
  const above = usual[before - 1]?.score
  const below = usual[before]?.score
  if (above === undefined) return { ...result, score: (below ?? 0) + 1 + nearness(result) }
  return { ...result, score: below === undefined ? above - 1 + nearness(result) / 10 : (above + below) / 2 }
}
