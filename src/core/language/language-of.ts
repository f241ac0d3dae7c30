import { fold, STOP_WORDS, words } from '../text/text.js'
import { AMBIGUOUS_WORDS, FUNCTION_WORDS, QUESTION_WORDS } from './function-words.js'

export type LanguageName = 'german' | 'french' | 'spanish' | 'italian' | 'portuguese' | 'dutch'

export interface Language {
  readonly name: LanguageName
  /** Common function words that English does not have, folded; they identify the language. */
  readonly ownWords: ReadonlySet<string>
  /** All common function words, including those of other languages. */
  readonly functionWords: ReadonlySet<string>
  /** Question words and their English equivalents. */
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
  ownWords: new Set(listed(FUNCTION_WORDS[name])),
  functionWords: new Set(listed(`${FUNCTION_WORDS[name]} ${AMBIGUOUS_WORDS[name]}`)),
  questionWords: new Map(pairs(QUESTION_WORDS[name])),
}))

const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u

const LETTER = /\p{L}/gu
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/gu
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** True if most letters are of another script than Latin. */
export const isOtherScript = (text: string): boolean => 2 * countOf(text, OTHER_LETTER) > countOf(text, LETTER)

/** Counts the function words of a language that are no English stop words. */
const countOwnWords = (query: readonly string[], { ownWords }: Language): number =>
  query.filter((word) => ownWords.has(word) && !STOP_WORDS.has(word)).length

/** True for a function word of one of these languages. */
export const isForeign = (word: string): boolean => LANGUAGES.some(({ ownWords }) => ownWords.has(word))

/** True if a model trained on English can read the query. A few words without grammar count as English. */
export function readsAsEnglish(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return false
  const query = words(text)
  const foreign = query.filter((word) => isForeign(word) && !STOP_WORDS.has(word)).length
  return foreign === 0 || foreign < query.filter((word) => STOP_WORDS.has(word) && !isForeign(word)).length
}

/** One function word may be part of a name; two are grammar, and so is one among at most `MAX_SHORT_QUERY_WORDS` words. */
const MIN_GRAMMAR_WORDS = 2
const MAX_SHORT_QUERY_WORDS = 4

/** The languages with the most function words in a query; several if they tie, none for English. */
export function languagesOf(text: string): readonly Language[] {
  if (OTHER_SCRIPT.test(text)) return []
  const query = words(text)
  const most = Math.max(...LANGUAGES.map((language) => countOwnWords(query, language)))
  const english = query.filter((word) => STOP_WORDS.has(word) && !isForeign(word)).length
  if (most <= english || (most < MIN_GRAMMAR_WORDS && query.length > MAX_SHORT_QUERY_WORDS)) return []
  return LANGUAGES.filter((language) => countOwnWords(query, language) === most)
}

/** The possible languages of a query. One function word suffices if a glossary contains its other words (`glossed`). */
export const detectQueryLanguages = (text: string, glossed: boolean): readonly Language[] =>
  glossed ? languagesOf(text) : detectLanguagesStrict(text)

/** Requires two function words, because a single one may be a name, as in "Mia birthday". */
export function detectLanguagesStrict(text: string): readonly Language[] {
  const query = words(text)
  return languagesOf(text).filter((language) => countOwnWords(query, language) >= MIN_GRAMMAR_WORDS)
}
