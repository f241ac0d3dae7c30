/** A candidate during reranking. `raw` is null until it has been read. */
export interface Prospect {
  readonly rid: number
  /** Score with the coefficients of the reranker; for an unread candidate with a raw score of 0. */
  readonly score: number
  readonly raw: number | null
  /** Content key: facts with equal keys are one result. */
  readonly key: string
}

/** Expected number of unread candidates that would enter the results, below which reading stops; measured, 1 query of 200 differs. */
const MAX_EXPECTED_ENTRIES = 0.05
/** Minimum standard deviation assumed for the raw scores of a query. */
const MIN_DEVIATION = 1
/** The highest raw score of the judge. */
const MAX_RAW = 8

/**
 * Unread candidates that may still enter the first `limit` results, the most probable first; empty once the order of the results is
 * almost certain. `gain` is the contribution of one unit of raw score. Raw scores read so far are the distribution assumed for the rest.
 */
export function findUndecided(prospects: readonly Prospect[], limit: number, gain: number): readonly number[] {
  const read = prospects.filter((prospect): prospect is Prospect & { readonly raw: number } => prospect.raw !== null)
  const unread = prospects.filter(({ raw }) => raw === null)
  const threshold = findThreshold(read, limit)
  if (threshold === undefined || gain <= 0) return unread.map(({ rid }) => rid)
  const raws = read.map(({ raw }) => raw).sort((a, b) => a - b)
  const median = raws[Math.floor(raws.length / 2)] ?? 0
  const mean = raws.reduce((sum, raw) => sum + raw, 0) / raws.length
  const variance = raws.reduce((sum, raw) => sum + (raw - mean) ** 2, 0) / raws.length
  const deviation = Math.max(MIN_DEVIATION, Math.sqrt(variance))
  const expected = unread.map(({ rid, score }) => {
    const needed = (threshold - score) / gain
    return { rid, probability: needed > MAX_RAW ? 0 : normalTail((needed - median) / deviation) }
  })
  if (expected.reduce((sum, { probability }) => sum + probability, 0) < MAX_EXPECTED_ENTRIES) return []
  return expected.sort((a, b) => b.probability - a.probability).map(({ rid }) => rid)
}

/** Score of result number `limit` among those read; undefined if there are fewer. */
function findThreshold(read: readonly Prospect[], limit: number): number | undefined {
  const distinct = new Map<string, number>()
  for (const { key, score } of read) distinct.set(key, Math.max(distinct.get(key) ?? Number.NEGATIVE_INFINITY, score))
  return [...distinct.values()].sort((a, b) => b - a)[limit - 1]
}

/** Probability that a standard normal variable exceeds `x` (Zelen and Severo, error below 1e-5). */
function normalTail(x: number): number {
  if (x < 0) return 1 - normalTail(-x)
  const t = 1 / (1 + 0.33267 * x)
  return (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * t * (0.4361836 + t * (-0.1201676 + t * 0.937298))
}
