import { fold, terms } from '../text/text.js'
import { ELISION, WORD } from './gloss.js'
import type { Language } from './language-of.js'

const CAPITALS = /^\p{Lu}+$/u
const SMALL_LETTER = /\p{Ll}/u
const APOSTROPHE = /^['’]/u

/**
 * A question without the small words of its language, as stop words of English are left out: notes in that language hold them
 * whatever they are about. As it is where it is English, or where nothing else is left.
 */
export function removeFunctionWords(question: string, languages: readonly Language[]): string {
  if (languages.length === 0) return question
  const text = question.normalize('NFC')
  // Abbreviations such as LA and plan A are no small words, unless all of the question is written in capitals.
  const mixed = SMALL_LETTER.test(text)
  const told = text.replace(WORD, (written, at: number) => {
    const word = fold(written)
    if (ELISION.test(word) && APOSTROPHE.test(text.slice(at + written.length, at + written.length + 1))) return ' '
    if (at > 0 && mixed && CAPITALS.test(written)) return written
    return languages.some(({ untelling, questionWords }) => untelling.has(word) || questionWords.has(word)) ? ' ' : written
  })
  return terms(told).length > 0 ? told : question
}
