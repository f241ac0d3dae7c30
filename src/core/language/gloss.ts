import { fold, STOP_WORDS } from '../text/text.js'
import type { Glossary } from './glossary.js'
import type { Language } from './language-of.js'

/** A question in another language, word by word in English. */
export interface Gloss {
  /** The first meaning of each word, in the order of the question: what a model reads. */
  readonly text: string
  /** All of their meanings: what is looked for by words. */
  readonly words: string
  /** The share of its words that are known, small words left out. */
  readonly known: number
}

/** What is left of a small word before a vowel: l'oncle, d'accord, c'è. */
export const ELISION = /^(?:[cdjlmnst]|qu|dell|nell|all|dall|sull|un)$/
/** What a longer question is about stands at its beginning; taking words apart takes a while. */
const MAX_WORDS = 64
export const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/gu

/** German writes all nouns with a capital letter; elsewhere that is a name. */
const NAME = /^\p{Lu}\p{Ll}/u

export function glossOf(question: string, { name, untelling, questionWords }: Language, glossary: Glossary): Gloss {
  const read: string[] = []
  const meant: string[] = []
  let [known, telling] = [0, 0]
  for (const [place, written] of (question.normalize('NFC').match(WORD) ?? []).slice(0, MAX_WORDS).entries()) {
    const word = fold(written)
    const asking = questionWords.get(word)
    if (asking !== undefined) read.push(asking)
    if (asking !== undefined || untelling.has(word) || ELISION.test(word)) continue
    telling++
    const isName = name !== 'german' && place > 0 && NAME.test(written)
    const parts = isName ? undefined : glossary.meaningsOf(word)
    if (parts === undefined) {
      // Names, numbers and words that both languages have.
      read.push(written)
      continue
    }
    known++
    read.push(...parts.flatMap((meanings) => meanings.slice(0, 1)))
    meant.push(...parts.flat().filter((one) => !STOP_WORDS.has(one)))
  }
  return { text: read.join(' '), words: meant.join(' '), known: telling === 0 ? 0 : known / telling }
}

/** A vector between that of the gloss and that of the question itself, of unit length as they are. */
export function interpolateVectors(gloss: Float32Array, question: Float32Array, share: number): Float32Array {
  const sum = gloss.map((component, i) => (1 - share) * component + share * (question[i] ?? 0))
  let square = 0
  for (const component of sum) square += component * component
  const length = Math.sqrt(square) || 1
  return sum.map((component) => component / length)
}
