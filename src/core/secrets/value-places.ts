import {
  AFTER_NOUN,
  AFTER_VALUE,
  ASSIGNMENT_SIGNS,
  AUXILIARIES,
  CHANGES,
  COPULAS,
  DEMONSTRATIVES,
  DETERMINERS,
  PREPOSITIONS,
  USES,
  WORDS_AS,
  WORDS_FOR,
} from './sentence-words.js'
import { isPlainlyPassword, isPossiblePassword, isQuotedWord, isStatedKey, isWeakPassword, likenessOf } from './stated-value.js'
import type { SecretSpan } from './token-forms.js'
import { lineStart, nextWord, type Word } from './words.js'

/** Characters of code, which unquoted passwords do not contain. */
const CODE = /[(){}[\]<>;"'`\\]/u
const MAX_CHARS_AFTER = 160

export type Sort = 'password' | 'login' | 'key'

/** Context of the next word, from the words since the noun. */
export type Expectation = 'nothing' | 'bare' | 'colon' | 'sign' | 'copula' | 'distant' | 'preposition'

export const isOpen = (expected: Expectation): boolean => expected === 'colon' || expected === 'sign' || expected === 'copula'

/** The place of a word relative to its noun. */
interface ValuePlace {
  readonly sort: Sort
  readonly expected: Expectation
  /** True if the sentence describes a change. */
  readonly changed: boolean
  /** True if `and`, `with` or a comma precedes the noun. */
  readonly led: boolean
  /** True if the noun begins its line, or an article, a possessive or a name precedes it. */
  readonly leads: boolean
  /** True if noun, sign and value are not separated by spaces. */
  readonly glued: boolean
  readonly compound: boolean
  readonly noun: string
  /** True for the second of two words separated by a slash. */
  readonly second: boolean
}

/** The span of a value with trailing exclamation and question marks; full stops and commas belong to the sentence. */
export function spanOf(text: string, word: Word, place: ValuePlace): SecretSpan | undefined {
  const { from, to, text: value } = word
  if (place.sort === 'key') {
    if (place.expected === 'nothing' || place.compound) return undefined
    if (isStatedKey(value)) return { from, to, kind: kindOf(place.noun) }
    return isOpen(place.expected) && !CODE.test(value) && likenessOf(value) === 'strong' && !place.glued
      ? { from, to, kind: kindOf(place.noun) }
      : undefined
  }
  if (place.sort === 'login')
    return isOpen(place.expected) || (place.expected === 'bare' && ACCOUNT_AND_VALUE.test(value))
      ? loginOf(text, word, place.second)
      : undefined
  if (isOpen(place.expected) && PIN.test(place.noun) && JOINED_GROUPS.test(value)) return { from, to, kind: 'password' }
  if (isOpen(place.expected) && PIN.test(place.noun) && DIGIT_GROUP.test(value)) {
    const groups = MORE_GROUPS.exec(text.slice(to, to + MAX_GROUPS_CHARS))
    if (groups !== null) return { from, to: to + groups[0].length, kind: 'password' }
  }
  return isPassword(text, word, place) || isBracketed(text, word, place) ? { from, to, kind: 'password' } : undefined
}

const PIN = /^(?:pin|puk|geheimzahl|code|cod)|code$/u
/** `48 15 16`. */
const DIGIT_GROUP = /^\d{2,4}$/u
const MORE_GROUPS = /^(?: \d{2,4}){1,4}(?=[.,;!?)]*(?:\s*$|\s*\n))/u
const MAX_GROUPS_CHARS = 32
const JOINED_GROUPS = /^\d{1,3}(?:-\d{1,3}){2,4}$/u

/** Nouns of languages in which an adjective or a name follows the noun. */
export const ROMANCE_NOUNS = /^(?:mots? |mdp|code secret|contrase|clave|senha|palavra|parola|frase|código)/u

