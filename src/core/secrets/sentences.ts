import {
  AFTER_NOUN,
  AS,
  BEFORE_BARE_NOUN,
  BEFORE_COMPOUND,
  CHANGES,
  COPULAS,
  FILLERS_BEFORE_VALUE,
  FOR,
  FRENCH,
  NO_KEY_PARTS,
  PREPOSITIONS,
  PRONOUNS,
  ROMANCE_COPULAS,
  SECRET_NOUNS,
  SIGNS,
  USES,
  VERBS,
} from './sentence-words.js'
import { isPlainlyPassword, isQuotedWord, isStatedKey, likenessOf } from './stated-value.js'
import type { Span } from './token-forms.js'

/** Distance from a noun within which its value is searched. */
const MAX_CHARS_AFTER = 160
const MAX_CHARS_BEFORE = 100
const MAX_WORDS_BEFORE = 7
/** Read beyond the distance, for a value that starts within it. */
const MAX_PASSWORD_CHARS = 128
/** Keys are longer than passwords. */
const MAX_WORD_CHARS = 4096
const OPENING = '"\'`(“„‚«‹‘*_['
const CLOSING = '"\'`)”“’»›*_]'
const TRAILING = '.,;:'
/** Characters of code, which unquoted passwords do not contain. */
const CODE = /[(){}[\]<>;"'`\\]/u

type Sort = 'password' | 'login' | 'key'

/** A word without the quotation marks and the punctuation around it. */
interface Word {
  readonly from: number
  readonly to: number
  /** Position after the word and its punctuation. */
  readonly end: number
  readonly text: string
  readonly lower: string
  readonly quoted: boolean
  /** Ends with a colon or an equals sign. */
  readonly announces: boolean
  readonly endsSentence: boolean
  /** Ends with a comma. */
  readonly pauses: boolean
  /** Line breaks between the word before and this one. */
  readonly lines: number
}

/** Passwords and keys that a sentence states: `the root password is X`, `Passwort: X`, `user ann and password X`. */
export function statedSecretsIn(text: string): readonly Span[] {
  const spans: Span[] = []
  let masked = 0
  let since = 0
  let noun = nextNoun(text, 0)
  while (noun !== undefined) {
    const next = nextNoun(text, noun.to)
    // Each word is read for one noun, so the time is linear in the length of the text.
    const before = wordsBefore(text, Math.max(since, masked), noun.from)
    const span =
      noun.from < masked ? undefined : (afterNoun(text, noun, before, next?.from ?? text.length) ?? beforeNoun(text, noun, before))
    if (span !== undefined) {
      spans.push(span)
      masked = span.to
    }
    since = noun.to
    noun = next
  }
  return spans
}

function nextNoun(text: string, from: number): Noun | undefined {
  SECRET_NOUNS.lastIndex = from
  let match = SECRET_NOUNS.exec(text)
  // A mask contains the name of its kind.
  while (match !== null && (text.startsWith('[masked ', match.index - 8) || isIdentifier(match[0]))) match = SECRET_NOUNS.exec(text)
  if (match === null) return undefined
  const { groups = {}, index } = match
  const sort: Sort = groups.key !== undefined ? 'key' : groups.password !== undefined ? 'password' : 'login'
  return { sort, from: index, to: index + match[0].length, noun: match[0].toLowerCase() }
}

interface Noun {
  readonly sort: Sort
  readonly from: number
  readonly to: number
  readonly noun: string
}

/** Context of the next word, from the words since the noun. */
type Expectation = 'nothing' | 'bare' | 'colon' | 'sign' | 'copula' | 'preposition'

function afterNoun(text: string, { sort, from, to, noun }: Noun, before: readonly Word[], end: number): Span | undefined {
  const limit = Math.min(end, to + MAX_CHARS_AFTER)
  const [last] = before
  if (sort !== 'key' && before.slice(0, 3).some(({ lower }) => BEFORE_COMPOUND.has(lower))) return undefined
  let changed = (last !== undefined && AS.has(last.lower)) || before.some(({ lower }) => CHANGES.test(lower))
  const led = last !== undefined && (last.pauses || BEFORE_BARE_NOUN.has(last.lower))
  let expected: Expectation = VERBS.has(noun) && !led ? 'nothing' : 'bare'
  let compound = false
  let apart = false
  let first = true
  let at = to
  // Quotation marks and brackets may close behind the noun, as in a list of `**Password:** X`.
  while (at < to + 3 && CLOSING.includes(text[at] ?? '\n')) at++
  if (text[at] === ':' || text[at] === '=') {
    expected = text[at] === ':' ? 'colon' : 'sign'
    at++
    while (at < to + 6 && ':=>*_'.includes(text[at] ?? '\n')) at++
  }
  const isGlued = text.charCodeAt(at) > 32
  // Without a space it is an assignment or an address, which have rules of their own.
  if (isGlued && (expected !== 'colon' || '/?&;:@'.includes(text[from - 1] ?? ' ')) && !',;'.includes(text[at] ?? '')) return undefined
  for (;;) {
    const word = nextWord(text, at, limit, sort === 'key' ? end : limit + MAX_PASSWORD_CHARS)
    if (word === undefined) return undefined
    const open: boolean = isOpen(expected)
    if (word.lines > (open ? 2 : 0)) return undefined
    const { lower } = word
    at = word.end
    if (word.text !== '' && !(SIGNS.has(lower) || isConnector(lower))) {
      const value = spanOf(text, word, { sort, expected, changed, led, glued: isGlued && first, compound, noun })
      if (value !== undefined) return value
    }
    if (sort === 'password' && expected === 'nothing' && isPlainlyPassword(word.text) && !isCodeLine(text, word))
      return { from: word.from, to: word.to, kind: 'password' }
    const bare: boolean = expected === 'bare'
    if (SIGNS.has(lower)) expected = lower === ':' ? 'colon' : 'sign'
    else if (COPULAS.has(lower) && (!compound || ROMANCE_COPULAS.has(lower)) && !(lower === 'son' && FRENCH.test(noun))) {
      expected = 'copula'
      compound = false
    } else if (PREPOSITIONS.has(lower) && !(open && FILLERS_BEFORE_VALUE.has(lower))) expected = 'preposition'
    else if (expected === 'preposition' && PRONOUNS.has(lower)) expected = 'preposition'
    else if (!open || !(FILLERS_BEFORE_VALUE.has(lower) || sort === 'login')) expected = 'nothing'
    if (bare && expected === 'nothing' && !AFTER_NOUN.has(lower)) compound = true
    if (CHANGES.test(lower)) changed = true
    if (word.pauses) apart = true
    // After a comma the colon belongs to another name.
    if (NO_KEY_PARTS.test(lower)) apart = true
    if ((word.announces || lower === ':') && !apart) {
      expected = 'colon'
      if (sort === 'key') compound = false
    }
    if (!word.announces && word.endsSentence && !changed) return undefined
    first = false
  }
}

/** True for `primary_key` in code, false for the name of a setting such as `TRANSLATE_KEY`. */
const isIdentifier = (noun: string): boolean => noun.includes('_') && noun !== noun.toUpperCase()

const isOpen = (expected: Expectation): boolean => expected === 'colon' || expected === 'sign' || expected === 'copula'
const isConnector = (lower: string): boolean => COPULAS.has(lower) || PREPOSITIONS.has(lower)

interface Place {
  readonly sort: Sort
  readonly expected: Expectation
  /** True if the sentence describes a change. */
  readonly changed: boolean
  /** True if `and`, `with` or a comma precedes the noun. */
  readonly led: boolean
  /** True if noun, sign and value are not separated by spaces. */
  readonly glued: boolean
  readonly compound: boolean
  readonly noun: string
}

/** The span of a value with trailing exclamation and question marks; full stops and commas belong to the sentence. */
function spanOf(text: string, word: Word, place: Place): Span | undefined {
  const { from, to, text: value } = word
  if (place.sort === 'key') {
    if (place.expected === 'nothing' || place.compound) return undefined
    if (isStatedKey(value)) return { from, to, kind: kindOf(place.noun) }
    return isOpen(place.expected) && !CODE.test(value) && likenessOf(value) === 'strong' && !place.glued
      ? { from, to, kind: kindOf(place.noun) }
      : undefined
  }
  if (place.sort === 'login') return isOpen(place.expected) ? loginOf(word) : undefined
  return isPassword(text, word, place) ? { from, to, kind: 'password' } : undefined
}

function isPassword(text: string, word: Word, { expected, changed, led, glued, compound, noun }: Place): boolean {
  const { text: value, quoted } = word
  if (expected === 'nothing' || (CODE.test(value) && expected !== 'copula')) return false
  const likeness = likenessOf(value)
  if (likeness === 'strong') return !(compound && expected === 'bare') && !(glued && /[=:&]/u.test(value))
  const isNumber = /^\d+$/u.test(value)
  if (isNumber && !compound) {
    if (/^(?:pin|puk|geheimzahl|code)/u.test(noun) || noun.endsWith('code') || noun.startsWith('cod'))
      return value.length >= 4 && value.length <= 12 && expected !== 'preposition'
    return expected === 'copula' && value.length >= 6
  }
  if (quoted && expected === 'copula' && !compound && isQuotedWord(value)) return true
  if (likeness === 'none') return false
  if (expected === 'copula') return true
  if (expected === 'colon') return !glued && !isCodeLine(text, word)
  if (expected === 'sign') return false
  if (expected === 'bare' && !compound && !glued && isNamedEnd(text, word)) return true
  if (expected === 'preposition')
    return changed || CHANGES.test(nextWord(text, word.end, word.end + MAX_CHARS_BEFORE, word.end + MAX_CHARS_BEFORE)?.lower ?? '')
  return led
}

/** True for a capitalised word with an underscore and digits at the end of a line: `Netflix Passwort Mohnblume_12`. */
const isNamedEnd = (text: string, { end, text: value }: Word): boolean =>
  (end >= text.length || text[end] === '\n') && /^\p{Lu}\p{Ll}{2,}_\d{2,}$/u.test(value)

/** True if the line around a word is code. */
function isCodeLine(text: string, { from, to }: Word): boolean {
  const line = text.slice(lineStart(text, from), from)
  const behind = text.slice(to, to + 2)
  return (
    /[(){}[\];<>]|=>/u.test(line) ||
    /^[,;)}\]]?(?:\n|$)/u.test(behind) === (behind[0] === ',' || behind[0] === ';' || behind[0] === ')' || behind[0] === '}')
  )
}

