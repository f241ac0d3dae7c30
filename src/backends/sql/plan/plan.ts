import type { Json, JsonObject } from '../../../core/encoding/json.js'
import { MemoryError } from '../../../errors.js'
import { BytePart } from '../../byte-part.js'

export type Value = string | number | bigint | null | Uint8Array

export interface Query {
  /**
   * Placeholders are `?`; an engine with numbered ones translates them. A plus before a column keeps the SQLite planner off its index;
   * other engines remove it.
   */
  readonly text: string
  readonly values: readonly Value[]
  /** Returns the number of changed rows as `affected`. */
  readonly counted?: boolean
  /**
   * Receives the rows one by one as plain arrays in column order, for large reads: naming the values costs as much as reading them. A blob
   * is an array or a part of one. No rows are returned.
   */
  readonly each?: (values: readonly unknown[]) => void
  /** Types of the values, for an engine that receives bytes. */
  readonly kinds?: readonly Kind[]
}

export type Kind = 'int' | 'real' | 'text' | 'bytes'

export type Row = Readonly<Record<string, unknown>>

/**
 * Statements as data: a plan yields lists of queries and receives the rows of each. The same plan runs in one synchronous SQLite
 * transaction, query by query, or over the round trips of a server, list by list, so every statement is written once. A server may run a
 * plan again, so a plan has no effect outside the database.
 */
export type Plan<T> = Generator<readonly Query[], T, readonly (readonly Row[])[]>

export interface Connection {
  /** An optimised read of very many rows; without it they are read in pages. */
  streamRows?(reading: RowStream): Promise<void>
  read<T>(plan: () => Plan<T>): Promise<T>
  /** Runs a plan in one isolated transaction. */
  write<T>(plan: () => Plan<T>, options?: WriteOptions<T>): Promise<T>
}

/** A read of many rows ordered by their first column, an integer. */
export interface RowStream {
  /** Approximate number of rows. */
  readonly rows: number
  /** At most `limit` rows after one, of known types. */
  query(after: number, limit: number): Query & { readonly kinds: readonly Kind[] }
  /** Receives a row as an array in column order. */
  take(values: readonly unknown[]): void
}

export interface WriteOptions<T> {
  /** False may lose the write, but nothing else, in a power failure: only for derived rows. */
  readonly durable?: boolean
  /** Owners whose rows it changes: writes for the same owner may share a transaction. */
  readonly owners?: readonly string[]
  /**
   * Returns the result of an earlier attempt if it was committed. Runs first in a retry after a lost connection; without it the write is
   * simply retried.
   */
  readonly earlier?: () => Plan<T | undefined>
}

/** Runs independent queries, in one round trip on a server. */
export function* queryBatch(queries: readonly Query[]): Plan<readonly (readonly Row[])[]> {
  return queries.length === 0 ? [] : yield queries
}

/** Runs independent plans in lockstep: queries of the same step share a round trip, so a server needs as many trips as the longest plan. */
export function* runInLockstep<T>(plans: readonly Plan<T>[]): Plan<readonly T[]> {
  const steps = plans.map((plan) => ({ plan, next: plan.next() }))
  for (;;) {
    const asking = steps.flatMap((step) => (step.next.done === true ? [] : [{ step, queries: step.next.value }]))
    if (asking.length === 0) break
    const answers = yield asking.flatMap(({ queries }) => queries)
    let place = 0
    for (const { step, queries } of asking) {
      step.next = step.plan.next(answers.slice(place, place + queries.length))
      place += queries.length
    }
  }
  return steps.flatMap(({ next }) => (next.done === true ? [next.value] : []))
}

/** The same for two plans with different results. */
export function* runPair<A, B>(a: Plan<A>, b: Plan<B>): Plan<readonly [A, B]> {
  let first: { readonly value: A } | undefined
  let second: { readonly value: B } | undefined
  function* keep<T>(plan: Plan<T>, put: (value: T) => void): Plan<void> {
    put(yield* plan)
  }
  yield* runInLockstep([
    keep(a, (value) => {
      first = { value }
    }),
    keep(b, (value) => {
      second = { value }
    }),
  ])
  if (first === undefined || second === undefined) throw new MemoryError('internal', 'A plan ended without a result.')
  return [first.value, second.value]
}

export function* ask(query: Query): Plan<readonly Row[]> {
  const [rows = []] = yield [query]
  return rows
}

export const run = (text: string, ...values: readonly Value[]): Plan<readonly Row[]> => ask({ text, values })

export function* first(text: string, ...values: readonly Value[]): Plan<Row | undefined> {
  return (yield* ask({ text, values }))[0]
}

/** Visits rows as arrays in column order. */
export function* each(visit: (values: readonly unknown[]) => void, query: Query): Plan<void> {
  yield [{ ...query, each: visit }]
}

/** Number of rows that a statement changed. */
export function* countAffected(statement: string, ...values: readonly Value[]): Plan<number> {
  const [row] = yield* ask({ text: statement, values, counted: true })
  return row === undefined ? 0 : number(row, 'affected')
}

/** Runs queries and ignores their rows. */
export function* all(queries: readonly Query[]): Plan<void> {
  yield* queryBatch(queries)
}

const LIST_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
/** Maximum number of values per statement in every engine; queries read fewer rows. */
const MAX_VALUES = 1024

/** Marks `?, ?, ?` and values padded to a few sizes, so that the statement cache stays small. */
export function inList<V extends Value>(values: readonly V[]): { readonly marks: string; readonly values: readonly V[] } {
  const size = LIST_SIZES.find((step) => step >= values.length) ?? values.length
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
  const queries: Query[] = []
  for (let i = 0; i < keys.length; i += MAX_VALUES) {
    const list = inList(keys.slice(i, i + MAX_VALUES))
    queries.push({ text: query(list.marks), values: [...before, ...list.values] })
  }
  return (yield* queryBatch(queries)).flat()
}

const wrong = (column: string, expected: string): MemoryError =>
  new MemoryError('storage', `The stored value of ${column} is not ${expected}.`, { hint: 'Run `mneme doctor`; the file may be damaged.' })

/** The value of a text column; the functions below do the same for other types. */
export function asText(value: unknown, column: string): string {
  if (typeof value !== 'string') throw wrong(column, 'a text')
  return value
}

export function asNumber(value: unknown, column: string): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint' || (typeof value === 'string' && value !== '')) return Number(value)
  throw wrong(column, 'a number')
}

export function asBytes(value: unknown, column: string): Uint8Array {
  if (value instanceof BytePart) return value.whole.subarray(value.from, value.to)
  if (!(value instanceof Uint8Array)) throw wrong(column, 'a blob')
  return value
}

export function asPart(value: unknown, column: string): BytePart {
  return value instanceof BytePart ? value : new BytePart(asBytes(value, column))
}

export const text = (row: Row, column: string): string => asText(row[column], column)

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column)
}

export const number = (row: Row, column: string): number => asNumber(row[column], column)

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : number(row, column)
}

export const bytes = (row: Row, column: string): Uint8Array => asBytes(row[column], column)

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
