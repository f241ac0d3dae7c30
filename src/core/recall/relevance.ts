/** What tells how likely one result answers the question. */
export interface ResultSigns {
  /** Of the whole answer, 0 to 1. */
  readonly confidence: number
  /** Beside the best, which has 1. */
  readonly score: number
  /** What the reranker said; null where it was not asked. */
  readonly raw: number | null
}

/** What the reranker says of an ordinary candidate: not having asked it says nothing for or against. */
const ORDINARY = -3

/** The chance that a result is one that was wanted: a logistic fit over the first ten answers to the development questions. */
export function relevanceOf({ confidence, score, raw }: ResultSigns): number {
  const evidence = 1.5 * confidence + 8 * score + 0.26 * (raw ?? ORDINARY) - 8.8
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

/** Without what is hardly relevant, and no more than the reader has room for; of the relevant the first is always told. */
export function cutTail<R extends Weighed>(results: readonly R[], { minRelevance = 0, tokenBudget }: Cut): readonly R[] {
  const relevant = results.filter((one) => one.relevance >= minRelevance)
  if (tokenBudget === undefined) return relevant
  let spent = 0
  return relevant.filter(({ content }, i) => {
    const cost = Math.ceil(content.length / CHARACTERS_PER_TOKEN)
    if (i > 0 && spent + cost > tokenBudget) return false
    spent += cost
    return true
  })
}
