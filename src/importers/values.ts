import type { Json, JsonObject } from '../core/encoding/json.js'
import type { Instant } from '../core/facts/fact.js'

/** Members of a foreign record. */
export type Row = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

export const rowOf = (value: unknown): Row => (isRow(value) ? value : {})

export const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isRow) : [])

/** A text that says something, without NUL characters; undefined otherwise. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return undefined
  const text = cleanText(value)
  return text === '' ? undefined : text
}

/** Databases store no NUL, and a lone surrogate is no character. */
const cleanText = (text: string): string => storable(text).trim()

/** A text without the characters that databases cannot store. */
export const storable = (text: string): string => text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD')

export const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.flatMap((entry) => textOf(entry) ?? []) : [])

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : typeof value === 'bigint' ? Number(value) : undefined

/** A list in a text: JSON as foreign databases store it, otherwise separated by commas. */
export function listOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return textsOf(value)
  const text = textOf(value)
  if (text === undefined) return []
  if (text.startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(text)
      if (Array.isArray(parsed)) return textsOf(parsed)
    } catch {
      return []
    }
  }
  return text.split(',').flatMap((part) => textOf(part) ?? [])
}

/** An object in a JSON text, or the object itself. */
export function objectOf(value: unknown): Row {
  if (typeof value !== 'string') return rowOf(value)
  try {
    return rowOf(JSON.parse(value))
  } catch {
    return {}
  }
}

const MAX_METADATA_DEPTH = 8

/** A value as metadata, without members that JSON cannot contain or that are nested too deeply. */
export function toJson(value: unknown, depth = 0): Json | undefined {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return storable(value)
  if (depth >= MAX_METADATA_DEPTH) return undefined
  if (Array.isArray(value)) return value.flatMap((entry) => toJson(entry, depth + 1) ?? [])
  return isRow(value) ? toJsonObject(value, depth) : undefined
}

/** Metadata of the members that say something. */
export function toJsonObject(row: Row, depth = 0): JsonObject {
  const made: Record<string, Json> = {}
  for (const [name, value] of Object.entries(row)) {
    const json = value === undefined || value === null || value === '' ? undefined : toJson(value, depth + 1)
    if (json !== undefined && name !== '__proto__' && !(Array.isArray(json) && json.length === 0)) made[name] = json
  }
  return made
}

/** The same without members that are stored elsewhere. */
export const withoutKeys = (row: Row, ...keys: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !keys.includes(name)))

const ZONE = /(?:Z|GMT|UTC|[+-]\d{2}:?\d{2})(?: \([^()]*\))?$/i
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/
const LOOSE_DATE = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2}|UTC)?$/i
const DAY_US = 86_400_000_000

/** Reads times of one source and counts what had to be assumed about them. */
export class Times {
  withoutZone = 0
  unreadable = 0
  ambiguous = 0
  ahead = 0
  readonly #now: Instant

  constructor(now: Instant) {
    this.#now = now
  }

  /** Numbers are seconds, milliseconds or microseconds by their size. What cannot be read, or lies ahead, is unknown. */
  read(value: unknown, options: { readonly mayLieAhead?: boolean } = {}): Instant | undefined {
    if (value === null || value === undefined || value === '') return undefined
    if (typeof value === 'string' && isAmbiguous(value)) {
      this.ambiguous++
      return undefined
    }
    const at = typeof value === 'number' || typeof value === 'bigint' ? fromNumber(Number(value)) : this.#fromText(value)
    if (at === undefined || !Number.isSafeInteger(at) || at < 0) {
      this.unreadable++
      return undefined
    }
    if (options.mayLieAhead !== true && at > this.#now + DAY_US) {
      this.ahead++
      return undefined
    }
    return at
  }

  /** What was assumed, in sentences. */
  notes(): readonly string[] {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const said = (count: number, singular: string, several: string): readonly string[] =>
      count === 0 ? [] : [count === 1 ? `1 time ${singular}` : `${count} times ${several}`]
    return [
      ...said(
        this.withoutZone,
        `has no zone and was read as ${zone}, the zone of this machine.`,
        `have no zone and were read as ${zone}, the zone of this machine.`,
      ),
      ...said(this.unreadable, 'cannot be read and was left out.', 'cannot be read and were left out.'),
      ...said(
        this.ambiguous,
        'such as 03/04/2026 may mean two days and was left out.',
        'such as 03/04/2026 may mean two days and were left out.',
      ),
      ...said(this.ahead, 'lies in the future and was left out.', 'lie in the future and were left out.'),
    ]
  }

  #fromText(value: unknown): Instant | undefined {
    if (value instanceof Date) return value.getTime() * 1000
    if (typeof value !== 'string') return undefined
    const text = value.trim().slice(0, 64)
    if (/^\d{9,17}(?:\.\d+)?$/.test(text)) return fromNumber(Number(text))
    if (DATE_ONLY.test(text)) {
      this.withoutZone++
      return millis(Date.parse(`${text}T00:00:00`))
    }
    const loose = LOOSE_DATE.exec(text)
    const iso = loose === null ? yearFirst(text) : `${loose[1]}T${loose[2]}${loose[3]?.replace(/^UTC$/i, 'Z') ?? ''}`
    // Date.parse also reads words that are followed by a number.
    if (!/^\d{4}|^(?:[A-Z][a-z]{2,8}\.?,? )?(?:\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2,8}\.? \d{1,2})/.test(iso)) return undefined
    const at = millis(Date.parse(iso))
    if (at !== undefined && !ZONE.test(iso)) this.withoutZone++
    return at
  }
}

/** `31.12.2026`, `12/31/2026`, with a time behind it. */
const NUMERIC_DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?=$|[ ,T])[ ,T]*/

/** Dots separate the day first; slashes and dashes do so in one part of the world. */
function isAmbiguous(text: string): boolean {
  const [, first = '', sign = '', second = ''] = NUMERIC_DATE.exec(text.trim()) ?? []
  return sign !== '.' && first !== second && first !== '' && Number(first) <= 12 && Number(second) <= 12
}

/** A numeric date that starts with the year, which is unambiguous. */
function yearFirst(text: string): string {
  const match = NUMERIC_DATE.exec(text)
  if (match === null) return text
  const [whole, first = '', sign, second = '', year = ''] = match
  const [day, month] = sign === '.' || Number(first) > 12 ? [first, second] : [second, first]
  return `${year}/${month}/${day} ${text.slice(whole.length)}`.trim()
}

const millis = (ms: number): Instant | undefined => (Number.isNaN(ms) ? undefined : Math.round(ms * 1000))

function fromNumber(value: number): Instant | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined
  if (value < 1e11) return Math.round(value * 1e6)
  return value < 1e14 ? Math.round(value * 1000) : Math.round(value)
}
