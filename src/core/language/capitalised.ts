import { fold } from '../text/text.js'
import { languagesOfNote } from './note-language.js'

/** What stands before a word that begins a sentence, quotes and brackets aside. */
const ENDS = new Set('.!?:…\n\r')
const ASIDE = /[\s"'«»„“”‘’([¿¡*-]/u

/** Whether a word may be capitalised only for where it stands. */
export function beginsSentence(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const before = text[i] ?? ''
    if (ENDS.has(before)) return true
    if (!ASIDE.test(before)) return false
  }
  return true
}

/** Nobody is called so, whatever the language: too short a text does not show it. */
const ARTICLES: ReadonlySet<string> = new Set('la le les el los las il lo gli un une una der das ein eine het een um uma'.split(' '))
/** What is left of a small word before a vowel: C'est, J'ai, L'école, but not L'Oréal. */
const ELIDED = /^(?:[CDJLMNST]|Qu)['’]\p{Ll}/u
const CAPITALS = /^\p{Lu}{2,}$/u

export interface WordPosition {
  /** Begins a sentence. */
  readonly begins: boolean
  /** No other capitalised word follows. */
  readonly alone: boolean
}

/** Which capitalised words of a text are small words of its language rather than names or their first words. */
export function functionWordsOf(text: string): (written: string, place: WordPosition) => boolean {
  const languages = languagesOfNote(text)
  const isSmall = (word: string): boolean =>
    word.length < 2 || languages.some(({ untelling, questionWords }) => untelling.has(word) || questionWords.has(word))
  return (written, { begins, alone }) => {
    if (CAPITALS.test(written) || !(begins || alone)) return false
    if (begins && (ELIDED.test(written) || (alone && ARTICLES.has(fold(written))))) return true
    // Est-ce, sont-elles, dov'è
    return languages.length > 0 && written.length > 1 && fold(written).split(/['’-]/u).every(isSmall)
  }
}
