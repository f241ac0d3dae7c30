import {
  AFTER_NOUN,
  ASSIGNMENT_SIGNS,
  BEFORE_BARE_NOUN,
  BEFORE_COMPOUND,
  CHANGES,
  COPULAS,
  DETERMINERS,
  FILLERS_BEFORE_VALUE,
  FRENCH,
  NO_KEY_PARTS,
  PREPOSITIONS,
  PRONOUNS,
  ROMANCE_COPULAS,
  SECRET_NOUNS,
  USER_NOUNS,
  VERBS,
  WORDS_AS,
} from './sentence-words.js'
import { isPlainlyPassword, likenessOf } from './stated-value.js'
import type { SecretSpan } from './token-forms.js'
import {
  type Expectation,
  endsClause,
  isCodeLine,
  isOpen,
  passwordAfter,
  passwordBefore,
  ROMANCE_NOUNS,
  type Sort,
  spanOf,
} from './value-places.js'
import { nextWord, type Word, wordsBefore } from './words.js'

/** Distance from a noun within which its value is searched. */
const MAX_CHARS_AFTER = 160
/** Read beyond the distance, for a value that starts within it. */
const MAX_PASSWORD_CHARS = 128
const CLOSING_SIGNS = '"\'`)”“’»›*_]'

/** Passwords and keys that a sentence states: `the root password is X`, `Passwort: X`, `user ann and password X`. */
export function statedSecretsIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  let masked = 0
  let since = 0
  let noun = nextNoun(text, 0)
  while (noun !== undefined) {
    const next = nextNoun(text, noun.to)
    // Each word is read for one noun, so the time is linear in the length of the text.
    const before = wordsBefore(text, Math.max(since, masked), noun.from)
    const span =
      noun.from < masked ? undefined : (afterNoun(text, noun, before, next?.from ?? text.length) ?? beforeNoun(text, noun, before))
    for (let found = span; found !== undefined; found = passwordAfter(text, found)) {
      spans.push(found)
      masked = found.to
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

const beforeNoun = (text: string, noun: Noun, words: readonly Word[]): SecretSpan | undefined =>
  noun.sort === 'password' ? passwordBefore(text, noun, words) : undefined

function afterNoun(text: string, { sort, from, to, noun }: Noun, before: readonly Word[], end: number): SecretSpan | undefined {
  const limit = Math.min(end, to + MAX_CHARS_AFTER)
  const [last] = before
  if (sort !== 'key' && before.slice(0, 3).some(({ lower }) => BEFORE_COMPOUND.has(lower))) return undefined
  const isAs = last !== undefined && WORDS_AS.has(last.lower)
  let changed = isAs || before.some(({ lower }) => CHANGES.test(lower))
  const leader = last !== undefined && DETERMINERS.has(last.lower) && !last.pauses ? before[1] : last
  const isPair = before.some(({ lower }, index) => index > 0 && USER_NOUNS.has(lower))
  const led = isAs || isPair || (leader !== undefined && (leader.pauses || BEFORE_BARE_NOUN.has(leader.lower)))
  const leads =
    last === undefined ||
    (!last.pauses && (DETERMINERS.has(last.lower) || (before.length > 1 && /^\p{Lu}/u.test(last.text) && last.end < from)))
  const isVerb = VERBS.has(noun) && text.slice(from, to) !== noun.toUpperCase()
  let expected: Expectation = isVerb && !led ? 'nothing' : 'bare'
  let compound = false
  let apart = false
  let paused = false
  let first = true
  let second = false
  let at = to
  if (POSSESSIVE.test(text.slice(to, to + 3))) {
    expected = 'copula'
    at += 2
  }
  // Quotation marks and brackets may close behind the noun, as in a list of `**Password:** X`.
  while (at < to + 3 && CLOSING_SIGNS.includes(text[at] ?? '\n')) at++
  const question = /^[\s\u00a0\u202f]?\?(?=\s)/u.exec(text.slice(at, at + 3))
  if (question !== null) {
    expected = 'distant'
    at += question[0].length
  } else if (text[at] === ':' || text[at] === '=') {
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
    if (word.text !== '' && !(ASSIGNMENT_SIGNS.has(lower) || isConnector(lower))) {
      const value = spanOf(text, word, { sort, expected, changed, led, leads, glued: isGlued && first, compound, noun, second })
      if (value !== undefined) return TICKET.test(word.text) && before.some(({ lower }) => TICKETS.has(lower)) ? undefined : value
    }
    const closes = (isAs || paused) && changed && !compound && likenessOf(word.text) === 'strong' && endsClause(text, word)
    if (sort === 'password' && expected === 'nothing' && (closes || isPlainlyPassword(word.text)) && !isCodeLine(text, word))
      return { from: word.from, to: word.to, kind: 'password' }
    const bare: boolean = expected === 'bare'
    if (ASSIGNMENT_SIGNS.has(lower)) expected = lower === ':' ? 'colon' : 'sign'
    else if (COPULAS.has(lower) && (!compound || ROMANCE_COPULAS.has(lower)) && !(lower === 'son' && FRENCH.test(noun))) {
      expected = 'copula'
      compound = false
    } else if (PREPOSITIONS.has(lower) && !(open && FILLERS_BEFORE_VALUE.has(lower))) expected = 'preposition'
    else if (expected === 'preposition' && (PRONOUNS.has(lower) || FILLERS_BEFORE_VALUE.has(lower))) expected = 'preposition'
    else if (expected === 'nothing' && sort === 'password' && apart && FILLERS_BEFORE_VALUE.has(lower)) {
      expected = 'distant'
      compound = false
    } else if (expected === 'distant' && FILLERS_BEFORE_VALUE.has(lower)) expected = 'distant'
    else if (expected === 'copula' && sort === 'password' && isAdverb(word) && !FILLERS_BEFORE_VALUE.has(lower)) expected = 'distant'
    else if (!(open || (isAs && bare)) || !(FILLERS_BEFORE_VALUE.has(lower) || sort === 'login')) expected = 'nothing'
    if (bare && expected === 'nothing' && !AFTER_NOUN.has(lower) && !lower.endsWith('ed') && text[to] !== ',' && text[to] !== ';') {
      compound = true
      // The name of a service may follow: `mot de passe Netflix X`.
      if (ROMANCE_NOUNS.test(noun) && /^\p{Lu}/u.test(word.text)) {
        expected = 'distant'
        compound = false
      }
    }
    if (CHANGES.test(lower)) changed = true
    if (word.pauses) apart = true
    paused = word.pauses
    // After a comma the colon belongs to another name.
    if (NO_KEY_PARTS.test(lower)) apart = true
    if ((word.announces || lower === ':') && !apart) {
      expected = 'colon'
      if (sort === 'key') compound = false
    }
    if (sort === 'password' && (!compound || ROMANCE_NOUNS.test(noun)) && /\?$/u.test(text.slice(word.from, word.end))) {
      expected = 'distant'
      compound = false
    } else if (!word.announces && word.endsSentence && !changed) return undefined
    first = false
    second = lower === '/' || lower === '|' || (sort === 'login' && word.pauses && !word.quoted)
  }
}

const TICKET = /^\p{Lu}{2,10}-\d+$/u
const TICKETS = new Set(['ticket', 'issue', 'incident', 'task', 'case', 'vorgang', 'bug', 'story'])

/** `the password's X`. */
const POSSESSIVE = /^['’]s\s/u

/** True for a word that can be an adverb between a copula and a value: `is meanwhile X`. */
const isAdverb = ({ lower, text, pauses, announces, endsSentence }: Word): boolean =>
  /^\p{Ll}{2,}$/u.test(text) &&
  !pauses &&
  !announces &&
  !endsSentence &&
  !AFTER_NOUN.has(lower) &&
  !PRONOUNS.has(lower) &&
  !PREPOSITIONS.has(lower)

/** True for `primary_key` in code, false for the name of a setting such as `TRANSLATE_KEY` and for `client_secret`. */
const isIdentifier = (noun: string): boolean => noun.includes('_') && noun !== noun.toUpperCase() && !SECRET_NAME.test(noun)

const SECRET_NAME = /^(?:api|access|auth|client|secret|private|signing|webhook|refresh|bearer)_(?:key|token|secret)$/iu

const isConnector = (lower: string): boolean => COPULAS.has(lower) || PREPOSITIONS.has(lower)
