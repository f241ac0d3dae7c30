import { fold, STOP_WORDS, words } from '../text/text.js'
import { AMBIGUOUS_WORDS, FUNCTION_WORDS, QUESTION_WORDS } from './function-words.js'

export type LanguageName = 'german' | 'french' | 'spanish' | 'italian' | 'portuguese' | 'dutch'

export interface Language {
  readonly name: LanguageName
  /** Its commonest small words, folded; a question is known by them. */
  readonly smallWords: ReadonlySet<string>
  /** The same with those that other languages have, too. */
  readonly untelling: ReadonlySet<string>
  /** What it asks with, and the same in English. */
  readonly questionWords: ReadonlyMap<string, string>
}

const NAMES: readonly LanguageName[] = ['german', 'french', 'spanish', 'italian', 'portuguese', 'dutch']

const listed = (list: string): readonly string[] => list.trim().split(/\s+/).map(fold)

const pairs = (list: string): readonly (readonly [string, string])[] =>
  list.split('; ').map((pair) => {
    const [word = '', ...meaning] = pair.split(' ')
    return [fold(word), meaning.join(' ')]
  })

export const LANGUAGES: readonly Language[] = NAMES.map((name) => ({
  name,
  smallWords: new Set(listed(FUNCTION_WORDS[name])),
  untelling: new Set(listed(`${FUNCTION_WORDS[name]} ${AMBIGUOUS_WORDS[name]}`)),
  questionWords: new Map(pairs(QUESTION_WORDS[name])),
}))

const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u

/** How many words are small words of a language and not of English. */
const smallOf = (said: readonly string[], { smallWords }: Language): number =>
  said.filter((word) => smallWords.has(word) && !STOP_WORDS.has(word)).length

/** A small word of one of these languages. */
export const isForeign = (word: string): boolean => LANGUAGES.some(({ smallWords }) => smallWords.has(word))

/** Whether a question may be read by a model that knows only English: a few words without any grammar may. */
export function readsAsEnglish(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return false
  const said = words(text)
  const foreign = said.filter((word) => isForeign(word) && !STOP_WORDS.has(word)).length
  return foreign === 0 || foreign < said.filter((word) => STOP_WORDS.has(word) && !isForeign(word)).length
}

/** One small word may stand in a name; two are grammar, and so is one among few words. */
const GRAMMAR = 2
const MIN_SAMPLE = 4

/** The languages that a question may be in, by its small words; several where they have them in common. None for English. */
export function languagesOf(text: string): readonly Language[] {
  if (OTHER_SCRIPT.test(text)) return []
  const said = words(text)
  const most = Math.max(...LANGUAGES.map((language) => smallOf(said, language)))
  const english = said.filter((word) => STOP_WORDS.has(word) && !isForeign(word)).length
  if (most <= english || (most < GRAMMAR && said.length > MIN_SAMPLE)) return []
  return LANGUAGES.filter((language) => smallOf(said, language) === most)
}

/** What a question is taken to be in. Where a glossary knows its words, one small word is enough to show it. */
export const detectQueryLanguages = (text: string, glossed: boolean): readonly Language[] =>
  glossed ? languagesOf(text) : detectLanguagesStrict(text)

/** The same where more than one small word shows it: a single one may be a name, as in "Mia birthday". */
export function detectLanguagesStrict(text: string): readonly Language[] {
  const said = words(text)
  return languagesOf(text).filter((language) => smallOf(said, language) >= GRAMMAR)
}