function isPassword(text: string, word: Word, { expected, changed, led, leads, glued, compound, noun }: ValuePlace): boolean {
  const { text: value, quoted } = word
  if (expected === 'nothing' || (CODE.test(value) && expected !== 'copula')) return false
  const likeness = likenessOf(value)
  if (expected === 'distant') return !compound && likeness !== 'none' && /\d/u.test(value) && endsClause(text, word)
  if (likeness === 'strong') return !(compound && expected === 'bare') && !(glued && /[=:&]/u.test(value))
  const isNumber = /^\d+$/u.test(value)
  if (isNumber && !compound && PIN.test(noun)) return value.length >= 4 && value.length <= 12 && expected !== 'preposition'
  if (expected === 'copula' && !compound && !glued && isWeakPassword(value) && endsClause(text, word)) return true
  if (quoted && expected === 'copula' && !compound && noun !== 'pass' && isQuotedWord(value)) return true
  // An adjective or a name follows the noun without making it another one.
  const isRomance = ROMANCE_NOUNS.test(noun)
  const isPossible = likeness === 'weak' || (isPossiblePassword(value) && endsClause(text, word))
  if (!isPossible || glued) return isPossible && expected === 'copula'
  if (expected === 'copula') return !compound || likeness === 'weak'
  if (expected === 'colon') return !isCodeLine(text, word) && (!compound || isRomance || likeness === 'weak')
  if (expected === 'sign') return (!compound || isRomance || likeness === 'weak') && isAssignedLabel(text, word)
  // A ticket or a version in `password rotation was moved from JIRA-881`.
  if (expected === 'preposition' && compound && likeness === 'none') return false
  if (expected === 'preposition')
    return changed || CHANGES.test(nextWord(text, word.end, word.end + MAX_CHARS_AFTER, word.end + MAX_CHARS_AFTER)?.lower ?? '')
  return led || (!compound && (isNamedEnd(text, word) || (leads && isUsed(text, word)) || (likeness === 'weak' && isLabelled(text, word))))
}

