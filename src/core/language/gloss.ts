import { fold, STOP_WORDS } from '../text/text.js'
import type { Glossary } from './glossary.js'
import type { Language } from './language-of.js'

/** A word-by-word English version of a text in another language. */
export interface Gloss {
  /** The first meaning of each word in the order of the text, for embedding and reranking. */
  readonly text: string
  /** All meanings, for keyword search. */
  readonly words: string
  /** Share of the words that the glossary contains, not counting function words. */
  readonly known: number
}

/** Function words shortened before a vowel: l'oncle, d'accord, c'è. */
export const ELISION = /^(?:[cdjlmnst]|qu|dell|nell|all|dall|sull|un)$/
export const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/gu

/** A capitalised word inside a sentence is a name, except in German, which capitalises all nouns. */
const NAME = /^\p{Lu}\p{Ll}/u

export function glossOf(text: string, { name, functionWords, questionWords }: Language, glossary: Glossary, maxWords = 64): Gloss {
  const read: string[] = []
  const meant: string[] = []
  let [known, counted] = [0, 0]
  for (const [position, written] of (text.normalize('NFC').match(WORD) ?? []).slice(0, maxWords).entries()) {
    const word = fold(written)
    const questionWord = questionWords.get(word)
    if (questionWord !== undefined) read.push(questionWord)
    if (questionWord !== undefined || functionWords.has(word) || ELISION.test(word)) continue
    counted++
    const isName = name !== 'german' && position > 0 && NAME.test(written)
    const parts = isName ? undefined : glossary.meaningsOf(word)
    if (parts === undefined) {
      // Names, numbers and words that English has too.
      read.push(written)
      continue
    }
    known++
    read.push(...parts.flatMap((meanings) => meanings.slice(0, 1)))
    meant.push(...parts.flat().filter((meaning) => !STOP_WORDS.has(meaning)))
  }
  return { text: read.join(' '), words: meant.join(' '), known: counted === 0 ? 0 : known / counted }
}

/** The normalised weighted mean of the vectors of a gloss and its query. */
export function interpolateVectors(gloss: Float32Array, query: Float32Array, queryShare: number): Float32Array {
  const sum = gloss.map((component, i) => (1 - queryShare) * component + queryShare * (query[i] ?? 0))
  let square = 0
  for (const component of sum) square += component * component
  const length = Math.sqrt(square) || 1
  return sum.map((component) => component / length)
}
