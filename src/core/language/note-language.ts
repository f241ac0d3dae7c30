import { fold, STOP_WORDS } from '../text/text.js'
import { WORD } from './gloss.js'
import { isForeign, LANGUAGES, type Language } from './language-of.js'

/** Only this many characters are examined. */
const MAX_SAMPLE_CHARS = 500
/** Function words inside a name, as in Klaus von der Leyen, do not indicate the language. */
const INSIDE_NAME = /(?<=\p{Lu}[\p{L}'’-]{0,40}\s)(?:(?:von|van|der|den|de|da|di|la|le|du|del|della|dos|das|des|do|y)\s){1,2}(?=\p{Lu})/gu
const LOWER_CASE_START = /^\p{Ll}/u
/** Mia and Ella are names as well, so two function words are required, one of them in lower case. */
const MIN_GRAMMAR_WORDS = 2

/**
 * The possible languages of a note, by its function words; none for English or if undecided. For a language of the query, one function word
 * suffices, because speakers of that language write notes in it.
 */
export function languagesOfNote(text: string, queryLanguages: readonly Language[] = []): readonly Language[] {
  const sample = text.slice(0, MAX_SAMPLE_CHARS).normalize('NFC').replace(INSIDE_NAME, '').match(WORD) ?? []
  const written = sample.map((word) => ({ word: fold(word), lower: LOWER_CASE_START.test(word) }))
  const stops = written.filter(({ word }) => STOP_WORDS.has(word))
  const english = stops.filter(({ word }) => !isForeign(word)).length
  const counted = LANGUAGES.map((language) => {
    const own = written.filter(({ word }) => language.ownWords.has(word) && !STOP_WORDS.has(word))
    const isQueryLanguage = queryLanguages.includes(language)
    const against = isQueryLanguage ? stops.filter(({ word }) => !language.functionWords.has(word)).length : english
    const isShown = isQueryLanguage ? own.length > 0 : own.length >= MIN_GRAMMAR_WORDS && own.some(({ lower }) => lower)
    return { language, count: isShown && own.length > against ? own.length : 0 }
  })
  const most = Math.max(...counted.map(({ count }) => count))
  return most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ language }) => language)
}

const LETTER = /\p{L}/gu
const LATIN_LETTER = /\p{Script=Latin}/gu
const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** True if a model trained on English cannot score a note: it is in another language, or most letters are not Latin. */
export function isForeignNote(text: string, queryLanguages: readonly Language[] = []): boolean {
  const beginning = text.slice(0, MAX_SAMPLE_CHARS)
  return (
    2 * countMatches(beginning, LATIN_LETTER) < countMatches(beginning, LETTER) || languagesOfNote(beginning, queryLanguages).length > 0
  )
}
