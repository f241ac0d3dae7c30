import type { Sketch } from '../../core/recall/candidate.js'
import type { LexicalFields } from '../../core/recall/fields.js'
import { queryTerms, STOP_WORDS, words } from '../../core/text.js'
import { isValidAt } from '../../core/validity.js'
import type { LexicalAnswer, Pool } from '../../ports/recall-index.js'
import type { Environment } from '../environment.js'

/** A name is never longer, and every word more is one more list to walk through. */
const LONGEST_PHRASE = 8

export const isAllowed = (sketch: Sketch, pool: Pool): boolean =>
  (pool.owner === undefined || sketch.owner === pool.owner) && isValidAt(sketch, pool)

/**
 * The lexical side of a question. One of nothing but stop words ("The Who") has no terms: it is looked for as it stands,
 * and every fact that holds it is a full match.
 */
export async function searchWords(
  env: Pick<Environment, 'backend'>,
  text: string,
  pool: Pool,
  { limit, fields }: { readonly limit: number; readonly fields: LexicalFields },
): Promise<LexicalAnswer> {
  const terms = queryTerms(text)
  const answer = await env.backend.lexical.search(terms, pool, limit, fields)
  const said = words(text)
  if (said.length === 0 || said.length > LONGEST_PHRASE || !said.every((word) => STOP_WORDS.has(word))) return answer
  const rids = await env.backend.lexical.phrase(said, pool.owner, limit)
  const held = new Set((await env.backend.links.sketches(rids)).filter((sketch) => isAllowed(sketch, pool)).map(({ rid }) => rid))
  const whole = { terms: terms.length, rarity: 1 }
  const none = { terms: 0, rarity: 0 }
  return {
    ...answer,
    hits: [...held].map((rid) => ({ rid, score: 1 })),
    scoreOf: (rid) => (held.has(rid) ? 1 : 0),
    matchOf: (rid) => (held.has(rid) ? whole : none),
    rarity: 1,
  }
}
