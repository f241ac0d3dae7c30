import { ALNUM, DIGITS, endOfRun, HEX, isIn, LETTERS, OPEN } from './characters.js'

/** Placeholder words, also combined and with digits and symbols around them. */
const FILLERS = new Set(
  [
    'password passwd passwort passphrase pass pwd pw passcode secret secrets token tokens key keys api apikey auth bearer credential credentials',
    'user username admin root guest login test tests testing tester example examples sample demo dummy fake mock foo bar baz qux quux',
    'your my the our new old some a an this here change changeme replace replaceme insert enter put fill todo tbd none null nil undefined nan',
    'true false default placeholder redacted hidden masked removed empty string text value abc abcd abcde abcdef abcdefg xyz qwerty qwertyuiop',
    'letmein welcome hello world asdf asdfgh in with value me not real super very long really random generated valid invalid wrong bad good',
    'correct incorrect expected actual first second other another public private client server access refresh session app application service',
    'db database mysql postgres postgresql mongo mongodb redis rabbitmq amqp mariadb sa localhost local dev development prod production staging',
    'id name code hash sign signing encryption encrypted jwt oauth csrf xsrf cookie github gitlab slack stripe openai anthropic google aws azure',
    'npm pypi docker of for to is and or at be must need needs required optional set get use using from env environment variable config',
    'x xx xxx xxxx y z n one two three abcxyz s cr t p ssw rd sswd pssw ord correcthorsebatterystaple bot webhook url uri host hostname',
  ].flatMap((list) => list.split(' ')),
)

/** References to a value that is defined elsewhere. */
const REFERENCES = [
  '${',
  '{{',
  '<%',
  '#{',
  '@{',
  '[masked ',
  'process.env',
  'os.environ',
  'os.getenv',
  'env.',
  'secrets.',
  'var.',
  'vault:',
]
/** `%(name)s` and `$(command)`. */
const SUBSTITUTION = /%\(\w{1,60}\)s|\$\(\w[^()]{0,60}\)/
const REFERENCE_STARTS = '$<{[%*@#'
/** Truncated values. */
const TRUNCATION_MARK = /\.{3}|\*{3}|[…•]/

/** True if a value refers to a secret defined elsewhere. */
export const isReference = (value: string): boolean =>
  REFERENCE_STARTS.includes(value[0] ?? ' ') || REFERENCES.some((reference) => value.includes(reference)) || SUBSTITUTION.test(value)

/** True if a value is a placeholder for a secret. */
export function isPlaceholder(value: string): boolean {
  if (isReference(value) || TRUNCATION_MARK.test(value)) return true
  return distinct(value) < Math.min(5, Math.ceil(value.length / 2)) || isCounted(value) || isWords(value)
}

function distinct(value: string): number {
  return new Set(value.slice(0, 200)).size
}

/** True for the body of an example key: `xxxxxxxx`, `your-key-here`. */
export function isFilled(body: string): boolean {
  const words = wordsOf(body)
  const fillers = words.filter((word) => FILLERS.has(word.toLowerCase())).length
  if (distinct(body) < 3) return true
  return words.length > 0 && (fillers === words.length || (makeOf(body).digit === 0 && fillers >= words.length / 2))
}

/** True for sequences such as `1234567890`, `abcdefgh`, `0123456789abcdef`, with a few exceptions. */
function isCounted(value: string): boolean {
  let steps = 0
  for (let at = 1; at < value.length; at++) {
    const step = value.charCodeAt(at) - value.charCodeAt(at - 1)
    if (step === 0 || step === 1 || step === -1) steps++
  }
  return steps >= (value.length - 1) * 0.7
}

/** True for placeholder words in any spelling: `my-secret-password1`, `YOUR_API_KEY`, `testToken`. */
function isWords(value: string): boolean {
  const words = wordsOf(value)
  return words.every((word) => FILLERS.has(word.toLowerCase()))
}

/** Words of letters; a capital letter starts a new word. */
export function wordsOf(value: string): readonly string[] {
  const words: string[] = []
  let from = -1
  for (let at = 0; at <= value.length; at++) {
    const code = value.charCodeAt(at)
    const letter = isIn(code, LETTERS)
    const capital = letter && code < 97
    const begins = capital && from >= 0 && value.charCodeAt(at - 1) >= 97
    if (from >= 0 && (!letter || begins)) {
      words.push(value.slice(from, at))
      from = -1
    }
    if (letter && from < 0) from = at
  }
  return words
}

