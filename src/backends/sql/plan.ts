import type { Json, JsonObject } from '../../core/json.js'
import { MemoryError } from '../../errors.js'

export type Value = string | number | bigint | null | Uint8Array

export interface Query {
  /** Placeholders are `?`; an engine that wants numbered ones renders them. */
  readonly text: string
  readonly values: readonly Value[]
  /** An insert that answers the key the engine generated, as this column; no row when nothing was inserted. */
  readonly generated?: string
  /** A change that answers how many rows it touched, as `affected`. */
  readonly counted?: boolean
  /** Takes the rows one by one as bare values, in the order of the columns, for long readings: naming them costs as much as reading them. No rows are answered. */
  readonly each?: (values: readonly unknown[]) => void
}

export type Row = Readonly<Record<string, unknown>>

/**
 * Statements as data: a plan yields queries and receives their rows. The same plan runs in one synchronous
 * transaction of SQLite or over the round trips of a server, so every statement is written once.
 */
export type Plan<T> = Generator<Query, T, readonly Row[]>

export interface Connection {
  read<T>(plan: () => Plan<T>): Promise<T>
  /** One exclusive transaction. `durable: false` may lose the write (never more) in a power cut: only for derived rows. */
  write<T>(plan: () => Plan<T>, options?: { readonly durable?: boolean }): Promise<T>
}

export function* run(text: string, ...values: readonly Value[]): Plan<readonly Row[]> {
  return yield { text, values }
}

export function* first(text: string, ...values: readonly Value[]): Plan<Row | undefined> {
  const rows = yield { text, values }
  return rows[0]
}

/** Reads rows as bare values, in the order of the columns. Answers nothing. */
export function* each(visit: (values: readonly unknown[]) => void, text: string, ...values: readonly Value[]): Plan<void> {
  yield { text, values, each: visit }
}

/** The generated key of a new row, or undefined when a conflict left it out. Cheaper than RETURNING where the engine knows it anyway. */
export function* insert(column: string, statement: string, ...values: readonly Value[]): Plan<number | undefined> {
  const [row] = yield { text: statement, values, generated: column }
  return row === undefined ? undefined : number(row, column)
}

/** How many rows a statement changed. */
export function* affected(statement: string, ...values: readonly Value[]): Plan<number> {
  const [row] = yield { text: statement, values, counted: true }
  return row === undefined ? 0 : number(row, 'affected')
}

/** Runs queries whose rows do not matter. */
export function* all(queries: readonly Query[]): Plan<void> {
  for (const query of queries) yield query
}

const STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
/** Every engine takes so many values in one statement; a question looks at fewer rows than that. */
const MOST_VALUES = 1024

/** `?, ?, ?` and values padded to a few sizes, so that the statement cache stays small. */
export function inList<V extends Value>(values: readonly V[]): { readonly marks: string; readonly values: readonly V[] } {
  const size = STEPS.find((step) => step >= values.length) ?? values.length
  const last = values[values.length - 1]
  const padded = last === undefined ? values : [...values, ...new Array<V>(size - values.length).fill(last)]
  return { marks: padded.map(() => '?').join(', '), values: padded }
}

/** Runs one query per slice of a long list of keys. */
export function* inSlices<V extends Value>(
  keys: readonly V[],
  query: (marks: string) => string,
  ...before: readonly Value[]
): Plan<readonly Row[]> {
  const out: Row[] = []
  for (let i = 0; i < keys.length; i += MOST_VALUES) {
    const list = inList(keys.slice(i, i + MOST_VALUES))
    out.push(...(yield { text: query(list.marks), values: [...before, ...list.values] }))
  }
  return out
}

const wrong = (column: string, expected: string): MemoryError =>
  new MemoryError('storage', `The stored value of ${column} is not ${expected}.`, { hint: 'Run `mneme doctor`; the file may be damaged.' })

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw wrong(column, 'a text')
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column)
}

export function number(row: Row, column: string): number {
  const value = row[column]
  if (typeof value === 'number') return value
  if (typeof value === 'bigint' || (typeof value === 'string' && value !== '')) return Number(value)
  throw wrong(column, 'a number')
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : number(row, column)
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw wrong(column, 'a blob')
  return value
}

export function json(row: Row, column: string): Json {
  const value = textOrNull(row, column)
  return value === null ? null : parseJson(value, column)
}

export function jsonObject(row: Row, column: string): JsonObject {
  const value = json(row, column)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong(column, 'a JSON object')
  return value as JsonObject
}

function parseJson(value: string, column: string): Json {
  try {
    return JSON.parse(value)
  } catch {
    throw wrong(column, 'JSON')
  }
}
