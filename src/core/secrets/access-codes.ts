import type { SecretSpan } from './token-forms.js'
import { endsClause } from './value-places.js'

const DOORS =
  'alarm|door|gate|safe|vault|lock|voicemail|garage|tür|tor(?!\\p{L})|tresor|schloss|porte|immeuble|coffre|boîte|puerta|caja|garaje|port[aã]|cassaforte|sblocco|cofre|telem|cancell|allarm|hek|deur|poort|kluis|slot'
const CODE_NOUNS = 'code|código|codigo|codice|combination|combinazione|combinación|combinaison|combinação|kombination'
/** Neighbouring words of codes that are no secrets: `error code`, `code review`. */
const OTHER_BEFORE = '(?<!(?:error|status|exit|country|return|response|source|area|postal|zip) )'
const OTHER_AFTER = '(?! (?:path|review|base|d.erreur|erreur|postal|(?:de |di |do )?err))'

/** Codes of alarms, doors and safes. */
export const ACCESS_CODES = [
  `(?:haus|tür|tor|garagen|alarm|tresor|schloss|deur|poort|kluis|slot|garage)-?code${OTHER_AFTER}`,
  `(?:unlock|alarm|safe|door|gate|garage|entry|entrance|lock|lockbox|keypad|building) codes?${OTHER_AFTER}`,
  'lockbox|entsperrcode|freischaltcode|digicode|keypad',
  `${OTHER_BEFORE}(?:${CODE_NOUNS})${OTHER_AFTER}(?= [^\\n]{0,40}?(?:${DOORS}))`,
  // The expression looks back only where a noun was found.
  `${OTHER_BEFORE}(?:${CODE_NOUNS})(?<=(?<!\\p{L})(?:for|für|fürs|pour|para|per|voor) [^\\n]{0,20}?(?<!\\p{L})(?:${DOORS})[^\\n]{0,30} (?:${CODE_NOUNS}))${OTHER_AFTER}`,
].join('|')

/** Codes for one use each, usually a list. */
export const RECOVERY_CODES = [
  '(?:recovery|back-?up|rescue|emergency|scratch|2fa|mfa) codes?',
  '(?:wiederherstellungs|backup-?|notfall|ersatz|herstel|back-?up-?|reserve|nood)codes?',
  'codes? de (?:secours|récupération|sauvegarde)',
  'códigos? de (?:respaldo|recuperación|recuperação|reserva|backup|emergencia|emergência)',
  'codic[ei] di (?:recupero|backup|riserva|emergenza)',
].join('|')

const ACCESS_VALUE =
  /(?<![\w.,-])(?:[A-Z]?\d(?:[ -]?\d){3,9}[A-Z]?|\d{1,4}[A-Z]\d{1,4}|\d{1,3}(?:-\d{1,3}){2,4}|[0-9a-f]{4}(?:-[0-9a-f]{4}){2,7})(?![\w-])[#*]?/gu
const RECOVERY_VALUE =
  /(?<![\w.,-])(?=\p{L}*\d\p{L}*-?[\p{L}-]*\d)(?!\p{L}+-\d+(?![\w-]))(?:[a-z\d]{3,8}(?:-[a-z\d]{3,8}){1,5}|[a-z\d]{8,12}|\d{3,5}(?: \d{3,5}){1,4}|\d{6,8})(?![\w-])/giu
/** Between two codes of a list. */
const SEPARATOR = /^(?:[,;/|]? ?(?:and|und|et|y|e|en|&)? |[,;]?\r?\n(?:[ \t]|[-*•]|\d{1,2}[.)])*)$/iu
const MAX_LIST_CHARS = 600
const YEAR_OR_DATE = /^(?:19|20)\d\d$|^\d{4}-\d\d-\d\d$/u
/** Characters of code. */
const CODE = /[(){};<>]|=>|\/\/ ?\p{Ll}+\(/u

export const isYearOrDate = (value: string): boolean => YEAR_OR_DATE.test(value)

/** Digits of an alarm, a door or a safe at the end of a clause, but not years. */
export const accessCodesIn = (text: string, from: number, end: number): readonly SecretSpan[] => codesIn(text, from, end, ACCESS_VALUE)

/** Codes on the line of their noun, or on the lines below it. */
export const recoveryCodesIn = (text: string, from: number, end: number): readonly SecretSpan[] => codesIn(text, from, end, RECOVERY_VALUE)

/** The first code after `from`, and the codes that follow it in a list. */
function codesIn(text: string, from: number, end: number, form: RegExp): readonly SecretSpan[] {
  const limit = Math.min(text.length, from + MAX_LIST_CHARS)
  const spans: SecretSpan[] = []
  const line = text.slice(from, end)
  const first = line.search(form)
  const list = text.slice(from, limit)
  if (first < 0 && !(form === RECOVERY_VALUE && /(?::|^)\s*$/u.test(line))) return spans
  let last = -1
  for (const { 0: value, index } of list.matchAll(form)) {
    const between = list.slice(Math.max(last, 0), index)
    const isNext = last < 0 ? from + index < end || between.trim() === line.trim() : SEPARATOR.test(between)
    if (!isNext || isYearOrDate(value) || CODE.test(between) || /\bthan $/u.test(between)) break
    last = index + value.length
    spans.push({ from: from + index, to: from + last, kind: 'password' })
  }
  const [{ to } = { to: 0 }] = spans
  return spans.length === 1 && !endsClause(text, { to, end: to }) ? [] : spans
}