interface Make {
  readonly upper: number
  readonly lower: number
  readonly digit: number
  readonly other: number
  /** Number of changes of character kind. */
  readonly turns: number
}

function makeOf(value: string): Make {
  const make = { upper: 0, lower: 0, digit: 0, other: 0, turns: 0 }
  let last = ''
  for (const character of value) {
    const code = character.charCodeAt(0)
    const kind = isIn(code, DIGITS) ? 'digit' : !isIn(code, LETTERS) ? 'other' : code >= 97 ? 'lower' : 'upper'
    make[kind]++
    if (last !== '' && kind !== last) make.turns++
    last = kind
  }
  return make
}

/** Shannon entropy in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

const MIN_RANDOM = 16

/** True if a value looks random: long enough, with several kinds of characters, well mixed. */
export function isRandom(value: string): boolean {
  const { length } = value
  if (length < MIN_RANDOM || endOfRun(value, 0, OPEN) < length || isPlaceholder(value)) return false
  if (endOfRun(value, 0, HEX) === length) return length >= 20 && entropy(value) > 2.8 && makeOf(value).turns >= 5
  const { upper, lower, digit, turns } = makeOf(value)
  if (digit === 0)
    return (
      !value.includes('.') &&
      upper > 2 &&
      lower > 2 &&
      length >= 24 &&
      turns >= length / 3 &&
      (length >= 30 || !hasLongWord(value)) &&
      entropy(value) > 3.8
    )
  if (hasLongWord(value)) return turns >= length / 3.5 && entropy(value) > 3.9
  return turns >= Math.max(4, length / 6) && entropy(value) > 3
}

/** Like `isRandom`, for any characters; requires quotes that delimit the value. */
export function isHighEntropy(value: string): boolean {
  if (value.length < 20 || hasSpace(value) || isPlaceholder(value)) return false
  const { digit, turns } = makeOf(value)
  return digit >= 2 && turns >= value.length / 3 && entropy(value) > 3.8
}

/** True if words make up most of the value, as in names. */
const hasLongWord = (value: string): boolean => {
  const worded = wordsOf(value)
    .filter((word) => word.length >= 4)
    .reduce((sum, word) => sum + word.length, 0)
  return worded > value.length * 0.5
}

const MAX_PASSWORD_CHARS = 128

/** True if a value looks like a password chosen by a person: letters with digits or symbols, and not a name. */
export function isChosen(value: string, least: number): boolean {
  if (value.length < least || value.length > MAX_PASSWORD_CHARS || hasSpace(value)) return false
  const { digit, other } = makeOf(value)
  // A value without letters is a placeholder.
  return digit + other > 0 && !isPath(value) && !isPlaceholder(value)
}

/** Like `isChosen`, for text that may be code: three kinds of characters, one of them a symbol that names do not contain. */
export function isChosenAmongCode(value: string): boolean {
  if (!isChosen(value, 8) || endOfRun(value, 0, OPEN) === value.length) return false
  const { upper, lower, digit } = makeOf(value)
  return digit > 0 && upper + lower > 1
}

const hasSpace = (value: string): boolean => {
  for (const character of value) if (character <= ' ') return true
  return false
}

/** `Fern.Valley88`; members of objects begin with a small letter. */
const CAPITALISED_PARTS = /^\p{Lu}\p{Ll}+(?:[.]\p{Lu}\p{Ll}+)+\d{1,4}$/u

/** True for names joined by dots, slashes, dashes or colons: translation keys, files, styles, packages. */
function isPath(value: string): boolean {
  const parts = value.split(/[./\\:]/)
  if (CAPITALISED_PARTS.test(value)) return false
  if (parts.length > 1) return parts.every((part) => part.split(/[_-]/).every(isName))
  return makeOf(value).digit === 0 && value.split(/[_-]/).every(isName)
}

function isName(part: string): boolean {
  if (endOfRun(part, 0, ALNUM) < part.length) return false
  return part.length < 16 && makeOf(part).turns <= 2
}
