/** What tells how likely one result answers the question. */
export interface RelevanceSignals {
  /** Of the whole answer, 0 to 1; the reranker has its part in it. */
  readonly confidence: number
  /** Beside the best, which has 1. */
  readonly score: number
}

/** Confidence is never quite nothing or all. */
const MIN_RELEVANCE = 0.01

/**
 * How far a result is one that was wanted: its chance if as many were wanted as not, by a logistic fit over the first ten
 * answers to the development questions. Among ten results one is usually wanted, so that the plain chance would be low even
 * for good ones.
 */
export function relevanceOf({ confidence, score }: RelevanceSignals): number {
  const sure = Math.min(1 - MIN_RELEVANCE, Math.max(MIN_RELEVANCE, confidence))
  const evidence = 0.6 * Math.log(sure / (1 - sure)) + 11 * score - 9.3
  return 1 / (1 + Math.exp(-evidence))
}

export interface Cut {
  readonly minRelevance?: number | undefined
  readonly tokenBudget?: number | undefined
}

interface Weighed {
  readonly relevance: number
  readonly content: string
}

/** A token is about four characters. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Without what is hardly relevant, and no more than the reader has room for. Each result comes in the ways to tell it, the
 * longest first; the first that fits is told. Of the relevant the first is always told, in the shortest way if none fits.
 */
export function fitToBudget<R extends Weighed>(
  results: readonly (readonly [R, ...R[]])[],
  { minRelevance = 0, tokenBudget }: Cut,
): readonly R[] {
  let left = tokenBudget ?? Number.POSITIVE_INFINITY
  const told: R[] = []
  for (const ways of results.filter(([one]) => one.relevance >= minRelevance)) {
    const fitting = ways.find((one) => costOf(one) <= left) ?? (told.length === 0 ? ways[ways.length - 1] : undefined)
    if (fitting === undefined) continue
    told.push(fitting)
    left -= costOf(fitting)
  }
  return told
}

const costOf = ({ content }: Weighed): number => Math.ceil(content.length / CHARACTERS_PER_TOKEN)
