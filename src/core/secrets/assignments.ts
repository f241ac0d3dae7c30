import { ALNUM, CAPITALS, endOfRun, isIn, WORD } from './characters.js'
import { isChosen, isChosenAmongCode, isHighEntropy, isPlaceholder, isRandom } from './likeness.js'
import { likenessOf } from './stated-value.js'
import type { SecretSpan } from './token-forms.js'

/** Endings of names of secrets, in lower case without separators. */
const NAMES: readonly (readonly [ending: string, kind: string])[] = [
  ...['password', 'passwd', 'passwort', 'passphrase', 'passcode', 'userpass', 'dbpass', 'pwd', 'pgpass', 'mysqlpass'].map(
    (ending) => [ending, 'password'] as const,
  ),
  ...['secret', 'secretkey', 'secretaccesskey', 'clientsecret', 'secretkeybase', 'appsecret', 'sharedsecret'].map(
    (ending) => [ending, 'secret'] as const,
  ),
  ...['apikey', 'apisecret', 'accesskey', 'authkey', 'accountkey', 'sharedaccesskey', 'subscriptionkey', 'servicekey', 'licensekey'].map(
    (ending) => [ending, 'api key'] as const,
  ),
  ...[
    'privatekey',
    'presharedkey',
    'encryptionkey',
    'signingkey',
    'masterkey',
    'hmackey',
    'deploykey',
    'sshkey',
    'cryptokey',
    'aeskey',
  ].map((ending) => [ending, 'key'] as const),
  ...['token', 'authtoken', 'accesstoken', 'refreshtoken', 'bearer', 'jwt', 'credential', 'credentials', 'authorization'].map(
    (ending) => [ending, 'token'] as const,
  ),
]

/** Names with these endings that are not secrets. */
const OTHER_ENDINGS = [
  ...['nexttoken', 'pagetoken', 'continuationtoken', 'canceltoken', 'cancellationtoken', 'clienttoken', 'requesttoken', 'csrftoken'],
  ...[
    'xsrftoken',
    'starttoken',
    'endtoken',
    'lasttoken',
    'firsttoken',
    'prevtoken',
    'previoustoken',
    'currenttoken',
    'synctoken',
    'edittoken',
  ],
]

/** Suffixes for the environment or variant of a secret. */
const NAME_SUFFIXES = [
  'prod',
  'production',
  'staging',
  'stage',
  'dev',
  'development',
  'live',
  'test',
  'value',
  'base',
  'primary',
  'secondary',
  'default',
  'raw',
]

const MAX_NAME_CHARS = 80
/** Excludes most names quickly. */
const ABOUT_SECRETS = /pass|pw|secret|key|token|cred|auth|bearer|jwt|pat/i

/** The kind of secret that a variable, key or header of this name contains; undefined for other names. */
export function secretName(name: string): string | undefined {
  if (name.length > MAX_NAME_CHARS || !ABOUT_SECRETS.test(name)) return undefined
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '').replace(/\d+$/, '')
  const kind = kindOf(plain)
  if (kind !== undefined) return kind
  const tail = NAME_SUFFIXES.find((ending) => plain.endsWith(ending))
  return tail === undefined
    ? /(?:^|[_-])(?:pass|pw)$/i.test(name)
      ? 'password'
      : /(?:^|[_-])pat$/i.test(name)
        ? 'token'
        : undefined
    : kindOf(plain.slice(0, -tail.length))
}

const kindOf = (plain: string): string | undefined => {
  if (OTHER_ENDINGS.some((other) => plain.endsWith(other))) return undefined
  return NAMES.find(([ending]) => plain.endsWith(ending))?.[1]
}

const MAX_GAP_CHARS = 8
const MAX_BARE_CHARS = 512
const MAX_QUOTED_CHARS = 4096
const CLOSING_SIGNS = `"'\`])\\`
const ENDS_BARE = `"'\`,;<>(){}[]|\\`

