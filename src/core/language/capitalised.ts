import { fold } from '../text/text.js'
import { languagesOfNote } from './note-language.js'

/** Characters that end a sentence. */
const ENDS = new Set('.!?:…\n\r')
/** Skipped between a sentence end and the next word. */
const SKIPPED_CHARACTER = /[\s"'«»„“”‘’([¿¡*-]/u

/** True if a word starts a sentence, so its capital letter does not mark a name. */
export function beginsSentence(text: string, offset: number): boolean {
  for (let i = offset - 1; i >= 0; i--) {
    const before = text[i] ?? ''
    if (ENDS.has(before)) return true
    if (!SKIPPED_CHARACTER.test(before)) return false
  }
  return true
}

/** Articles are never names. They are checked in every language, because a short text does not show its own. */
const ARTICLES: ReadonlySet<string> = new Set('la le les el los las il lo gli un une una der das ein eine het een um uma'.split(' '))
/** A function word shortened before a vowel: C'est, J'ai, L'école, but not L'Oréal. */
const ELIDED_WORD = /^(?:[CDJLMNST]|Qu)['’]\p{Ll}/u
const CAPITALS = /^\p{Lu}{2,}$/u

interface WordPosition {
  /** Starts a sentence. */
  readonly begins: boolean
  /** Is not followed by another capitalised word. */
  readonly alone: boolean
}

/** Returns a predicate: true if a capitalised word of the text is a function word of its language, not part of a name. */
export function functionWordsOf(text: string): (written: string, place: WordPosition) => boolean {
  const languages = languagesOfNote(text)
  const isFunctionWord = (word: string): boolean =>
    word.length < 2 || languages.some(({ functionWords, questionWords }) => functionWords.has(word) || questionWords.has(word))
  return (written, { begins, alone }) => {
    if (CAPITALS.test(written) || !(begins || alone)) return false
    if (begins && (ELIDED_WORD.test(written) || (alone && ARTICLES.has(fold(written))))) return true
    // Est-ce, sont-elles, dov'è
    return languages.length > 0 && written.length > 1 && fold(written).split(/['’-]/u).every(isFunctionWord)
  }
}
