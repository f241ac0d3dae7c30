import { fold, STOP_WORDS } from '../text/text.js'
import { WORD } from './gloss.js'
import { isForeign, LANGUAGES, type Language } from './language-of.js'

/** The beginning of a text tells its language. */
const BEGINNING = 500
/** Words inside a name, as in Klaus von der Leyen, tell nothing about the text around it. */
const INSIDE_NAME = /(?<=\p{Lu}[\p{L}'’-]{0,40}\s)(?:(?:von|van|der|den|de|da|di|la|le|du|del|della|dos|das|des|do|y)\s){1,2}(?=\p{Lu})/gu
const LOWER = /^\p{Ll}/u
/** Mia and Ella are names, too: one small word more must show grammar, written as such. */
const GRAMMAR = 2

/**
 * The languages that a note may be in, by its small words; none for English and where nothing shows it. Of the languages that
 * the question is asked in, one small word is enough: their speakers write notes in them.
 */
export function languagesOfNote(text: string, asked: readonly Language[] = []): readonly Language[] {
  const said = text.slice(0, BEGINNING).normalize('NFC').replace(INSIDE_NAME, '').match(WORD) ?? []
  const written = said.map((word) => ({ word: fold(word), lower: LOWER.test(word) }))
  const stops = written.filter(({ word }) => STOP_WORDS.has(word))
  const english = stops.filter(({ word }) => !isForeign(word)).length
  const counted = LANGUAGES.map((language) => {
    const small = written.filter(({ word }) => language.smallWords.has(word) && !STOP_WORDS.has(word))
    const isAsked = asked.includes(language)
    const against = isAsked ? stops.filter(({ word }) => !language.untelling.has(word)).length : english
    const shown = isAsked ? small.length > 0 : small.length >= GRAMMAR && small.some(({ lower }) => lower)
    return { language, small: shown && small.length > against ? small.length : 0 }
  })
  const most = Math.max(...counted.map(({ small }) => small))
  return most === 0 ? [] : counted.filter(({ small }) => small === most).map(({ language }) => language)
}

const LETTER = /\p{L}/gu
const LATIN_LETTER = /\p{Script=Latin}/gu
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Whether a model that knows only English cannot judge a note: it shows another language, or most of it is in other letters. */
export function isForeignNote(text: string, asked: readonly Language[] = []): boolean {
  const beginning = text.slice(0, BEGINNING)
  return 2 * count(beginning, LATIN_LETTER) < count(beginning, LETTER) || languagesOfNote(beginning, asked).length > 0
}