/** How a value is assigned: `=` without spaces, another sign, a word (`is`), or a call. */
type Sign = 'tight' | 'loose' | 'said' | 'call'

/** Characters that may follow a name before its value. */
const AFTER_NAME = new Set([...` \t=:>("'\`])\\!`].map((character) => character.charCodeAt(0)))

/** The secret assigned to the name in `from` to `to`. */
export function assignedAt(text: string, from: number, to: number): SecretSpan | undefined {
  if (!AFTER_NAME.has(text.charCodeAt(to))) return undefined
  const sign = signAfter(text, to)
  const begin = sign?.to ?? afterBlank(text, from, to)
  if (begin === undefined) return undefined
  const kind = secretName(text.slice(from, to))
  if (kind === undefined) return undefined
  const found = valueAt(text, begin)
  if (found === undefined) return undefined
  if (sign === undefined) return isRandom(text.slice(found.from, found.to)) ? { from: found.from, to: found.to, kind } : undefined
  const inList = !found.quoted && isListed(text, from)
  const whole = text.slice(found.from, found.to)
  const value = inList ? (whole.split('&', 1)[0] ?? '') : whole
  if (!isSecretValue(value, kind, { sign: sign.sign, quoted: found.quoted, inList })) return undefined
  return { from: found.from, to: endOfValue(text, found, value), kind }
}

/**
 * Start of the value that follows after one blank: a name with underscores, as in settings and shells (`aws_secret_access_key X`), or the
 * word `secret`.
 */
const afterBlank = (text: string, from: number, to: number): number | undefined =>
  (text[to] === ' ' || text[to] === '\t') && /_|^secret$/i.test(text.slice(from, to)) && isIn(text.charCodeAt(to + 1), WORD)
    ? to + 1
    : undefined

/** End of a value, including trailing exclamation and question marks of an unquoted one. */
function endOfValue(text: string, { from, to, quoted }: Value, value: string): number {
  let end = value.length < MAX_BARE_CHARS ? from + value.length : quoted ? to : endOfBare(text, to)
  while (!quoted && (text[end] === '!' || text[end] === '?')) end++
  return end
}

interface AssignmentSign {
  readonly sign: Sign
  readonly quoted: boolean
  /** True within a connection string or the query of a URL. */
  readonly inList: boolean
}

function isSecretValue(value: string, kind: string, { sign, quoted, inList }: AssignmentSign): boolean {
  if (isRandom(value) || (quoted && isHighEntropy(value))) return true
  if (kind !== 'password' && kind !== 'secret' && kind !== 'api key') return false
  if (inList) return isChosen(value, 5) || isSeed(value) || (kind === 'password' && likenessOf(value) !== 'none')
  if (kind !== 'password') return false
  if (sign === 'call' || sign === 'said') return isChosenAmongCode(value)
  if (quoted) return isChosen(value, 6) || isSpacedPassword(value)
  return sign === 'tight' ? isChosen(value, 6) && (!value.includes('.') || likenessOf(value) === 'strong') : isChosenAmongCode(value)
}

