import type { Fact } from '../fact.js'
import { formatInstant } from '../input.js'

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const ISO = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2}))?)?)?(?!\d)/
/** "12 May 2026", "May 12, 2026", "September 2025". */
const NAMED = /(?:\b(\d{1,2})(?:st|nd|rd|th)?\s+)?\b([a-z]{3})[a-z]*[.,]?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?,?\s*(\d{4})\b/i
/** Longer texts are no dates. */
const LONGEST = 60

const two = (number: string): string => number.padStart(2, '0')

/** What a date says, from the year to the minute, as far as it does; null where it is none. */
function keyOf(date: string): string | null {
  const text = date.trim()
  if (text.length > LONGEST) return null
  const [, year, month, day, hour, minute] = ISO.exec(text) ?? []
  if (year !== undefined)
    return [year, month && `-${month}`, day && `-${day}`, hour && minute && `T${hour}:${minute}`].filter(Boolean).join('')
  const named = NAMED.exec(text)
  const index = named === null ? -1 : MONTHS.indexOf((named[2] ?? '').toLowerCase())
  if (named === null || index < 0) return null
  const which = named[1] ?? named[3]
  return `${named[4]}-${two(String(index + 1))}${which === undefined ? '' : `-${two(which)}`}`
}

/** By the date that came with it, or by when it happened where that was told. */
function saidWhen({ date, eventAt, recordedAt }: Fact): string | null {
  if (date !== null) return keyOf(date)
  return eventAt === recordedAt ? null : formatInstant(eventAt).slice(0, 16)
}

/** Whether one was said later than the other; null where not both tell, or the same: notes may be stored in any order. */
export function saidLater(newer: Fact, older: Fact): boolean | null {
  const [a, b] = [saidWhen(newer), saidWhen(older)]
  if (a === null || b === null) return null
  const length = Math.min(a.length, b.length)
  const [x, y] = [a.slice(0, length), b.slice(0, length)]
  return x === y ? null : x > y
}
