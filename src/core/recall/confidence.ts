/** What tells whether the store holds an answer at all. */
export interface ConfidenceSignals {
  /** The best cosines of the pool, best first; none where there is no model. */
  readonly cosines: readonly number[]
  /** Cosine of unrelated texts for the model in use. */
  readonly floor: number
  /** Share of the question's words, by rarity, that the first result holds. */
  readonly words: number
}

/** Below it the answer says that it is probably not stored. */
export const LOW_CONFIDENCE = 0.3
/** Below it, and without any word in common, nothing is an answer. */
const NO_ANSWER_CONFIDENCE = 0.08
/** So many cosines behind the best tell what is usual for the question. */
const RUNNER_UP_COUNT = 5

/** What speaks for an answer once the first result was read by the reranker: less weight for the rest, fitted together. */
const RERANKED_COEFFICIENTS = { rest: 0.46, raw: 0.31, base: 0.2 } as const

/**
 * How sure it is that the first result answers the question, 0 to 1: the height of the best cosine, how far it stands out
 * from the next ones, the words in common, and what the reranker said of the first result where it was asked (null where
 * not). Fitted on questions with and without an answer in stores of notes.
 */
export function confidenceOf(signs: ConfidenceSignals, raw: number | null): number {
  const evidence = computeAnswerLogOdds(signs)
  if (evidence === null) return signs.words
  return (
    1 /
    (1 +
      Math.exp(
        -(raw === null ? evidence : RERANKED_COEFFICIENTS.rest * evidence + RERANKED_COEFFICIENTS.raw * raw + RERANKED_COEFFICIENTS.base),
      ))
  )
}

/** The same as log-odds; null without any cosine. */
export function computeAnswerLogOdds({ cosines, floor, words }: ConfidenceSignals): number | null {
  const [best, ...rest] = cosines
  if (best === undefined) return null
  const next = rest.slice(0, RUNNER_UP_COUNT)
  const usual = next.length === 0 ? floor : next.reduce((sum, cosine) => sum + cosine, 0) / next.length
  const scale = 1 - floor
  return (1.8 * (best - floor)) / scale + (11.3 * (best - usual)) / scale + 1.3 * words - 3
}

/** Nothing is an answer only where neither search nor reranker sees one and no word is shared: what is withheld is lost. */
export const hasNoAnswer = (signs: ConfidenceSignals, raw: number | null, anyWord: boolean): boolean =>
  !anyWord && Math.max(confidenceOf(signs, null), confidenceOf(signs, raw)) < NO_ANSWER_CONFIDENCE
