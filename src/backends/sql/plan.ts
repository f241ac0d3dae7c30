import type { Json, JsonObject } from '../../core/encoding/json.js'
import { MemoryError } from '../../errors.js'
import { BytePart } from '../byte-part.js'

export type Value = string | number | bigint | null | Uint8Array

export interface Query {
  /**
   * Placeholders are `?`; an engine that wants numbered ones renders them. A plus before a column keeps the planner of
   * SQLite off an index of that column; an engine whose planner needs no such hint leaves it out.
   */
  readonly text: string
  readonly values: readonly Value[]
  /** A change that answers how many rows it touched, as `affected`. */
  readonly counted?: boolean
  /** Takes the rows one by one as bare values, in the order of the columns, for long readings: naming them costs as much as reading them. A blob is an array or a part of one. No rows are answered. */
  readonly each?: (values: readonly unknown[]) => void
  /** What the values of such a row are, for an engine that sends them as bytes. */
  readonly kinds?: readonly Kind[]
}

export type Kind = 'int' | 'real' | 'text' | 'bytes'

export type Row = Readonly<Record<string, unknown>>

/**
 * Statements as data: a plan yields lists of queries and receives the rows of each. The same plan runs in one synchronous
 * transaction of SQLite, one query after the other, or over the round trips of a server, one list at a time, so every
 * statement is written once. A server may have to run a plan again, so it changes nothing outside of the database.
 */
export type Plan<T> = Generator<readonly Query[], T, readonly (readonly Row[])[]>

export interface Connection {
  /** The engine's own way of reading very many rows; without it they are read page by page. */
  streamRows?(reading: RowStream): Promise<void>
  read<T>(plan: () => Plan<T>): Promise<T>
  /** One transaction, which sees and leaves a state that no other has a part in. */
  write<T>(plan: () => Plan<T>, options?: WriteOptions<T>): Promise<T>
}

/** A reading of many rows in the order of their first column, which is a whole number. */
export interface RowStream {
  /** About how many there are. */
  readonly rows: number
  /** The rows behind one of them, at most so many, of known kinds. */
  query(after: number, limit: number): Query & { readonly kinds: readonly Kind[] }
  /** Gets a row as bare values, in the order of the columns. */
  take(values: readonly unknown[]): void
}

export interface WriteOptions<T> {
  /** False may lose the write (never more) in a power cut: only for derived rows. */
  readonly durable?: boolean
  /** Whose rows it changes: writes for the same owner may share a transaction. */
  readonly owners?: readonly string[]
  /**
   * Tells whether an earlier try has been committed after all, and what it answered. Run first in a try after a
   * connection was lost; without it such a write is tried again as it is.
   */
  readonly earlier?: () => Plan<T | undefined>
}

/** Queries that need nothing of each other's answers: a server is sent them in one trip. */
export function* queryBatch(queries: readonly Query[]): Plan<readonly (readonly Row[])[]> {
  return queries.length === 0 ? [] : yield queries
}

/**
 * Runs plans that need nothing of each other side by side: what they ask at the same step is asked together, so a server is
 * sent as many trips as the longest of them takes.
 */
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

/** Two that answer different things. */
export function* runPair<A, B>(one: Plan<A>, other: Plan<B>): Plan<readonly [A, B]> {
  let first: { readonly value: A } | undefined
  let second: { readonly value: B } | undefined
  function* keep<T>(plan: Plan<T>, put: (value: T) => void): Plan<void> {
    put(yield* plan)
  }
  yield* runInLockstep([
    keep(one, (value) => {
      first = { value }
    }),
    keep(other, (value) => {
      second = { value }
    }),
  ])
  if (first === undefined || second === undefined) throw new MemoryError('internal', 'A plan has ended without an answer.')
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

/** Reads rows as bare values, in the order of the columns. Answers nothing. */
export function* each(visit: (values: readonly unknown[]) => void, query: Query): Plan<void> {
  yield [{ ...query, each: visit }]
}

/** How many rows a statement changed. */
export function* countAffected(statement: string, ...values: readonly Value[]): Plan<number> {
  const [row] = yield* ask({ text: statement, values, counted: true })
  return row === undefined ? 0 : number(row, 'affected')
}

/** Runs queries whose rows do not matter. */
export function* all(queries: readonly Query[]): Plan<void> {
  yield* queryBatch(queries)
}

const STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
/** Every engine takes so many values in one statement; a question looks at fewer rows than that. */
const MAX_VALUES = 1024

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
  const queries: Query[] = []
  for (let i = 0; i < keys.length; i += MAX_VALUES) {
    const list = inList(keys.slice(i, i + MAX_VALUES))
    queries.push({ text: query(list.marks), values: [...before, ...list.values] })
  }
  return (yield* queryBatch(queries)).flat()
}

const wrong = (column: string, expected: string): MemoryError =>
  new MemoryError('storage', `The stored value of ${column} is not ${expected}.`, { hint: 'Run `mneme doctor`; the file may be damaged.' })

/** A bare value of a column that holds texts; the others likewise. */
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
