import { isPlaceholder } from './likeness.js'
import { isStatedKey, likenessOf } from './stated-value.js'
import type { SecretSpan } from './token-forms.js'
import { endsClause } from './value-places.js'

/** Secrets of sentences without a password noun: credentials of accounts, access codes, passphrases, and keys on a line of their own. */
export function accessSecretsIn(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = []
  const topics = topicsIn(text)
  let masked = 0
  for (const [index, { kind, to }] of topics.entries()) {
    if (to < masked) continue
    const end = Math.min(endOfLine(text, to), startOfNext(topics, index) ?? text.length)
    const span = FINDERS[kind](text, Math.max(to, masked), end)
    if (span === undefined) continue
    spans.push(span)
    masked = span.to
  }
  for (const { 0: match, index, groups = {} } of text.matchAll(PAIR)) {
    const { value = '', listed } = groups
    const likeness = likenessOf(value)
    const isValue = listed === undefined ? likeness !== 'none' && /\d/u.test(value) : likeness === 'strong' && CHOSEN.test(value)
    if (isValue) spans.push(spanOf(index + match.length - value.length, value))
  }
  for (const { 0: match, index, groups = {} } of OPENINGS.flatMap((opening) => [...text.matchAll(opening)])) {
    const { value = '' } = groups
    if (!YEAR_OR_DATE.test(value)) spans.push(spanOf(index + match.indexOf(value), value))
  }
  const ordered = spans.sort((a, b) => a.from - b.from)
  return ordered.filter(({ from }, index) => index === 0 || from >= (ordered[index - 1]?.to ?? 0))
}

/** Start of the next topic, which bounds the search, so the time is linear in the length of the text. Words for accounts do not end a phrase or code. */
function startOfNext(topics: readonly Topic[], index: number): number | undefined {
  const isLong = ({ kind }: Topic): boolean => kind === 'phrase' || kind === 'code'
  const topic = topics[index]
  if (topic === undefined || !isLong(topic)) return topics[index + 1]?.from
  let next = index + 1
  while (next < topics.length && !isLong(topics[next] ?? topic) && (topics[next]?.from ?? 0) < topic.to + MAX_CHARS) next++
  return topics[next]?.from
}

