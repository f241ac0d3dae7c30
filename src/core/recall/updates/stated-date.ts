import type { Fact } from '../../facts/fact.js'
import { formatInstant } from '../../input/input.js'

/** In English and in German. */
const MONTHS = [
  ...['january januar', 'february februar', 'march märz', 'april', 'may mai', 'june juni', 'july juli', 'august', 'september'],
  ...['october oktober', 'november', 'december dezember'],
].map((names) => names.split(' '))
const ISO = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2}))?)?)?(?!\d)/
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.{0,12}[+-]\d{2}:?\d{2}$/
/** "20260512" and "12.05.2026". */
const COMPACT = /^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
/** "12 May 2026", "May 12, 2026", "12. Mai 2026", "September 2025". */
const NAMED = /(?:\b(\d{1,2})(?:st|nd|rd|th|\.)?\s+)?(\p{L}{3,9})[.,]?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\b/iu
/** Longer texts are no dates. */
const MAX_DATE_CHARS = 60

const two = (number: string): string => number.padStart(2, '0')

/** Normalised date, from the year to the minute as far as given; null if it is no date. */
function keyOf(date: string): string | null {
  const text = date.trim()
  if (text.length > MAX_DATE_CHARS) return null
  const zoned = WITH_ZONE.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(zoned)) return formatInstant(zoned * 1000).slice(0, 16)
  const [, day1, month1, year1] = DOTTED.exec(text) ?? []
  if (year1 !== undefined) return `${year1}-${two(month1 ?? '')}-${two(day1 ?? '')}`
  const compact = COMPACT.exec(text)
  if (compact !== null) return compact.slice(1).join('-')
  const [, year, month, day, hour, minute] = ISO.exec(text) ?? []
  if (year !== undefined)
    return [year, month && `-${month}`, day && `-${day}`, hour && minute && `T${hour}:${minute}`].filter(Boolean).join('')
  const named = NAMED.exec(text)
  const word = (named?.[2] ?? '').toLowerCase()
  const index = MONTHS.findIndex((names) => names.some((name) => name.startsWith(word)))
  if (named === null || index < 0) return null
  const which = named[1] ?? named[3]
  return `${named[4]}-${two(String(index + 1))}${which === undefined ? '' : `-${two(which)}`}`
}

/** The stated date of a fact, otherwise its event time if it differs from the time of storage. */
export function parseStatedDate({ date, eventAt, recordedAt }: Fact): string | null {
  const dated = date === null ? null : keyOf(date)
  return dated ?? (eventAt === recordedAt ? null : formatInstant(eventAt).slice(0, 16))
}

/** True if the first is later; null if one has no date or both are equal, because notes may be stored in any order. */
export function isLater(newer: string | null | undefined, older: string | null | undefined): boolean | null {
  if (typeof newer !== 'string' || typeof older !== 'string') return null
  const length = Math.min(newer.length, older.length)
  const [a, b] = [newer.slice(0, length), older.slice(0, length)]
  return a === b ? null : a > b
}