/** The word in brackets after a noun: `the admin password (X)`. */
function isBracketed(text: string, { from, to, text: value }: Word, { compound, glued, noun }: ValuePlace): boolean {
  if (text[from - 1] !== '(' || text[to] !== ')' || glued || CODE.test(value) || !/[\s\u00a0]/u.test(text[from - 2] ?? '')) return false
  const likeness = likenessOf(value)
  if (likeness === 'strong') return !/^\p{Lu}{2,}[\d-]/u.test(value)
  return (
    (!compound || ROMANCE_NOUNS.test(noun)) &&
    /\d/u.test(value) &&
    /\p{Ll}|[!#$%&*+=?@]/u.test(value) &&
    (likeness === 'weak' || isPossiblePassword(value))
  )
}

/** True for a capitalised word with an underscore and digits at the end of a line: `Netflix Passwort Mohnblume_12`. */
const isNamedEnd = (text: string, { end, text: value }: Word): boolean =>
  (end >= text.length || text[end] === '\n') && /^\p{Lu}\p{Ll}{2,}_\d{2,}$/u.test(value)

/** True for the last word of a clause of at most four words, such as `redis password X`. */
function isLabelled(text: string, word: Word): boolean {
  const line = text.slice(lineStart(text, word.from), word.from)
  const isLabel = /(?:^|[.;:,–—] )(?:[\p{L}\d'’-]+ ){1,3}$/u.test(line)
  return isLabel && /\d/u.test(word.text) && /^(?:[.,;!]|[ \t\r]*(?:\n|$))/u.test(text.slice(word.to, word.to + 8))
}

/** True for a word with digits that follows its noun at the end of a clause: `remember the password X for the safe`. */
const isUsed = (text: string, word: Word): boolean => /\d/u.test(word.text) && !hasCodeBefore(text, word) && endsClause(text, word)

/** Words after which nothing belongs to a value or noun before them. */
const FOLLOWING_WORDS = [AFTER_VALUE, AFTER_NOUN, PREPOSITIONS, new Set(['de'])]

/** True if a clause ends with the word, or a preposition or an adverb follows. */
export function endsClause(text: string, { to, end }: Pick<Word, 'to' | 'end'>): boolean {
  if (/^(?:[\s\u202f]?["'”“»`*_)]{0,3}(?:[.,;!?)]|\s*$|\s*\n)|["'”“»`]|\s+[(–—-])/u.test(text.slice(to, to + 8))) return true
  const { lower = '' } = nextWord(text, end, end + MAX_CHARS_AFTER, end + MAX_CHARS_AFTER) ?? {}
  return FOLLOWING_WORDS.some((words) => words.has(lower)) || COPULAS.has(lower) || CHANGES.test(lower)
}

const DECLARATION = /(?:^|[\s(])(?:const|let|var|val|final|auto|string|str|char|self|this|export|set|def|private|public|static)\b|[.$_]$/iu

/** True after `=` in a line that is a label and a value, and no code: `Netflix password = X`. */
function isAssignedLabel(text: string, { from, to }: Word): boolean {
  const line = text.slice(lineStart(text, from), from)
  const isLast = /^["'”»`*]?[.!]?[ \t\r]*(?:\n|$)/u.test(text.slice(to, to + 8))
  if (!isLast || /[(){}[\];<>$]|=>|["'`]$|\S=+>?\s*$/u.test(line) || DECLARATION.test(line)) return false
  return /\p{L}\s+[\p{L}-]/u.test(line.trimStart()) || !text.includes('\n')
}

const hasCodeBefore = (text: string, { from }: Word): boolean =>
  /[(){}[\];<>]|=>/u.test(text.slice(lineStart(text, from), from).replace(/ \([^()]*\)/u, ''))

/** True if the line around a word is code. */
export function isCodeLine(text: string, word: Word): boolean {
  const behind = text.slice(word.to, word.to + 2)
  return (
    hasCodeBefore(text, word) ||
    /^[,;)}\]]?(?:\n|$)/u.test(behind) === (behind[0] === ',' || behind[0] === ';' || behind[0] === ')' || behind[0] === '}')
  )
}

const ACCOUNT_AND_VALUE = /^\p{L}[\w.@-]*:[^/:]+$/u

/** The second part of `ann / X`, `ann:X` and `ann, X`. */
function loginOf(text: string, word: Word, second: boolean): SecretSpan | undefined {
  const { from, to, text: value } = word
  const cut = Math.max(value.indexOf('/'), value.indexOf(':'))
  const begin = cut > 0 && cut < value.length - 4 && !value.includes('://') ? cut + 1 : 0
  const password = value.slice(begin)
  if (CODE.test(password)) return undefined
  const likeness = likenessOf(password)
  if (begin > 0 && isWeakPassword(password)) return { from: from + begin, to, kind: 'password' }
  const isSecond = second && endsClause(text, word) && (likeness === 'weak' || isPossiblePassword(password))
  return likeness === 'strong' || isSecond ? { from: from + begin, to, kind: 'password' } : undefined
}

const kindOf = (noun: string): string => {
  if (/token|jeton/u.test(noun)) return 'token'
  if (/api|access|acc[eè]s|acceso|accesso|acesso|zugangs|zugriffs|toegangs/u.test(noun) && !/secret/u.test(noun)) return 'api key'
  return /secret|geheim|secr|segret/u.test(noun) ? 'secret' : 'key'
}

const SYMBOL = /[!@#$%^*+?~]/u

/** `X is the password`, `use X as the password`, `X (password)`. `words` are the words before the noun, nearest first. */
export function passwordBefore(
  text: string,
  noun: { readonly from: number; readonly to: number },
  words: readonly Word[],
): SecretSpan | undefined {
  for (const [index, word] of words.entries()) {
    if (word.endsSentence && !/[!?]$/u.test(word.text))
      return isRepeated(text, noun, words.slice(0, index)) ? namedBefore(words.slice(index)) : undefined
    const previous = words[index - 1]
    const following = words[index + 1]
    const asked =
      index === 0
        ? text.slice(word.to, noun.from).includes('(')
        : previous !== undefined &&
          (COPULAS.has(previous.lower) ||
            WORDS_AS.has(previous.lower) ||
            (DEMONSTRATIVES.has(previous.lower) && words.slice(0, index).some(({ lower }) => COPULAS.has(lower))))
    const put = following !== undefined && isUse(following) && /^d[ei]$/u.test(previous?.lower ?? '')
    const used = following !== undefined && USES.has(following.lower) && previous !== undefined && WORDS_FOR.has(previous.lower)
    // In the same sentence, whatever is between: `try X if the old password does not work`.
    if (isPlainlyPassword(word.text) && SYMBOL.test(word.text) && !hasCodeBefore(text, word))
      return { from: word.from, to: word.to, kind: 'password' }
    if ((!asked && !used && !put) || /passwor[dt]/iu.test(word.text)) continue
    const likeness = likenessOf(word.text)
    if (
      likeness === 'strong' ||
      (index > 0 && isSubject(text, word, noun, words.slice(0, index)) && isUsedAlone(following, likeness, word))
    )
      return { from: word.from, to: word.to, kind: 'password' }
  }
  return undefined
}

/** True if a clause consists of `that's its` and a noun. */
const isRepeated = (text: string, { to }: { readonly to: number }, words: readonly Word[]): boolean =>
  words.length > 0 &&
  words.length < 4 &&
  words.every(({ lower }) => DEMONSTRATIVES.has(lower) || DETERMINERS.has(lower) || COPULAS.has(lower)) &&
  isWholeNoun(text, to)

/** The quoted or certain password of the sentence before. */
function namedBefore(words: readonly Word[]): SecretSpan | undefined {
  const start = words.findIndex(({ endsSentence }, index) => index > 0 && endsSentence)
  const sentence = start < 0 ? words : words.slice(0, start)
  const found = sentence.find(({ text, quoted }) => (quoted && likenessOf(text) !== 'none') || isPlainlyPassword(text))
  return found === undefined || CODE.test(found.text) ? undefined : { from: found.from, to: found.to, kind: 'password' }
}

/** True if only `is the`, `as our shared` or the like is between the word and a noun that is no part of a compound. */
function isSubject(text: string, word: Word, { to }: { readonly to: number }, between: readonly Word[]): boolean {
  if (CODE.test(word.text) || between.length > 4) return false
  const isDirect = between
    .slice(0, -1)
    .every(
      ({ lower }, index) =>
        DETERMINERS.has(lower) || DEMONSTRATIVES.has(lower) || COPULAS.has(lower) || (index === 0 && /^\p{L}[\p{L}-]*$/u.test(lower)),
    )
  return isDirect && isWholeNoun(text, to)
}

/** True if the noun that ends at `to` is not continued by a part of a compound. */
function isWholeNoun(text: string, to: number): boolean {
  if (/^(?:[.,;:!?)]|\s*$|\s*\n)/u.test(text.slice(to, to + 8))) return true
  const next = nextWord(text, to, to + MAX_CHARS_AFTER, to + MAX_CHARS_AFTER)
  return next !== undefined && (isUse(next) || FOLLOWING_WORDS.some((words) => words.has(next.lower)))
}

const isUse = ({ lower }: Word): boolean => USES.has(lower) || AUXILIARIES.has(lower) || CHANGES.test(lower)

/** True if the word is the first of its sentence, or follows a verb of use. */
const isUsedAlone = (following: Word | undefined, likeness: string, { text }: Word): boolean =>
  (following === undefined ||
    following.endsSentence ||
    following.announces ||
    following.pauses ||
    isUse(following) ||
    /^(?:and|und|et|y|e|en)$/u.test(following.lower)) &&
  (likeness === 'weak' || isPossiblePassword(text))

const MAX_CHARS_BETWEEN = 60

/** The new password after the old one: `changed from X to Y`, `now it's Y`; and a second one: `X and Y`, `and that of the tablet 8803`. */
export function passwordAfter(text: string, { from, to, kind }: SecretSpan): SecretSpan | undefined {
  if (kind !== 'password') return undefined
  return joinedPassword(text, to) ?? (/^\d+$/u.test(text.slice(from, to)) ? secondNumber(text, from, to) : renewedPassword(text, to))
}

function joinedPassword(text: string, to: number): SecretSpan | undefined {
  const limit = Math.min(text.length, to + MAX_CHARS_BETWEEN)
  const joint = nextWord(text, to, limit, limit)
  if (joint === undefined || joint.lines > 0) return undefined
  const value = nextWord(text, joint.end, limit, limit + MAX_CHARS_AFTER)
  if (value === undefined || value.lines > 0 || CODE.test(value.text)) return undefined
  const likeness = likenessOf(value.text)
  const isNext = ASSIGNMENT_SIGNS.has(joint.lower) || /^(?:to|into|auf|zu|in|en|par|à|a|por|para|naar)$/u.test(joint.lower)
  if (!isNext && !/^(?:and|or|und|oder|et|ou|y|o|e|en|of|&|\/)$/u.test(joint.lower)) return undefined
  const isPassword =
    likeness === 'strong' || (isNext && (likeness === 'weak' || (isPossiblePassword(value.text) && endsClause(text, value))))
  return isPassword ? { from: value.from, to: value.to, kind: 'password' } : undefined
}

const SECOND_NUMBER =
  /^(?:,(?: (?:and|und|et|y|e|en))?|,? (?:and|und|et|y|e|en))(?: \p{L}[\p{L}'’-]{0,20}){1,6}:? (?<value>\d{4,12})(?![\w.,-]\w)/iu

/** A number as long as the one before it, in the same enumeration. */
function secondNumber(text: string, from: number, to: number): SecretSpan | undefined {
  const match = SECOND_NUMBER.exec(text.slice(to, to + 2 * MAX_CHARS_BETWEEN))
  const value = match?.groups?.value
  if (match === null || value?.length !== to - from || /^(?:19|20)\d\d$/u.test(value)) return undefined
  return { from: to + match[0].length - value.length, to: to + match[0].length, kind: 'password' }
}

const RENEWAL =
  /^[^.;:\n]{0,60}?[ ,](?:now (?:it's|it’s|it is)|(?:it's|it’s|it is) now|jetzt ist es|ist es jetzt|jetzt|maintenant c['’]est|c['’]est maintenant|ahora es|adesso è|ora è|agora é|nu is het|is het nu) (?<value>\S{6,128}?)(?=[.,;:!?)]*(?:\s|$))/iu

/** The value that a later clause states: `it was X, now it's Y`. */
function renewedPassword(text: string, to: number): SecretSpan | undefined {
  const match = RENEWAL.exec(text.slice(to, to + MAX_CHARS_BETWEEN + MAX_CHARS_AFTER))
  const value = match?.groups?.value
  if (match === null || value === undefined || CODE.test(value) || likenessOf(value) === 'none') return undefined
  return { from: to + match[0].length - value.length, to: to + match[0].length, kind: 'password' }
}
