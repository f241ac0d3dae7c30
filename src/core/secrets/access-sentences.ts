import { ACCESS_CODES, accessCodesIn, isYearOrDate, RECOVERY_CODES, recoveryCodesIn } from './access-codes.js'
import { isPlaceholder } from './likeness.js'
import { isPlainlyPassword, isStatedKey, likenessOf } from './stated-value.js'
import type { SecretSpan } from './token-forms.js'

/** Secrets of sentences without a password noun: credentials of accounts, access codes, passphrases, and keys on a line of their own. */
export function accessSecretsIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  const topics = topicsIn(text)
  let masked = 0
  for (const [index, { kind, to }] of topics.entries()) {
    if (to < masked) continue
    const end = Math.min(endOfLine(text, to, kind === 'phrase' ? MAX_PHRASE_CHARS : MAX_CHARS), startOfNext(topics, index) ?? text.length)
    const found = FINDERS[kind](text, Math.max(to, masked), end)
    spans.push(...found)
    masked = found.at(-1)?.to ?? masked
  }
  for (const { 0: match, index, groups = {} } of text.matchAll(PAIR)) {
    const { value = '', listed } = groups
    const likeness = likenessOf(value)
    const isValue =
      listed === undefined ? likeness !== 'none' && /\d/u.test(value) : likeness === 'strong' && SUBSTITUTED_CHARACTER.test(value)
    if (isValue) spans.push(spanOf(index + match.length - value.length, value))
  }
  for (const { 0: match, index, groups = {} } of OPENINGS.flatMap((opening) => [...text.matchAll(opening)])) {
    const { value = '' } = groups
    if (!isYearOrDate(value)) spans.push(spanOf(index + match.indexOf(value), value))
  }
  for (const { index, groups = {} } of SUBJECTS.flatMap((subject) => [...text.matchAll(subject)])) {
    const { before = '', value = '' } = groups
    if (isPlainlyPassword(value) && SYMBOL_INSIDE.test(value) && !KEYS.test(value)) spans.push(spanOf(index + before.length, value))
  }
  const ordered = spans.sort((a, b) => a.from - b.from)
  return ordered.filter(({ from }, index) => index === 0 || from >= (ordered[index - 1]?.to ?? 0))
}

/** Start of the next topic, which bounds the search, so the time is linear in the length of the text. Words for accounts do not end a phrase or code. */
function startOfNext(topics: readonly Topic[], index: number): number | undefined {
  const isLong = ({ kind }: Topic): boolean => kind === 'phrase' || kind === 'code' || kind === 'recovery'
  const topic = topics[index]
  if (topic === undefined || !isLong(topic)) return topics[index + 1]?.from
  let next = index + 1
  while (next < topics.length && !isLong(topics[next] ?? topic) && (topics[next]?.from ?? 0) < topic.to + MAX_CHARS) next++
  return topics[next]?.from
}

const MAX_CHARS = 160
/** 24 words of a seed phrase. */
const MAX_PHRASE_CHARS = 320
/** Characters of code. */
const CODE = /[(){};<>]|=>|\/\/ ?\p{Ll}+\(/u

const KINDS = ['phrase', 'code', 'recovery', 'access', 'line'] as const
type Kind = (typeof KINDS)[number]
interface Topic {
  readonly kind: Kind
  readonly from: number
  readonly to: number
}

/** `with demo / X`, `Jenkins: demo / X`: a name and a password after a preposition or at the end of a list entry. */
const PAIR =
  /(?:(?<![\p{L}\d])(?:with|mit|avec|con|com|met|as|als)|(?<listed>\p{L} ?:)) \p{L}[\w.@-]{1,60} \/ (?<value>[^\s/]{6,128}?)(?=[.,;:)]*(?:\s|$))/giu