/** The second part of `ann / X`, `ann:X` and `ann, X`. */
function loginOf({ from, to, text }: Word): Span | undefined {
  const cut = Math.max(text.indexOf('/'), text.indexOf(':'))
  const begin = cut > 0 && cut < text.length - 4 && !text.includes('://') ? cut + 1 : 0
  const value = text.slice(begin)
  return !CODE.test(value) && likenessOf(value) === 'strong' ? { from: from + begin, to, kind: 'password' } : undefined
}

const kindOf = (noun: string): string => {
  if (/token|jeton/u.test(noun)) return 'token'
  if (/api|access|acc[eè]s|acceso|accesso|acesso|zugangs|zugriffs|toegangs/u.test(noun) && !/secret/u.test(noun)) return 'api key'
  return /secret|geheim|secr|segret/u.test(noun) ? 'secret' : 'key'
}

/** `X is the password`, `use X as the password`, `X (password)`. */
function beforeNoun(text: string, { sort, from: noun }: Noun, words: readonly Word[]): Span | undefined {
  if (sort !== 'password') return undefined
  for (const [index, word] of words.entries()) {
    if (word.endsSentence && !/[!?]$/u.test(word.text)) return undefined
    const previous = words[index - 1]
    const asked =
      index === 0
        ? text.slice(word.to, noun).includes('(')
        : previous !== undefined && (COPULAS.has(previous.lower) || AS.has(previous.lower))
    const following = words[index + 1]
    const used = following !== undefined && USES.has(following.lower) && previous !== undefined && FOR.has(previous.lower)
    if ((asked || used) && likenessOf(word.text) === 'strong' && !/passwor[dt]/iu.test(word.text))
      return { from: word.from, to: word.to, kind: 'password' }
  }
  return undefined
}

