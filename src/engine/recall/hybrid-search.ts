import type { LexicalFields } from '../../core/recall/lexical/fields.js'
import type { Hit, LexicalMatches, SearchFilter, View } from '../../ports/view.js'
import { searchLexical } from './lexical-search.js'

/** Results of both searches for a query, with the limits of a recipe or contract. */
export interface HybridHits {
  readonly lexical: LexicalMatches
  /** Nearest first; none where there is no vector of the question. */
  readonly dense: readonly Hit[]
}

export interface HybridQuery {
  readonly text: string
  readonly pool: SearchFilter
  readonly fields: LexicalFields
  /** Maximum results of each search. */
  readonly words: number
  readonly meanings: number
  /** Embedding of the query, if any; computed during the lexical search. */
  readonly vector: Promise<Float32Array | undefined>
}

export async function searchBothIndexes(view: View, { text, pool, fields, words, meanings, vector }: HybridQuery): Promise<HybridHits> {
  const [lexical, dense] = await awaitBoth(
    searchLexical(view, text, pool, { limit: words, fields }),
    vector.then((made) => (made === undefined || meanings === 0 ? [] : view.vectors.search(made, pool, meanings))),
  )
  return { lexical, dense }
}

/** Waits for both searches even if one fails, so neither uses a closed view. */
export async function awaitBoth<A, B>(first: Promise<A> | A, second: Promise<B> | B): Promise<readonly [A, B]> {
  const [a, b] = await Promise.allSettled([first, second])
  if (a.status === 'rejected') throw a.reason
  if (b.status === 'rejected') throw b.reason
  return [a.value, b.value]
}
