import { groupedNumbers } from '../../text/grouped-numbers.js'
import { fold, STOP_WORDS, stemOf, terms } from '../../text/text.js'

export interface Token {
  /** The token as an index term. */
  readonly term: string
  readonly raw: string
  /** Position in the text, with a possessive ending. */
  readonly start: number
  readonly end: number
  /** True if only a space separates it from the previous token. */
  readonly adjacent: boolean
  /** First token of its sentence, where capitals are no evidence of a name. */
  readonly first: boolean
  readonly place: number
}

/** Two words side by side. */
export interface Pair {
  readonly left: Token
  readonly right: Token
}

/** A short text, word by word. */
export interface NoteWords {
  readonly tokens: readonly Token[]
  readonly pairs: readonly Pair[]
  /** Index terms, with identifiers in parts, and each word as written. */
  readonly terms: ReadonlySet<string>
  /** Each as it is written, and numbers without what groups their digits: 1 is no part of 1,240. */
  readonly written: ReadonlySet<string>
}

const TOKEN = /[\p{L}\p{N}]+(?:[.:/_-][\p{L}\p{N}]+|,\p{Nd}+)*(?:['’]s(?![\p{L}\p{N}]))?/gu
const POSSESSIVE = /['’]s$/u
/** Notes are short; the beginning of a long query contains what it asks for. */
const MAX_CHARACTERS = 2_000
/** A full stop after them ends no sentence, and they are no names. */
const TITLES: ReadonlySet<string> = new Set('mr mrs ms miss dr prof st no nr vs'.split(' '))

export function readWords(text: string): NoteWords {
  const read = text.slice(0, MAX_CHARACTERS)
  let [end, last] = [0, '']
  const tokens = [...read.matchAll(TOKEN)].map((match, place): Token => {
    const gap = read.slice(end, match.index)
    const first = place === 0 || /[!?\n]/u.test(gap) || (gap.includes('.') && !TITLES.has(last.toLowerCase()))
    const start = match.index
    end = start + match[0].length
    last = match[0]
    const raw = match[0].replace(POSSESSIVE, '')
    return { term: stemOf(fold(raw)), raw, start, end, adjacent: gap === ' ', first, place }
  })
  const pairs = tokens.flatMap((right, i) => {
    const left = tokens[i - 1]
    return left !== undefined && right.adjacent ? [{ left, right }] : []
  })
  const written = new Set([...tokens.map(({ term }) => term), ...groupedNumbers(read)])
  return { tokens, pairs, terms: new Set([...terms(read), ...written]), written }
}

const DIGIT = /\p{Nd}/u
const CAPITAL = /^\p{Lu}$/u
/** Capital and small letters: a name, not an abbreviation. */
const NAME = /^\p{Lu}\p{Ll}/u
const COUNTS: ReadonlySet<string> = new Set('one two three four five six seven eight nine ten'.split(' '))
const TIME_WORDS: ReadonlySet<string> = new Set(
  (
    'january february march april may june july august september october november december ' +
    'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays'
  ).split(' '),
)

export const hasDigit = (text: string): boolean => DIGIT.test(text)
/** "Server A"; neither an article nor "I". */
export const isLetter = ({ raw, adjacent, first }: Token): boolean => CAPITAL.test(raw) && raw !== 'I' && adjacent && !first
export const isStop = ({ raw }: Token): boolean => STOP_WORDS.has(fold(raw)) || COUNTS.has(fold(raw))
/** A month or a day of the week: many notes name one, whatever they are about. */
export const isTime = ({ raw }: Token): boolean => NAME.test(raw) && TIME_WORDS.has(raw.toLowerCase())
/** Capitalised like a name, at any position. */
export const isCapitalised = (one: Token): boolean => NAME.test(one.raw) && !isTime(one) && !TITLES.has(one.raw.toLowerCase())
export const isName = (one: Token): boolean => isCapitalised(one) && !one.first
