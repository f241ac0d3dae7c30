import { groupedNumbers } from './grouped-numbers.js'
import { stem } from './stem.js'

/** Function words of queries and statements. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between both but by can could did do does doing ' +
    'down during each few for from further get had has have having he her here hers him his how i if in into is it its itself just ' +
    'll me more most my no nor not now of off on once only or other our out over own re s same she should so some such t than that the ' +
    'their them then there these they this those through to too under until up ve very was we were what when where which while who ' +
    'whom why will with would you your yours'
  ).split(' '),
)

/** Scripts without spaces between words. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((name) => `\\p{Script=${name}}`)
  .join('')
const UNSPACED_LETTER = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')
const UNSPACED_RUN = new RegExp(`[${UNSPACED_SCRIPTS}ー][${UNSPACED_SCRIPTS}ー\\p{M}]*`, 'gu')
const CHARACTER = /\P{M}\p{M}*/gu
/** Variation selectors, which select another glyph of the same character. */
const VARIATION = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu

const NON_ASCII = /[\u0080-\uffff]/
const ASCII_WORD = /[A-Za-z0-9_]+/g
/** A word with its marks, a flag, or an emoji without modifiers; signs that decorate the preceding word are excluded. */
const WORD = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*|\p{Regional_Indicator}{2}|(?![©®™‼⁉])\p{Extended_Pictographic}/gu
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** Longer runs are hashes, keys or encoded data: kept whole, but not split or stemmed. */
const MAX_WORD = 64

/** Dates, times, addresses and versions, which differ in the order of their numbers. */
const LINKED_NUMBERS = /(?<!\d)\d+(?:[.:/-]\d+)+/g
const LINK = /[.:/-]/g
const HAS_LINKED_NUMBERS = /\d[.:/-]\d/

/**
 * Marks that Latin, Greek, Cyrillic, Arabic and Hebrew are also written without. Marks of Kana are excluded, and those of other scripts,
 * where they are vowels or distinguish letters.
 */
const OPTIONAL_MARKS =
  /(?=[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])(?![\u302a-\u302d\u3099\u309a])\p{M}/gu

/** Letters that no decomposition maps to their usual transcription. */
const TRANSCRIPTIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
}
const SPELT_LETTER = /[ßæœøłđðþħŧı]/g

/** Compatibility forms unified, optional marks removed, lower case, ligatures and strokes transcribed. */
export function fold(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127)
      return text
        .normalize('NFKD')
        .replace(OPTIONAL_MARKS, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(SPELT_LETTER, (letter) => TRANSCRIPTIONS[letter] ?? letter)
  }
  return text.toLowerCase()
}

/** The parts of an identifier (`parseHTTPHeader`, `user_id`); empty for other words. */
export function identifierParts(word: string): readonly string[] {
  if (word.length > MAX_WORD || (!word.includes('_') && !/[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(word))) return []
  const parts = word
    .split('_')
    .flatMap((piece) => piece.split(CAMEL))
    .filter((piece) => piece.length > 0)
  return parts.length > 1 ? parts : []
}

/** Receives each word of a text; `whole` is true for an identifier whose parts follow. */
type Take = (word: string, whole: boolean) => void

function takePairs(run: string, take: Take): void {
  const characters = run.replace(VARIATION, '').match(CHARACTER) ?? []
  if (characters.length === 1) take(characters[0] ?? '', false)
  for (let i = 0; i + 1 < characters.length; i++) take(`${characters[i]}${characters[i + 1]}`, false)
}

function takeUnspaced(word: string, take: Take): void {
  let rest = 0
  for (const match of word.matchAll(UNSPACED_RUN)) {
    if (match.index > rest) takeWord(word.slice(rest, match.index), take)
    takePairs(match[0], take)
    rest = match.index + match[0].length
  }
  if (rest < word.length) takeWord(word.slice(rest), take)
}

function takeWord(word: string, take: Take): void {
  const folded = fold(word)
  // Most words have no capitals, and comparing is cheaper than splitting.
  const parts = folded === word && !word.includes('_') ? [] : identifierParts(word)
  take(folded, parts.length > 0)
  for (const part of parts) take(fold(part), false)
}

function eachWord(text: string, take: Take): void {
  if (NON_ASCII.test(text)) {
    const unspaced = UNSPACED_LETTER.test(text)
    // A letter and its mark may be one character or two; composed, they are the same word.
    for (const word of text.normalize('NFC').match(WORD) ?? []) {
      if (unspaced && UNSPACED_LETTER.test(word)) takeUnspaced(word, take)
      else takeWord(word, take)
    }
  } else for (const word of text.match(ASCII_WORD) ?? []) takeWord(word, take)
}

/** Several numbers joined: dates and versions, and numbers written in groups of digits. */
function eachJoined(text: string, take: Take): void {
  if (HAS_LINKED_NUMBERS.test(text))
    for (const numbers of text.match(LINKED_NUMBERS) ?? []) if (numbers.length <= MAX_WORD) take(numbers.replace(LINK, '.'), false)
  for (const number of groupedNumbers(text)) take(number, false)
}

/**
 * Every word of a text in order: folded, identifiers followed by their parts, text without spaces as character pairs. Joined numbers are
 * appended at the end.
 */
export function words(text: string): string[] {
  const out = plainWords(text)
  eachJoined(text, (word) => out.push(word))
  return out
}

/** The same without the appended numbers, so that the words of a part of a text are consecutive in the whole. */
export function plainWords(text: string): string[] {
  const out: string[] = []
  eachWord(text, (word) => out.push(word))
  return out
}

const stems = new Map<string, string>()
/** Bounded, because a hostile text can contain any number of distinct words. */
const STEM_CACHE = 50_000

/** The indexed stem of a word. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const made = word.length > MAX_WORD ? word : stem(word)
  if (stems.size >= STEM_CACHE) stems.clear()
  stems.set(word, made)
  return made
}

/**
 * Indexed terms: stems without stop words, with repetitions. An identifier is also kept unstemmed, because one letter makes it another
 * name; its stem matches spellings without capitals.
 */
export function terms(text: string): string[] {
  const out: string[] = []
  const take: Take = (word, whole) => {
    if (STOP_WORDS.has(word)) return
    const stemmed = stemOf(word)
    if (whole && stemmed !== word) out.push(word)
    out.push(stemmed)
  }
  eachWord(text, take)
  eachJoined(text, take)
  return out
}

/** Only the beginning of a longer query is used. */
const MAX_QUERY_TERMS = 512
const MAX_QUERY_CHARS = 8_000

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** False for signs and emoji alone: their vector carries no meaning. */
export const hasWordCharacters = (question: string): boolean => LETTER_OR_DIGIT.test(question)

/** The part of a query that is analysed. */
export const clipQuery = (text: string): string => text.slice(0, MAX_QUERY_CHARS)

/** The distinct terms of a query. A query of stop words alone keeps them: no text is indexed by them, so it is answered by vectors only. */
export function queryTerms(input: string): readonly string[] {
  const text = clipQuery(input)
  const found = new Set(terms(text))
  return [...(found.size > 0 ? found : new Set(words(text)))].slice(0, MAX_QUERY_TERMS)
}

/** 32-bit FNV-1a over UTF-16 units: identifies a term in the posting lists. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) {
    hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}
