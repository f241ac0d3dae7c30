/** Minimum cosines of decisions that depend on similarity alone. */
export interface Thresholds {
  /** A search hit that shares few words with the query. */
  readonly search: number
  /** A fact and an entity that its text does not name. */
  readonly autoLink: number
  /** Two facts about the same thing. */
  readonly neighbours: number
  /** Two facts with the same content, whose words and numbers agree as well. */
  readonly duplicate: number
}

/**
 * Positions between the cosine of unrelated texts and 1. Measured for the shipped model (see docs/graph.md); other models are
 * assumed to distribute cosines above their floor in the same way.
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