/** True for quoted words of which one has digits and a symbol: `two words 99!`. */
const isSpacedPassword = (value: string): boolean =>
  /^\S+(?: \S+){1,7}$/.test(value) &&
  value.length <= 64 &&
  !isPlaceholder(value) &&
  /(?:^| )\S*(?:\d\S*\d[!@#$%^&*+?~]|[!@#$%^&*+?~]\S*\d\S*\d)/.test(value)

/** True for seeds of one-time passwords, which may consist of letters only. */
const isSeed = (value: string): boolean => value.length >= 16 && endOfRun(value, 0, CAPITALS) === value.length && !isPlaceholder(value)

/** True after `;`, `,`, `&` or `?`. */
const isListed = (text: string, from: number): boolean => {
  const before = text[from - 1] === ' ' ? text[from - 2] : text[from - 1]
  return before === ';' || before === ',' || before === '&' || before === '?'
}

function signAfter(text: string, from: number): { readonly sign: Sign; readonly to: number } | undefined {
  let at = from
  while (at < from + 4 && CLOSING_SIGNS.includes(text[at] ?? '\n')) at++
  const tight = at
  at = skipBlanks(text, at)
  const character = text[at]
  if (character === '(' && (text[at + 1] === '"' || text[at + 1] === "'")) return { sign: 'call', to: at + 1 }
  if (character === '>' && tight === at) return { sign: 'tight', to: at + 1 }
  if (character === '=' || character === ':') {
    let end = at
    while (end < at + 3 && '=:>'.includes(text[end] ?? '\n')) end++
    return { sign: tight === at && end === at + 1 && character === '=' && text[end] !== ' ' ? 'tight' : 'loose', to: end }
  }
  if (character === '!' && text[at + 1] === '=') return { sign: 'loose', to: text[at + 2] === '=' ? at + 3 : at + 2 }
  if (at > tight && (text.startsWith('is ', at) || text.startsWith('to ', at))) return { sign: 'said', to: at + 3 }
  return undefined
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < from + MAX_GAP_CHARS && (text[at] === ' ' || text[at] === '\t')) at++
  return at
}

interface Value {
  readonly from: number
  readonly to: number
  readonly quoted: boolean
}

/** The value that starts here, quoted or up to the end of the word, without a scheme such as `Bearer`. */
function valueAt(text: string, from: number): Value | undefined {
  let at = skipBlanks(text, from)
  // Skips a string prefix such as `b` or `r`.
  if (isIn(text.charCodeAt(at), ALNUM) && (text[at + 1] === '"' || text[at + 1] === "'")) at++
  const escaped = text[at] === '\\'
  if (escaped) at++
  const quote = text[at] ?? ''
  if (quote === '"' || quote === "'" || quote === '`') {
    const begin = skipScheme(text, at + 1)
    const end = endOfQuoted(text, begin, quote)
    if (end === undefined) return undefined
    return { from: begin, to: escaped && text[end - 1] === '\\' ? end - 1 : end, quoted: true }
  }
  const begin = skipScheme(text, at)
  let end = endOfBare(text, begin, MAX_BARE_CHARS)
  while (end > begin && '.:!?'.includes(text[end - 1] ?? '')) end--
  return { from: begin, to: end, quoted: false }
}

/** End of an unquoted value; reads at most `most` characters. */
function endOfBare(text: string, from: number, most = Number.POSITIVE_INFINITY): number {
  let end = from
  while (end < from + most && text.charCodeAt(end) > 32 && !ENDS_BARE.includes(text[end] ?? '')) {
    // Padding belongs to the value; another sign starts the next value.
    if ((text[end] === '=' || text[end] === ':') && end > from && isIn(text.charCodeAt(end + 1), WORD)) break
    end++
  }
  return end
}

function skipScheme(text: string, offset: number): number {
  const end = endOfRun(text, offset, WORD)
  const scheme = text.slice(offset, end).toLowerCase()
  return text[end] === ' ' && (scheme === 'bearer' || scheme === 'token' || scheme === 'apikey' || scheme === 'basic') ? end + 1 : offset
}

function endOfQuoted(text: string, from: number, quote: string): number | undefined {
  const limit = Math.min(text.length, from + MAX_QUOTED_CHARS)
  for (let at = from; at < limit; at++) {
    const character = text[at]
    if (character === quote) return at
    if (character === '\n') return undefined
  }
  return undefined
}

/** The kind of a secret given as name and value, as in metadata. */
export function isSecretOf(name: string, value: string): string | undefined {
  const kind = secretName(name)
  if (kind === undefined) return undefined
  return isSecretValue(value.trim(), kind, { sign: 'tight', quoted: true, inList: false }) ? kind : undefined
}
