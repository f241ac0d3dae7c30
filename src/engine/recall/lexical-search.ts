import { isValidAt } from '../../core/facts/validity.js'
import type { LexicalFields } from '../../core/recall/lexical/fields.js'
import { queryTerms, STOP_WORDS, words } from '../../core/text/text.js'
import type { LexicalHit, LexicalMatches, SearchFilter, View } from '../../ports/view.js'

/** A name is never longer, and every word more is one more list to walk through. */
const MAX_PHRASE_CHARS = 8

/**
 * Lexical search of a query. A query of function words only ("The Who") has no terms: it is searched literally, and every
 * fact that contains it is a full match.
 */
export async function searchLexical(
  view: View,
  text: string,
  pool: SearchFilter,
  { limit, fields }: { readonly limit: number; readonly fields: LexicalFields },
): Promise<LexicalMatches> {
  const terms = queryTerms(text)
  const answer = await view.words.search(terms, pool, limit, fields)
  const queryWords = words(text)
  if (queryWords.length === 0 || queryWords.length > MAX_PHRASE_CHARS || !queryWords.every((word) => STOP_WORDS.has(word))) return answer
  const rids = await view.words.phrase(queryWords, limit)
  const held = new Set((await view.links.sketches(rids)).filter((sketch) => isValidAt(sketch, pool)).map(({ rid }) => rid))
  const scores = async (wanted: readonly number[]): Promise<ReadonlyMap<number, LexicalHit>> => {
    const match = (rid: number) => (held.has(rid) ? { score: 1, terms: terms.length, rarity: 1 } : { score: 0, terms: 0, rarity: 0 })
    return new Map([...(await answer.scores(wanted))].map(([rid, { length }]) => [rid, { rid, length, ...match(rid) }]))
  }
  return { ...answer, hits: [...(await scores([...held])).values()], rarity: 1, scores }
}
