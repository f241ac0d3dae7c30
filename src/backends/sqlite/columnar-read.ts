import { BytePart } from '../byte-part.js'
import type { Kind, Query } from '../sql/plan/plan.js'
import type { PreparedStatement } from './driver.js'

/**
 * SQLite's JSON has too few digits for a double, and older versions get the last one wrong. Scales of vectors are therefore multiplied by a
 * power of two and written as integers, which is lossless; other numbers are written with 17 digits.
 */
const [MIN_SCALE, MAX_SCALE] = [2.99e-8, 6.1e-5]
const wholeOf = (column: string): string => `CAST(${column} * ${2 ** 38}.0 * ${2 ** 39}.0 AS INTEGER)`
const digitsOf = (column: string): string => `iif(${column} IS NULL, NULL, printf('%!.17g', ${column}))`
const fromWhole = 2 ** -77

/** A column of all rows as one value: the values, and for blobs their lengths. */
const COLUMN_AGGREGATES: Readonly<Record<Kind, (column: string) => string>> = {
  int: (column) => `json_group_array(${column})`,
  text: (column) => `json_group_array(${column})`,
  real: (column) => `json_group_array(iif(${column} BETWEEN ${MIN_SCALE} AND ${MAX_SCALE}, ${wholeOf(column)}, ${digitsOf(column)}))`,
  bytes: (column) => `json_group_array(length(${column})), CAST(group_concat(${column}, '') AS BLOB)`,
}

type Column = readonly unknown[]

/**
 * Reads the rows of a long query with known column types as one row: SQLite collects each column into one JSON text or one blob. Creating
 * an object for every value, above all for every blob, takes twice as long as reading it. Returns false, and visits nothing, if a value
 * does not have its column's type, as in a damaged file; a read row by row then reports the value.
 */
export function visitGathered(prepare: (text: string) => PreparedStatement, { text, values, each, kinds }: Query): boolean {
  if (each === undefined || kinds === undefined) return false
  const gathered = attempt(() => readColumns(prepare(gatheringStatement(text, kinds)), values))
  return gathered !== undefined && visitColumns(gathered, kinds, each)
}

/** A statement that returns the rows of another as one. */
export function gatheringStatement(text: string, kinds: readonly Kind[]): string {
  const columns = kinds.map((_, i) => `c${i}`)
  return `WITH gathered(${columns.join(', ')}) AS (${text}) SELECT ${kinds.map((kind, i) => COLUMN_AGGREGATES[kind](`c${i}`)).join(', ')} FROM gathered`
}

/** Visits the rows in the result of such a statement; false as above. */
export function visitColumns(gathered: readonly unknown[], kinds: readonly Kind[], visit: (values: readonly unknown[]) => void): boolean {
  const rows = attempt(() => columnsOf(gathered, kinds))
  if (rows === undefined) return false
  const [first = []] = rows
  for (let i = 0; i < first.length; i++) visit(rows.map((column) => column[i]))
  return true
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    // A read row by row fails at the same value and reports it.
    return undefined
  }
}

/** The single row of such a statement. */
export function readColumns(statement: PreparedStatement, values: Query['values']): readonly unknown[] {
  let gathered: readonly unknown[] = []
  statement.each(
    (row) => {
      gathered = row
    },
    ...values,
  )
  return gathered
}

function columnsOf(gathered: readonly unknown[], kinds: readonly Kind[]): readonly Column[] | undefined {
  const columns: Column[] = []
  let index = 0
  for (const kind of kinds) {
    const list = parsed(gathered[index++])
    const column = kind === 'bytes' ? cut(gathered[index++], list) : kind === 'real' ? list.map(exact) : list
    if (column === undefined) return undefined
    columns.push(column)
  }
  return columns
}

const parsed = (value: unknown): Column => {
  const list: unknown = JSON.parse(String(value))
  return Array.isArray(list) ? list : []
}

const exact = (value: unknown): unknown => (typeof value === 'number' ? value * fromWhole : value === null ? null : Number(value))

function cut(blob: unknown, lengths: Column): Column | undefined {
  const whole = blob instanceof Uint8Array ? blob : new Uint8Array(0)
  let index = 0
  const column = lengths.map((length) => {
    if (typeof length !== 'number') return null
    const from = index
    index += length
    return new BytePart(whole, from, index)
  })
  return index === whole.byteLength ? column : undefined
}
