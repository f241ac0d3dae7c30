import { MemoryError } from '../errors.js'
import { depthExceeds, type JsonObject } from './json.js'

const MAX_DEPTH = 32

/** Before anything else walks a value: a hostile nesting would exhaust the stack of whoever does. */
export function checkDepth(value: unknown, field: string): void {
  if (depthExceeds(value, MAX_DEPTH)) throw new MemoryError('invalid_input', `Invalid ${field}: nested more than ${MAX_DEPTH} levels deep`)
}

/** The rules every text must keep, whatever contract it came through. */
export function checkText(text: string, field: string, maxBytes: number): void {
  if (text.trim() === '') throw new MemoryError('invalid_input', `Invalid ${field}: must not be empty`)
  checkNote(text, field, maxBytes, { hint: 'Shorten it, or split it into several.' })
}

/** The same for a text that may be empty, such as a reason. */
export function checkNote(text: string, field: string, maxBytes: number, options: { readonly hint?: string } = {}): void {
  checkString(text, field)
  checkSize(text, field, maxBytes, options)
}

/** For a question any characters will do: they only have to be read. */
export function checkSize(text: string, field: string, maxBytes: number, options: { readonly hint?: string } = {}): void {
  const size = Buffer.byteLength(text)
  if (size > maxBytes) throw new MemoryError('too_large', `Invalid ${field}: ${size} bytes, at most ${maxBytes} are allowed`, options)
}

/** Characters that no store and no client can carry faithfully. */
export function checkString(text: string, field: string): void {
  if (text.includes('\0')) throw new MemoryError('invalid_input', `Invalid ${field}: must not contain NUL characters`)
  const lone = text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/u)
  if (lone >= 0)
    throw new MemoryError('invalid_input', `Invalid ${field}: half of a surrogate pair at position ${lone}; send well-formed Unicode`)
}

export function checkMetadata(metadata: JsonObject, field: string, maxBytes: number): void {
  checkDepth(metadata, field)
  const text = JSON.stringify(metadata)
  const size = Buffer.byteLength(text)
  if (size > maxBytes) throw new MemoryError('too_large', `Invalid ${field}: ${size} bytes of JSON, at most ${maxBytes} are allowed`)
  if (escapeOf('u0000').test(text)) throw new MemoryError('invalid_input', `Invalid ${field}: must not contain NUL characters`)
  if (escapeOf('ud[89a-f][0-9a-f]{2}').test(text))
    throw new MemoryError('invalid_input', `Invalid ${field}: holds half of a surrogate pair; send well-formed Unicode`)
}

/** An escape in JSON, as against the same letters after a backslash that is itself escaped. */
const escapeOf = (code: string): RegExp => new RegExp(`(?<!\\\\)(?:\\\\\\\\)*\\\\${code}`, 'iu')

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: what four digits of a year can say. */
const FIRST_INSTANT = -62_135_596_800e6
const LAST_INSTANT = 253_402_300_799e6

/** The finest step that a double still counts exactly so far from 1970: beyond 2255 milliseconds, beyond 4253 seconds. */
function stepAt(at: number): number {
  const reach = Math.abs(at) + 1e6
  return reach <= 2 ** 53 ? 1 : reach <= 2 ** 56 ? 1000 : 1e6
}

/**
 * ISO 8601 to microseconds, for the years 0001 to 9999. Digits that would not be exact are dropped; without an offset it
 * is read as UTC. What an offset moves past the end of 9999 is that end.
 */
export function parseInstant(text: string, failure: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/iu.exec(text.trim())
  if (match === null) throw new MemoryError('invalid_input', failure)
  const [, day, clock, seconds, fraction, offset] = match
  const zone = offset === undefined ? 'Z' : offset.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/u, '$1:$2')
  const milliseconds = Date.parse(`${day}T${clock ?? '00:00'}:${seconds ?? '00'}Z`.replace('Z', zone))
  if (Number.isNaN(milliseconds) || !sameDay(day ?? '')) throw new MemoryError('invalid_input', failure)
  const whole = milliseconds * 1000
  if (whole < FIRST_INSTANT || day?.startsWith('0000')) throw new MemoryError('invalid_input', failure)
  const micros = Number((fraction ?? '').padEnd(6, '0').slice(0, 6))
  return Math.min(whole + (micros - (micros % stepAt(whole))), LAST_INSTANT)
}

/** `Date` rolls the 31st of February over into March; a person who wrote it meant something else. */
const sameDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)

/** RFC 3339 in UTC with nine fractional digits; instants outside the years it can write become the nearest it can. */
export function formatInstant(at: number): string {
  const instant = Math.trunc(Math.min(Math.max(at, FIRST_INSTANT), LAST_INSTANT))
  // A remainder is exact at any size, a quotient is not.
  const micros = ((instant % 1e6) + 1e6) % 1e6
  return `${new Date((instant - micros) / 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}000Z`
}
