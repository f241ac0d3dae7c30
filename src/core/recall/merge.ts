import { zScores } from '../code-rank.js'

interface Found {
  readonly score: number
  readonly cosine: number | null
}

/** So few say nothing about what is usual for their kind. */
const FEW = 5

/**
 * Results of several kinds in one order. Scores of different kinds only compare as distances from what is usual for the
 * kind; a kind with few results is measured against all of them by the cosine, which means the same for every kind.
 */
export function mergeKinds<R extends Found>(kinds: readonly (readonly R[])[]): readonly (R & { readonly score: number })[] {
  const all = kinds.flat()
  const known = all.some((one) => one.cosine !== null)
  const common = zScores(all.map((one) => (known ? (one.cosine ?? 0) : one.score)))
  let from = 0
  const scaled = kinds.map((results) => {
    const beside = common.slice(from, from + results.length)
    from += results.length
    const own = zScores(results.map((one) => one.score))
    const telling = results.length >= FEW && own.some((score) => score !== 0)
    return results.map((one, i) => ({ ...one, score: (telling ? own[i] : beside[i]) ?? 0 }))
  })
  return scaled.flat().sort((a, b) => b.score - a.score)
}
