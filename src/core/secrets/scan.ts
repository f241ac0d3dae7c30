import { accessSecretsIn } from './access-sentences.js'
import { addressAt } from './addresses.js'
import { assignedAt, secretName } from './assignments.js'
import { privateKeysIn } from './blocks.js'
import { ALNUM, DIGITS, DOTTED, endOfRun, HEX, isIn, OPEN, PADDED, WORD } from './characters.js'
import { commandSecretsIn } from './command-lines.js'
import { cookieSecretsIn } from './cookies.js'
import { isChosen, isFilled, isPlaceholder, isRandom } from './likeness.js'
import { statedSecretsIn } from './sentences.js'
import { likenessOf } from './stated-value.js'
import { type SecretSpan, tokenAt } from './token-forms.js'

const COLON = 58
const DOLLAR = 36
const TILDE = 126

/** All secrets recognised by form or context, ordered and disjoint. Linear in the length of the text. */
export const secretsIn = (text: string): readonly SecretSpan[] =>
  [statedSecretsIn, commandSecretsIn, accessSecretsIn, cookieSecretsIn].reduce(
    (spans, find) => mergeSpans(spans, find(text)),
    formsIn(text),
  )

/** Merges overlapping spans; the kind recognised by form wins. */
function mergeSpans(forms: readonly SecretSpan[], stated: readonly SecretSpan[]): readonly SecretSpan[] {
  if (stated.length === 0) return forms
  const merged: SecretSpan[] = []
  let form = 0
  for (const statedSpan of stated) {
    for (let next = forms[form]; next !== undefined && next.to <= statedSpan.from; next = forms[++form]) merged.push(next)
    let span = statedSpan
    for (let next = forms[form]; next !== undefined && next.from < span.to; next = forms[++form])
      span = { from: Math.min(span.from, next.from), to: Math.max(span.to, next.to), kind: next.kind }
    merged.push(span)
  }
  return [...merged, ...forms.slice(form)]
}

function formsIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  const blocks = privateKeysIn(text)
  let block = 0
  let login = -1
  for (let at = 0; at < text.length; ) {
    const key = blocks[block]
    if (key !== undefined && key.from <= at) {
      spans.push(key)
      at = key.to
      block++
      continue
    }
    const code = text.charCodeAt(at)
    if (!isIn(code, WORD)) {
      const span = markAt(text, at, code)
      if (span !== undefined) spans.push(span)
      at = span === undefined ? at + 1 : span.to
      continue
    }
    const end = endOfRun(text, at, WORD)
    const span = wordAt(text, at, end) ?? (login >= 0 ? loginAt(text, at, end) : undefined)
    login = text.startsWith('login', at) && end - at === 5 && beginsLogin(text, at) ? 2 : login - 1
    if (span !== undefined) spans.push(span)
    at = span === undefined ? end : Math.max(span.to, end)
  }
  return spans
}

function markAt(text: string, start: number, code: number): SecretSpan | undefined {
  if (code === COLON && text.startsWith('://', start)) return addressAt(text, start)
  if (code === DOLLAR) return passwordHashAt(text, start)
  return code === TILDE ? azureSecretAt(text, start) : undefined
}

/** The secret that a word is, or precedes. */
function wordAt(text: string, from: number, end: number): SecretSpan | undefined {
  const begin = afterEscape(text, from)
  const key = keyAt(text, begin, end)
  if (key !== undefined) return key
  const announced = headerAt(text, from, end) ?? flagAt(text, from, end) ?? signatureAt(text, from, end) ?? assignedAt(text, begin, end)
  // A known key format is more specific than the name it is assigned to.
  return announced === undefined ? undefined : (keyAt(text, announced.from, endOfRun(text, announced.from, WORD)) ?? announced)
}

/** A key of a known format; its first word ends at `end`. */
const keyAt = (text: string, from: number, end: number): SecretSpan | undefined =>
  tokenAt(text, from) ?? webTokenAt(text, from) ?? botTokenAt(text, from, end) ?? oddKeyAt(text, from, end)

/** Skips an escaped line break of a string, or a percent-encoded character of a URL. */
function afterEscape(text: string, from: number): number {
  const before = text[from - 1]
  if (before === '\\' && 'nrt'.includes(text[from] ?? ' ')) return from + 1
  return before === '%' && isIn(text.charCodeAt(from), HEX) && isIn(text.charCodeAt(from + 1), HEX) ? from + 2 : from
}

