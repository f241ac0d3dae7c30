import { fold, terms } from '../text/text.js'
import { ELISION, WORD } from './gloss.js'
import type { Language } from './language-of.js'

const CAPITALS = /^\p{Lu}+$/u
const SMALL_LETTER = /\p{Ll}/u
const APOSTROPHE = /^['’]/u

/**
 * Removes the function words of a query in another language, because notes in that language contain them whatever their topic. Returns an
 * English query unchanged, and any query that would become empty.
 */
export function removeFunctionWords(query: string, languages: readonly Language[]): string {
  if (languages.length === 0) return query
  const text = query.normalize('NFC')
  // Capitals mark an abbreviation, as in LA or plan A, unless the whole query is in capitals.
  const mixed = SMALL_LETTER.test(text)
  const content = text.replace(WORD, (written, at: number) => {
    const word = fold(written)
    if (ELISION.test(word) && APOSTROPHE.test(text.slice(at + written.length, at + written.length + 1))) return ' '
    if (at > 0 && mixed && CAPITALS.test(written)) return written
    return languages.some(({ functionWords, questionWords }) => functionWords.has(word) || questionWords.has(word)) ? ' ' : written
  })
  return terms(content).length > 0 ? content : query
}