const MAX_CHARS = 160
/** Characters of code. */
const CODE = /[(){};<>]|=>|\/\/ ?\p{Ll}+\(/u

type Kind = 'access' | 'code' | 'phrase' | 'line'
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
  /(?<!\p{L})(?:safe|padlock|lock|tresor|schloss|coffre(?:-fort)?|cadenas|caja fuerte|candado|cassaforte|lucchetto|cofre|cadeado|kluis|hangslot)(?: [\p{L}'’]{1,20}){0,4} (?:with|mit|avec|con|com|met) (?<value>\d{1,3}(?:-\d{1,3}){2,4}|\d{4,10})(?![\w-])/giu,
  /(?<![\w.,-])(?<value>\d{4,8}[#*]?) (?:opens|unlocks|öffnet|ouvre|abre|apre|opent)(?: [\p{L}'’]{1,20}){1,3}? (?:door|gate|safe|garage|lock|tür|tor|tresor|porte|portail|coffre|puerta|caja|porta|cancello|cassaforte|portão|cofre|deur|poort|hek|kluis)(?!\p{L})/giu,
]
const YEAR_OR_DATE = /^(?:19|20)\d\d$|^\d{4}-\d\d-\d\d$/u

const PHRASES =
  '(?<phrase>pass[- ]?phrases?|phrase secrète|frase (?:de paso|segreta|secreta)|frase-passe|code ?words?|codew[oö]rt|palabra secreta|parola segreta|disk phrase|unlock phrase|(?:seed|recovery|mnemonic)[- ]phrase|frase (?:semilla|di recupero|de recuperación|de recuperação)|wiederherstellungsphrase|phrase de récupération|herstelzin|security question|sicherheitsfrage|question secrète)'
const CODES =
  '(?<code>(?<!\\p{L})(?:(?:haus|tür|tor|garagen|alarm|tresor|schloss|deur|poort|kluis|slot|garage)-?code|(?:unlock|alarm|safe) codes?|entsperrcode|digicode|keypad|recovery codes?|backup codes?|wiederherstellungscode|(?<!(?:error|status|exit|country|return|response|source|area|postal|zip) )(?:code|código|codigo|codice|combination|combinazione|combinación|combinaison|combinação|kombination)(?! (?:path|review|base|d.erreur|erreur|postal|(?:de |di |do )?err))(?= [^\\n]{0,40}?(?:alarm|door|gate|safe|vault|lock|voicemail|garage|tür|tresor|schloss|porte|immeuble|coffre|boîte|puerta|caja|garaje|port[aã]|cassaforte|sblocco|cofre|telem|cancell|allarm|hek|deur|poort|kluis|slot)))(?!\\p{L}))'
const ACCOUNTS =
  '(?<access>(?<![\\p{L}_])(?:wi-?fi|wlan|vpn|log ?in(?:to)?|sign in|se connecter|connexion|einloggen|anmelden|inloggen|logins?|portal|portail|admin|accounts?|kundenkonto|konto|compte|cuenta|conta|panel|painel|pannello|printer|drucker|messagerie|hosting|root|zip|archiv[eo]?|archivio|arquivo|archief|acceso|accesso|acesso|entra|entri|entrar|melde|e-mail)(?![\\p{L}@_]))'
const LINES =
  '(?<line>(?<!\\p{L})(?:(?:api |service |secret )?keys?|clés?|claves?|chiav[ei]|chaves?|schlüssel|sleutel|token|secret)(?!-----)(?=[^\\n]{0,80}\\n))'
const TOPICS = new RegExp(`${PHRASES}|${CODES}|${ACCOUNTS}|${LINES}`, 'giu')

const topicsIn = (text: string): readonly Topic[] =>
  [...text.matchAll(TOPICS)].map(({ 0: word, index, groups = {} }) => {
    const kind = (['phrase', 'code', 'access', 'line'] as const).find((group) => groups[group] !== undefined) ?? 'access'
    return { kind, from: index, to: index + word.length }
  })

const FINDERS: Readonly<Record<Kind, (text: string, from: number, end: number) => SecretSpan | undefined>> = {
  access: accessValue,
  code: codeValue,
  phrase: phraseValue,
  line: lineValue,
}

function endOfLine(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_CHARS)
  let at = from
  while (at < limit && text[at] !== '\n') at++
  return at
}

const WORD = /[^\s]+/gu
const QUOTED = /^["'`“„«]+(.+?)["'`”“»]+[.,;:!?)]*$/u
/** Words that precede a password in a sentence. */
const CONNECTORS = new Set(
  `with and is it's it’s has uses opens wants needs takes / mit und ist nimm hat avec et est c'est c’est con y es e è é com como password come used usa abre use`.split(
    ' ',
  ),
)
const HARD = /[\p{L}\d][!@#$%^&*+?~|][\p{L}\d!]/u
/** A symbol, or a digit in place of a letter. */
const CHOSEN = /\d.*[!@#$%^&*+?~|]|[!@#$%^&*+?~|].*\d|\p{L}\d\p{L}/u
const JOINED = /^\p{L}[\p{L}\d]*(?:[-_.^+][\p{L}\d]+)+$/u

/** True for a password recognisable without a noun: with symbols inside, or parts joined unlike names. */
function isPlainPassword(word: string): boolean {
  if (word.length < 6 || likenessOf(word) === 'none') return false
  if (HARD.test(word)) return /[\d\p{Lu}]/u.test(word)
  if (!JOINED.test(word) || word === word.toUpperCase()) return false
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
  for (const { 0: word, index } of line.matchAll(WORD)) {
    const quoted = QUOTED.exec(word)?.[1]
    const plain = quoted ?? word.replace(/[.,;:)]+$/u, '')
    const at = from + index + word.indexOf(plain)
    const account = quoted === undefined ? ACCOUNT_AND_PASSWORD.exec(plain)?.[1] : undefined
    if (account !== undefined && isPlainPassword(account)) return spanOf(at + plain.length - account.length, account)
    const isValue =
      quoted === undefined
        ? CONNECTORS.has(before) && isPlainPassword(plain)
        : !before.endsWith('"') && likenessOf(quoted) !== 'none' && /[^\p{L}-]/u.test(quoted)
    if (isValue) return { from: at, to: at + plain.length, kind: 'password' }
    before = word.toLowerCase().replace(/[.,;:]+$/u, '')
  }
  return undefined
}

const CODE_VALUE =
  /(?<![\w.,-])(?:[A-Z]?\d(?:[ -]?\d){3,9}[A-Z]?|\d{1,4}[A-Z]\d{1,4}|\d{1,3}(?:-\d{1,3}){2,4}|[0-9a-f]{4}(?:-[0-9a-f]{4}){2,7})(?![\w-])[#*]?/u

/** Digits of an alarm, a door or a safe at the end of a clause, but not years. */
function codeValue(text: string, from: number, end: number): SecretSpan | undefined {
  const match = CODE_VALUE.exec(text.slice(from, end))
  if (match === null) return undefined
  const value = match[0]
  const to = from + match.index + value.length
  const between = text.slice(from, to - value.length)
  if (YEAR_OR_DATE.test(value) || CODE.test(between) || /\bthan $/u.test(between) || !endsClause(text, { to, end: to })) return undefined
  return { from: to - value.length, to, kind: 'password' }
}

const QUOTED_PHRASE = /["“„«] ?([^"”“»\n]{5,80}?) ?["”“»]|(?<= )'([^'\n]{5,80}?)'(?=[\s.,;]|$)/u
const PLAIN_PHRASE = /^[^:=\n"'“«]{0,60}[:=] ?((?:\p{L}[\p{L}\d'-]*(?: |$)){1,24})[.!]?$/u
const NO_PHRASE =
  /^(?:see|ask|in|the|is|required|stored|unknown|none|not|siehe|steht|liegt|im|in|voir|dans|demande|ver|en|pide|vedi|nel|chiedi|pede|na|no|wrong|forgotten|n\/a|must|at|string|null|undefined|true|false)\b/iu

/** Quoted words, or all words after a colon. */
function phraseValue(text: string, from: number, end: number): SecretSpan | undefined {
  const line = text.slice(from, end)
  if (CODE.test(line)) return undefined
  const quoted = QUOTED_PHRASE.exec(line)
  const value = quoted?.[1] ?? quoted?.[2] ?? PLAIN_PHRASE.exec(line)?.[1]?.trimEnd()
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