/** The words before a position in its line, nearest first. */
function wordsBefore(text: string, since: number, noun: number): readonly Word[] {
  const words: Word[] = []
  for (let at = Math.max(since, lineStart(text, noun)); ; ) {
    const word = nextWord(text, at, noun, noun)
    if (word === undefined) break
    words.push(word)
    at = word.end
  }
  return words.reverse().slice(0, MAX_WORDS_BEFORE)
}

/** Start of the line, at most `MAX_CHARS_BEFORE` characters before `from`. */
function lineStart(text: string, from: number): number {
  let at = from
  while (at > 0 && at > from - MAX_CHARS_BEFORE && text[at - 1] !== '\n') at--
  return at
}

const SPACED_QUOTES = /^[«»„“][\s\u00a0\u202f]/u
/** Spaces, control characters and the spaces that do not break a line. */
const isBlank = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x202f || code === 0x3000

/** The word that starts at `from`, after blanks. */
function nextWord(text: string, from: number, limit: number, longest: number): Word | undefined {
  let begin = from
  let lines = 0
  let quoted = false
  // French quotation marks are separated from the word by a space.
  while (begin < limit && (isBlank(text.charCodeAt(begin)) || SPACED_QUOTES.test(text.slice(begin, begin + 2)))) {
    if (text[begin] === '\n') lines++
    quoted = !isBlank(text.charCodeAt(begin)) || (quoted && text[begin] !== '\n')
    begin++
  }
  if (begin >= limit) return undefined
  let end = begin
  while (end < text.length && end < longest && end < begin + MAX_WORD_CHARS && !isBlank(text.charCodeAt(end))) end++
  let to = end
  while (begin < to && OPENING.includes(text[begin] ?? ' ')) {
    quoted = true
    begin++
  }
  let announces = false
  while (to > begin) {
    const one = text[to - 1] ?? ' '
    if (TRAILING.includes(one)) announces = announces || one === ':'
    else if (!CLOSING.includes(one) || !(quoted || one === ')' || one === '*')) break
    to--
  }
  const word = text.slice(begin, to)
  const tail = text.slice(to, end)
  return {
    from: begin,
    to,
    end,
    text: word,
    lower: word === '' ? tail.slice(0, 3) : word.toLowerCase(),
    quoted,
    announces: announces && word !== '',
    pauses: tail.includes(','),
    endsSentence: /[.;]/u.test(tail) || /[!?]$/u.test(word),
    lines,
  }
}