/** `the safe opens with 63-11-85`, `7742 opens the front gate`. */
const OPENINGS = [
  /(?<!\p{L})(?:safe|padlock|lock|door|gate|tür|tor|deur|poort|porte|puerta|cancello|tresor|schloss|coffre(?:-fort)?|cadenas|caja fuerte|candado|cassaforte|lucchetto|cofre|cadeado|kluis|hangslot)(?: [\p{L}'’]{1,20}){0,4} (?:with|mit|avec|con|com|met) (?<value>\d{1,3}(?:-\d{1,3}){2,4}|\d{4,10}[#*]?)(?![\w-])/giu,
  /(?<![\w.,-])(?<value>\d{4,8}[#*]?) (?:opens|unlocks|öffnet|ouvre|abre|apre|opent)(?: [\p{L}'’]{1,20}){1,3}? (?:door|gate|safe|garage|lock|tür|tor|tresor|porte|portail|coffre|puerta|caja|porta|cancello|cassaforte|portão|cofre|deur|poort|hek|kluis)(?!\p{L})/giu,
]
/** `X unlocks the drive`, `with X you get into the VPN`. */
const SUBJECTS = [
  /(?<before>)(?<![^\s"'`“„«])(?<value>[^\s"'`“„«]{8,64}) (?:opens|unlocks|öffnet|entsperrt|ouvre|déverrouille|abre|desbloquea|apre|sblocca|desbloqueia|opent|ontgrendelt)(?!\p{L})/giu,
  /(?<before>(?<!\p{L})(?:with|mit|avec|con|com|met) )(?<value>\S{8,64}) (?=[^\n]{0,60}(?<!\p{L})(?:wi-?fi|wlan|vpn|portal|portail|account|konto|compte|cuenta|conta|server|intranet)(?!\p{L}))/giu,
]
const KEYS = /^(?:ctrl|strg|cmd|alt|shift|umschalt|maj|option|meta|super)[+-]/iu
const SYMBOL_INSIDE = /[\p{L}\d][!@#$%^&*+?~][\p{L}\d]/u

const PHRASES =
  '(?<phrase>pass[- ]?phrases?|phrase secrète|frase (?:de paso|segreta|secreta)|frase-passe|code ?words?|codew[oö]rt|palabra secreta|parola segreta|disk phrase|unlock phrase|(?:seed|recovery|mnemonic)[- ]phrase|frase (?:semilla|di recupero|de recuperación|de recuperação)|wiederherstellungsphrase|phrase de récupération|herstelzin|security question|sicherheitsfrage|question secrète)'
const CODES = `(?<code>(?<!\\p{L})(?:${ACCESS_CODES})(?!\\p{L}))|(?<recovery>(?<!\\p{L})(?:${RECOVERY_CODES})(?!\\p{L}))`
const ACCOUNTS =
  '(?<access>(?<![\\p{L}_])(?:wi-?fi|wlan|vpn|log ?in(?:to)?|sign in|se connecter|connexion|einloggen|anmelden|inloggen|logins?|portal|portail|admin|accounts?|kundenkonto|konto|compte|cuenta|conta|panel|painel|pannello|printer|drucker|messagerie|hosting|root|zip|archiv[eo]?|archivio|arquivo|archief|acceso|accesso|acesso|entra|entri|entrar|accedi|melde?|log dich|e-mail)(?![\\p{L}@_]))'
const LINES =
  '(?<line>(?<!\\p{L})(?:(?:api |service |secret )?keys?|clés?|claves?|chiav[ei]|chaves?|schlüssel|sleutel|token|secret)(?!-----)(?=[^\\n]{0,80}\\n))'
const TOPICS = new RegExp(`${PHRASES}|${CODES}|${ACCOUNTS}|${LINES}`, 'giu')

const topicsIn = (text: string): readonly Topic[] =>
  [...text.matchAll(TOPICS)].map(({ 0: word, index, groups = {} }) => {
    const kind = KINDS.find((group) => groups[group] !== undefined) ?? 'access'
    return { kind, from: index, to: index + word.length }
  })

type Finder<Found> = (text: string, from: number, end: number) => Found
const listed =
  (find: Finder<SecretSpan | undefined>): Finder<readonly SecretSpan[]> =>
  (text, from, end) => {
    const span = find(text, from, end)
    return span === undefined ? [] : [span]
  }

const FINDERS: Readonly<Record<Kind, Finder<readonly SecretSpan[]>>> = {
  access: listed(accessValue),
  code: accessCodesIn,
  recovery: recoveryCodesIn,
  phrase: listed(phraseValue),
  line: listed(lineValue),
}

function endOfLine(text: string, from: number, most: number): number {
  const limit = Math.min(text.length, from + most)
  let at = from
  while (at < limit && text[at] !== '\n') at++
  return at
}

const WORD = /[^\s]+/gu
const QUOTED_VALUE = /^["'`“„«]+(.+?)["'`”“»]+[.,;:!?)]*$/u
/** Words that precede a password in a sentence. */
const CONNECTORS = new Set(
  `with and is it's it’s has uses opens wants needs takes / mit und ist nimm hat avec et est c'est c’est con y es e è é com como password come used usa abre use`.split(
    ' ',
  ),
)
const IS = new Set('is ist est es è é uses usa'.split(' '))
const AND = new Set('and und et y e en / , with mit avec con com met'.split(' '))
/** `Raspberry7Pie!` after the name of a user. */
const EXCLAIMED = /^\p{Lu}?\p{Ll}+\d\p{Lu}\p{Ll}+!+$/u
/** Products and services: a sentence that says what they are states no password. */
const PRODUCTS =
  /(?:vpn|porta(?:l|il)|panel|painel|pannello|accounts?|konto|compte|cuenta|conta|printer|drucker|hosting|e-mail|messagerie|admin)$/iu
const INNER_SYMBOL = /[\p{L}\d][!@#$%^&*+?~|][\p{L}\d!]/u
/** A symbol, or a digit in place of a letter. */
const SUBSTITUTED_CHARACTER = /\d.*[!@#$%^&*+?~|]|[!@#$%^&*+?~|].*\d|\p{L}\d\p{L}/u
const JOINED_WORDS = /^\p{L}[\p{L}\d]*(?:[-_.^+][\p{L}\d]+)+$/u

/** True for a password recognisable without a noun: with symbols inside, or parts joined unlike names. */
function isPlainPassword(word: string): boolean {
  if (word.length < 6 || likenessOf(word) === 'none') return false
  if (INNER_SYMBOL.test(word)) return /[\d\p{Lu}]/u.test(word)
  if (!JOINED_WORDS.test(word) || word === word.toUpperCase()) return false
  const hasCapitalPart = /(?:^|[-_.^+])\p{Lu}\p{Ll}/u.test(word)
  return /\d/u.test(word)
    ? hasCapitalPart || /\d\p{Ll}/u.test(word) || /_\d{3,}$/u.test(word)
    : hasCapitalPart && word.split('.').length > 2
}

/** `admin/X` with a usual name of an account. */
const ACCOUNT_AND_PASSWORD = /^(?:admin|administrator|root|user|guest|sa|pi|ubuntu|operator|postgres)[/:](\S+)$/iu

/** `log in as ann with X`, `the wifi is X`, `admin / X`, and quoted values. */
function accessValue(text: string, from: number, end: number): SecretSpan | undefined {
  const line = text.slice(from, end)
  if (CODE.test(line.replace(/\([^()]*$|\([^()]*\)/gu, ''))) return undefined
  let before = ''
  const isProduct = PRODUCTS.test(text.slice(Math.max(0, from - 20), from))
  for (const { 0: word, index } of line.matchAll(WORD)) {
    const quoted = QUOTED_VALUE.exec(word)?.[1]
    const plain = quoted ?? word.replace(/[.,;:)]+$/u, '')
    const at = from + index + word.indexOf(plain)
    const account = quoted === undefined ? ACCOUNT_AND_PASSWORD.exec(plain)?.[1] : undefined
    if (account !== undefined && isPlainPassword(account)) return spanOf(at + plain.length - account.length, account)
    const isValue =
      quoted === undefined
        ? (CONNECTORS.has(before) && isPlainPassword(plain) && !(IS.has(before) && isProduct && !INNER_SYMBOL.test(plain))) ||
          (AND.has(before) && EXCLAIMED.test(plain))
        : !before.endsWith('"') && likenessOf(quoted) !== 'none' && /[^\p{L}-]/u.test(quoted)
    if (isValue) return { from: at, to: at + plain.length, kind: 'password' }
    before = word.toLowerCase().replace(/[.,;:]+$/u, '')
  }
  return undefined
}

const QUOTED_PHRASE = /["“„«] ?([^"”“»\n]{5,80}?) ?["”“»]|(?<= )'([^'\n]{5,80}?)'(?=[\s.,;]|$)/u
const PLAIN_PHRASE = /^[^:=\n"'“«]{0,60}[:=] ?((?:\p{L}[\p{L}\d'-]*(?: |$)){1,24})[.!]?$/u
/** The words of a wallet: twelve to twenty-four in threes. */
const SEED_PHRASE =
  /(?:^|[ :])(?:is|are|ist|lautet|lauten|est|es|son|è|sono|é|são|luidt|zijn):? ((?:(?:\p{Ll}{3,10}[ ,]+){3}){3,7}(?:\p{Ll}{3,10}[ ,]+){2}\p{Ll}{3,10})[.!]?\s*$/u
const NO_PHRASE =
  /^(?:see|ask|in|the|is|required|stored|unknown|none|not|siehe|steht|liegt|im|in|voir|dans|demande|ver|en|pide|vedi|nel|chiedi|pede|na|no|wrong|forgotten|n\/a|must|at|string|null|undefined|true|false)\b/iu

/** Quoted words, or all words after a colon. */
function phraseValue(text: string, from: number, end: number): SecretSpan | undefined {
  const line = text.slice(from, end)
  if (CODE.test(line)) return undefined
  const quoted = QUOTED_PHRASE.exec(line)
  const value = quoted?.[1] ?? quoted?.[2] ?? PLAIN_PHRASE.exec(line)?.[1]?.trimEnd() ?? SEED_PHRASE.exec(line)?.[1]
  if (value === undefined || NO_PHRASE.test(value)) {
    const single = quoted === null ? /[:=] ?(\S+)$/u.exec(line)?.[1] : undefined
    return single === undefined || likenessOf(single) === 'none' ? undefined : spanOf(from + line.lastIndexOf(single), single)
  }
  if (value.split(' ').length < (quoted === null ? 3 : 2) && isPlaceholder(value)) return undefined
  if (quoted === null && value.split(' ').length < 3) return undefined
  return spanOf(from + line.lastIndexOf(value), value)
}

const spanOf = (from: number, value: string): SecretSpan => ({ from, to: from + value.length, kind: 'password' })

const MAX_KEY_CHARS = 512

/** A key that fills the next line. */
function lineValue(text: string, from: number, end: number): SecretSpan | undefined {
  if (text[end] !== '\n' || CODE.test(text.slice(from, end))) return undefined
  let begin = end
  while (begin < end + 4 && (text[begin] === '\n' || text[begin] === ' ' || text[begin] === '\r')) begin++
  let to = begin
  while (to < begin + MAX_KEY_CHARS && text.charCodeAt(to) > 32) to++
  if (to < text.length && text[to] !== '\n' && text[to] !== '\r') return undefined
  const value = text.slice(begin, to)
  return /\d/u.test(value) && /\p{Lu}|[-_]/u.test(value) && isStatedKey(value) ? { from: begin, to, kind: 'key' } : undefined
}