/** JSON web tokens: three parts, or five when encrypted. */
function webTokenAt(text: string, from: number): SecretSpan | undefined {
  if (!text.startsWith('eyJ', from)) return undefined
  let at = from
  let parts = 0
  while (parts < 5) {
    const end = endOfRun(text, at, WORD)
    if (end - at < (parts === 1 ? 4 : 8) && parts !== 2) break
    at = end
    parts++
    if (text[at] !== '.') break
    at++
  }
  const to = text[at - 1] === '.' ? at - 1 : at
  return parts >= 3 && to - from > 40 ? { from, to, kind: 'json web token' } : undefined
}

function botTokenAt(text: string, word: number, end: number): SecretSpan | undefined {
  // In a bot URL, `bot` and the token are joined.
  const from = text.startsWith('bot', word) ? word + 3 : word
  const length = end - from
  if (length >= 8 && length <= 10 && text[end] === ':' && endOfRun(text, from, DIGITS) === end) {
    const to = endOfRun(text, end + 1, WORD)
    return to - end >= 34 && to - end <= 38 && isRandom(text.slice(end + 1, to)) ? { from, to, kind: 'telegram token' } : undefined
  }
  if (length >= 23 && length <= 30 && text[end] === '.' && 'MNO'.includes(text[from] ?? ' ')) {
    const second = endOfRun(text, end + 1, WORD)
    const third = endOfRun(text, second + 1, WORD)
    if (second - end - 1 >= 5 && second - end - 1 <= 7 && text[second] === '.' && third - second - 1 >= 25)
      return { from, to: third, kind: 'discord token' }
  }
  return undefined
}

/** Keys recognised by their middle or end. */
function oddKeyAt(text: string, from: number, end: number): SecretSpan | undefined {
  if (end - from === 14 && text.startsWith('.atlasv1.', end)) {
    const to = endOfRun(text, end + 9, WORD)
    return to - end >= 60 ? { from, to, kind: 'terraform token' } : undefined
  }
  const tail = text.startsWith('-us', from + 32) ? endOfRun(text, from + 35, DIGITS) : -1
  return tail === end && tail > from + 35 && endOfRun(text, from, HEX) === from + 32 ? { from, to: end, kind: 'mailchimp key' } : undefined
}

/** Credentials after `Bearer` and `Basic`. */
function headerAt(text: string, from: number, end: number): SecretSpan | undefined {
  const length = end - from
  if (length === 6 && (text.startsWith('Bearer ', from) || text.startsWith('bearer ', from))) {
    const to = endOfRun(text, end + 1, OPEN)
    return isRandom(text.slice(end + 1, to)) ? { from: end + 1, to, kind: 'bearer token' } : undefined
  }
  if (length === 5 && (text.startsWith('Basic ', from) || text.startsWith('basic ', from))) {
    const to = endOfRun(text, end + 1, PADDED)
    return isUserAndPassword(text.slice(end + 1, to)) ? { from: end + 1, to, kind: 'basic authorization' } : undefined
  }
  if ((length === 4 || length === 5) && text.startsWith('auth', end - 4)) {
    const opening = [end + 1, end + 2, end + 3, end + 4].find((at) => text[at] === '"')
    if (opening === undefined) return undefined
    const to = endOfRun(text, opening + 1, PADDED)
    return isUserAndPassword(text.slice(opening + 1, to)) ? { from: opening + 1, to, kind: 'basic authorization' } : undefined
  }
  return undefined
}

const MAX_BASIC_CHARS = 400

function isUserAndPassword(encoded: string): boolean {
  if (encoded.length < 8 || encoded.length > MAX_BASIC_CHARS) return false
  const plain = Buffer.from(encoded, 'base64')
  if (plain.toString('base64').replaceAll('=', '') !== encoded.replaceAll('=', '')) return false
  const colon = plain.indexOf(COLON)
  return colon > 0 && colon < plain.length - 1 && plain.every((byte) => byte > 31 && byte < 127)
}

