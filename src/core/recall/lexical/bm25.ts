/** Okapi BM25: k1, the saturation of repeated terms, and b, the normalisation by document length. */
export const SATURATION = 1.2
export const LENGTH_NORMALISATION = 0.75

/** Inverse document frequency of a term in `holding` of all documents. */
export const computeIdf = (holding: number, documents: number): number =>
  Math.log(1 + Math.max(0, documents - holding + 0.5) / (holding + 0.5))

/** A term in more documents than this is not used as context. */
export const maxContextTermFrequency = (documents: number): number => Math.max(1000, documents * 0.02)

/** A term in more documents than this is skipped in a search of everything, if other terms are rarer. */
export const maxQueryTermFrequency = (documents: number): number => documents / 2 + 1000
