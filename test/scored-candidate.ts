import type { ScoredCandidate } from '../src/core/recall/candidate.js'
import type { Recipe } from '../src/core/recall/recipe/recipe.js'
import { loadRecipe } from '../src/open/recipes.js'

/** The shipped recipe. */
export const TUNED: Recipe = loadRecipe()

/** A note with a row and a score. */
export function aCandidate(rid: number, score: number, header: Partial<ScoredCandidate['header']> = {}): ScoredCandidate {
  return {
    header: {
      rid,
      id: `f${rid}`,
      owner: 'ann',
      subject: null,
      author: null,
      session: null,
      recordedAt: 0,
      validFrom: 0,
      validUntil: null,
      expiresAt: null,
      status: 'active',
      isCode: false,
      ...header,
    },
    cosine: 0.8,
    bm25: 1,
    matches: 1,
    rarity: 1,
    kinds: 0,
    length: 10,
    contributions: [{ name: 'base', value: score }],
    score,
    logOdds: score,
    vector: 1,
    lexical: 1,
    graph: 0,
    via: null,
    judged: null,
  }
}
