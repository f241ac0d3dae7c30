import { MemoryError } from '../../errors.js'
import { depthExceeds, hasMoreMembersThan, type JsonObject, someMember } from '../encoding/json.js'

/** Memory types that a caller may set; other kinds are internal. */
export const MEMORY_TYPES = ['episodic', 'semantic', 'procedural'] as const

const MAX_DEPTH = 32
/** Limit on the number of values checked, so that the event loop is not blocked. */
const MAX_VALUES = 100_000

/** Runs before any other traversal of a value: deep nesting would exhaust the stack, and an unsafe key would be dropped. */
export function checkDepth(value: unknown, field: string): void {
  if (hasMoreMembersThan(value, MAX_VALUES))
    throw new MemoryError('too_large', `Invalid ${field}: more than ${MAX_VALUES.toLocaleString('en')} values`, {
      hint: 'Send fewer at a time.',
    })
  if (depthExceeds(value, MAX_DEPTH)) throw new MemoryError('invalid_input', `Invalid ${field}: nested more than ${MAX_DEPTH} levels deep`)
  checkKeys(value, field)
}

/** Copying an object with this key sets its prototype and drops the value. */
const UNSAFE_KEY = '__proto__'

/** Requires a value of bounded depth. */
export function checkKeys(value: unknown, field: string): void {
  if (holdsUnsafeKey(value))
    throw new MemoryError('invalid_input', `Invalid ${field}: the key ${UNSAFE_KEY} cannot be stored`, {
      hint: 'Rename that key.',
    })
}

const holdsUnsafeKey = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, UNSAFE_KEY) || someMember(value, holdsUnsafeKey))

/** True for white space and characters without width. */
export const isBlank = (text: string): boolean => !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(text)

/** Rules for every stored text, in all contracts. */
export function checkText(text: string, field: string, maxBytes: number): void {
  if (isBlank(text)) throw new MemoryError('invalid_input', `Invalid ${field}: must not be empty`)
  checkNote(text, field, maxBytes, { hint: 'Shorten it, or split it into several.' })
}

/** The same for a text that may be empty, such as a reason. */
export function checkNote(text: string, field: string, maxBytes: number, options: { readonly hint?: string } = {}): void {
  checkString(text, field)
  checkSize(text, field, maxBytes, options)
}

/** A query may contain any characters; only its size is checked. */
export function checkSize(text: string, field: string, maxBytes: number, options: { readonly hint?: string } = {}): void {
  const size = Buffer.byteLength(text)
  if (size > maxBytes) throw new MemoryError('too_large', `Invalid ${field}: ${size} bytes, at most ${maxBytes} are allowed`, options)
}

/** Rejects characters that stores and clients cannot represent. */
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
  if (holdsEscape(text, isNul)) throw new MemoryError('invalid_input', `Invalid ${field}: must not contain NUL characters`)
  if (holdsEscape(text, isHalfPair))
    throw new MemoryError('invalid_input', `Invalid ${field}: holds half of a surrogate pair; send well-formed Unicode`)
}

const isNul = (code: string): boolean => code === '0000'
const isHalfPair = (code: string): boolean => /^d[89a-f]/i.test(code)

/** True for the JSON escape of such a code unit, not for the same letters after an escaped backslash. */
function holdsEscape(json: string, isSuch: (code: string) => boolean): boolean {
  for (let offset = json.indexOf('\\'); offset >= 0; offset = json.indexOf('\\', offset + 2)) {
    if (json[offset + 1] === 'u' && isSuch(json.slice(offset + 2, offset + 6))) return true
  }
  return false
}

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the range of four-digit years. */
const FIRST_INSTANT = -62_135_596_800e6
const LAST_INSTANT = 253_402_300_799e6

/** The finest step that a double represents exactly at that instant: milliseconds after 2255, seconds after 4253. */
function stepAt(now: number): number {
  const reach = Math.abs(now) + 1e6
  return reach <= 2 ** 53 ? 1 : reach <= 2 ** 56 ? 1000 : 1e6
}

const EXTENDED_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/iu
const BASIC = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/iu

const EXAMPLES = 'Example: 2026-02-28 or 2026-02-28T12:00:00Z.'

/**
 * Parses ISO 8601 to microseconds, for the years 0001 to 9999, with or without separators. Digits that would not be exact are dropped;
 * without an offset it is UTC. A result after the end of 9999 becomes that end. `impossible` words the error for a well-formed time that
 * does not exist, unless the contract has one text for both.
 */
export function parseInstant(text: string, failure: string, impossible?: (problem: string) => string): number {
  const match = EXTENDED_DATE.exec(text.trim()) ?? BASIC.exec(text.trim())
  if (match === null) throw new MemoryError('invalid_input', failure)
  const [, year = '', month = '', date = '', hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match
  const day = `${year}-${month}-${date}`
  const time = `${hour}:${minute}:${second}`
  const zone = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
  const whole = Date.parse(`${day}T${time}${zone}`) * 1000
  if (Number.isNaN(whole) || !isDay(day) || whole < FIRST_INSTANT || year === '0000') {
    const problem = problemOf(day, time, zone)
    throw impossible === undefined
      ? new MemoryError('invalid_input', failure, { hint: `There is ${problem}. ${EXAMPLES}` })
      : new MemoryError('invalid_input', impossible(`there is ${problem}`), { hint: EXAMPLES })
  }
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6))
  return Math.min(whole + (micros - (micros % stepAt(whole))), LAST_INSTANT)
}

/** `Date` rolls 31 February over into March; such a date is rejected instead. */
function isDay(day: string): boolean {
  const read = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day)
}

/** The first part that is out of range. */
function problemOf(day: string, time: string, zone: string): string {
  if (day.startsWith('0000')) return 'no year 0000'
  if (!isDay(day)) return `no day ${day}`
  if (Number.isNaN(Date.parse(`${day}T${time}Z`))) return `no time ${time}`
  return Number.isNaN(Date.parse(`${day}T${time}${zone}`)) ? `no offset ${zone}` : 'no time before the year 0001'
}

/** RFC 3339 in UTC with nine fractional digits; instants outside the range become the nearest bound. */
export function formatInstant(now: number): string {
  const instant = Math.trunc(Math.min(Math.max(now, FIRST_INSTANT), LAST_INSTANT))
  // A remainder is exact at any size, a quotient is not.
  const micros = ((instant % 1e6) + 1e6) % 1e6
  return `${new Date((instant - micros) / 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}000Z`
}
