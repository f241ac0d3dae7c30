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
  const size = Buffer.byteLength(text)
  if (size > maxBytes) throw new MemoryError('too_large', `Invalid ${field}: ${size} bytes, at most ${maxBytes} are allowed`, options)
}

/** Characters that no store and no client can carry faithfully. */
export function checkString(text: string, field: string): void {
  if (text.includes('\0')) throw new MemoryError('invalid_input', `Invalid ${field}: must not contain NUL characters`)
  const lone = text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/u)
  if (lone >= 0) throw new MemoryError('invalid_input', `Invalid ${field}: half of a surrogate pair at position ${lone}; send well-formed Unicode`)
}

export function checkMetadata(metadata: JsonObject, field: string, maxBytes: number): void {
  checkDepth(metadata, field)
  const text = JSON.stringify(metadata)
  const size = Buffer.byteLength(text)
  if (size > maxBytes) throw new MemoryError('too_large', `Invalid ${field}: ${size} bytes of JSON, at most ${maxBytes} are allowed`)
  if (escapeOf('u0000').test(text)) throw new MemoryError('invalid_input', `Invalid ${field}: must not contain NUL characters`)
  if (escapeOf('ud[89a-f][0-9a-f]{2}').test(text)) throw new MemoryError('invalid_input', `Invalid ${field}: holds half of a surrogate pair; send well-formed Unicode`)
}

/** An escape in JSON, as against the same letters after a backslash that is itself escaped. */
const escapeOf = (code: string): RegExp => new RegExp(`(?<!\\\\)(?:\\\\\\\\)*\\\\${code}`, 'iu')

/** ISO 8601 to microseconds. Digits beyond are dropped; without an offset it is read as UTC. */
export function parseInstant(text: string, failure: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/iu.exec(text.trim())
  if (match === null) throw new MemoryError('invalid_input', failure)
  const [, day, clock, seconds, fraction, offset] = match
  const zone = offset === undefined ? 'Z' : offset.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/u, '$1:$2')
  const milliseconds = Date.parse(`${day}T${clock ?? '00:00'}:${seconds ?? '00'}Z`.replace('Z', zone))
  if (Number.isNaN(milliseconds) || !sameDay(day ?? '')) throw new MemoryError('invalid_input', failure)
  return milliseconds * 1000 + Number((fraction ?? '').padEnd(6, '0').slice(0, 6))
}

/** `Date` rolls the 31st of February over into March; a person who wrote it meant something else. */
const sameDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)

/** RFC 3339 in UTC with nine fractional digits. */
export function formatInstant(at: number): string {
  const seconds = Math.floor(at / 1e6)
  const micros = String(at - seconds * 1e6).padStart(6, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${micros}000Z`
}
