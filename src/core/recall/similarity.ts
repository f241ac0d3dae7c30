/** Least cosines for the decisions that are made by likeness alone. */
export interface Thresholds {
  /** A hit of a search that shares few words with the question. */
  readonly search: number
  /** A fact and an entity it is linked to without naming it. */
  readonly autoLink: number
  /** Two facts on the same matter. */
  readonly neighbours: number
  /** Two facts that say the same, words and figures agreeing too. */
  readonly duplicate: number
}

/**
 * Where each decision lies between what unrelated texts score with a model and identical ones. Measured for the shipped
 * model (see docs/graph.md); another model is assumed to spread its cosines alike above its own floor.
 */
const SHARES: Thresholds = { search: 0.23, autoLink: 0.46, neighbours: 0.615, duplicate: 0.845 }

export function thresholdsFor(floor: number, configured: { readonly [key in keyof Thresholds]?: number | undefined }): Thresholds {
  const at = (share: number): number => Math.round((floor + share * (1 - floor)) * 1000) / 1000
  return {
    search: configured.search ?? at(SHARES.search),
    autoLink: configured.autoLink ?? at(SHARES.autoLink),
    neighbours: configured.neighbours ?? at(SHARES.neighbours),
    duplicate: configured.duplicate ?? at(SHARES.duplicate),
  }
}