/** `--password x`, `--user name:x`, `sshpass -p x`. */
function flagAt(text: string, from: number, end: number): SecretSpan | undefined {
  if (text[from] !== '-' || text[end] !== ' ') return undefined
  let begin = end + 1
  const quote = text[begin] === '"' || text[begin] === "'" ? text[begin] : undefined
  if (quote !== undefined) begin++
  let to = begin
  while (text.charCodeAt(to) > 32 && text[to] !== quote && text[to] !== '`') to++
  const flag = text.slice(from, end)
  const value = text.slice(begin, to)
  if (flag === '-u' || flag === '--user') {
    const colon = value.indexOf(':')
    const password = value.slice(colon + 1)
    return colon >= 0 && (isChosen(password, 5) || likenessOf(password) !== 'none') && !password.startsWith('/')
      ? { from: begin + colon + 1, to, kind: 'password' }
      : undefined
  }
  if (flag === '-p' && text.startsWith('sshpass ', from - 8))
    return isPlaceholder(value) ? undefined : { from: begin, to, kind: 'password' }
  if (!flag.startsWith('--')) return undefined
  const kind = secretName(flag)
  if (kind === undefined || value.startsWith('-')) return undefined
  return isRandom(value) || (kind === 'password' && isChosen(value, 6)) ? { from: begin, to, kind } : undefined
}

/** Signatures of URLs, as used by Azure and storage buckets. */
function signatureAt(text: string, from: number, end: number): SecretSpan | undefined {
  const before = text[from - 1]
  if (text[end] !== '=' || (before !== '&' && before !== '?')) return undefined
  const name = text.slice(from, end).toLowerCase()
  if (name !== 'sig' && name !== 'x-amz-signature' && name !== 'x-goog-signature' && name !== 'signature') return undefined
  let to = end + 1
  while (isIn(text.charCodeAt(to), PADDED) || text[to] === '%') to++
  const value = text.slice(end + 1, to)
  return value.length >= 32 && !isFilled(value) ? { from: end + 1, to, kind: 'signature' } : undefined
}

/** An entry at the start of a line, or one that a sentence quotes behind a colon or in quotes. */
const LOGIN_ENTRY = /^\s*(?:machine\s+\S+\s+|default\s+|\S*[.\d]\S*\s+)?$|[:;"'`(]\s*(?:machine\s+\S+|default)\s+$/u

/** True for `login` at the start of a line or after the name of a host; in a sentence, an article or a verb precedes it. */
function beginsLogin(text: string, from: number): boolean {
  let begin = from
  while (begin > 0 && begin > from - MAX_HOST_CHARS && text[begin - 1] !== '\n') begin--
  return LOGIN_ENTRY.test(text.slice(begin, from))
}

const MAX_HOST_CHARS = 300

/** `login name password x`, as in netrc files. */
function loginAt(text: string, from: number, end: number): SecretSpan | undefined {
  if (!text.startsWith('password ', from)) return undefined
  let to = end + 1
  while (text.charCodeAt(to) > 32) to++
  return !isPlaceholder(text.slice(end + 1, to)) ? { from: end + 1, to, kind: 'password' } : undefined
}

const HASHES = ['$1$', '$2a$', '$2b$', '$2x$', '$2y$', '$5$', '$6$', '$7$', '$y$', '$apr1$', '$argon2i$', '$argon2d$', '$argon2id$']

/** Separators in a hash: Argon2 has version, costs, salt and hash. */
const MAX_SIGNS = 3

/** Password hashes in crypt formats. */
function passwordHashAt(text: string, at: number): SecretSpan | undefined {
  const begin = HASHES.find((start) => text.startsWith(start, at))
  if (begin === undefined) return undefined
  let to = at + begin.length
  for (let signs = 0; isIn(text.charCodeAt(to), OPEN) || text[to] === '$' || text[to] === ','; to++)
    if (text[to] === '$' && ++signs > MAX_SIGNS) return undefined
  const rest = text.slice(at + begin.length, to)
  return rest.length >= 22 && endOfRun(rest, 0, ALNUM) < rest.length && !isFilled(rest)
    ? { from: at, to, kind: 'password hash' }
    : undefined
}

/** Three characters, a digit and `Q~` before the rest. */
function azureSecretAt(text: string, start: number): SecretSpan | undefined {
  if (text[start - 1] !== 'Q' || !isIn(text.charCodeAt(start - 2), DIGITS)) return undefined
  const from = start - 5
  const to = endOfRun(text, start + 1, DOTTED)
  const length = to - start - 1
  return from >= 0 && endOfRun(text, from, DOTTED) > start && length >= 31 && length <= 36
    ? { from, to, kind: 'azure client secret' }
    : undefined
}
