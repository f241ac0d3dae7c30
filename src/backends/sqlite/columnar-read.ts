import { BytePart } from '../byte-part.js'
import type { Kind, Query } from '../sql/plan.js'
import type { PreparedStatement } from './driver.js'

/**
 * JSON has fewer digits than a double needs, and older versions of SQLite do not get the last one right. Scales of vectors
 * become whole numbers, by a power of two, which changes no bit of them; other numbers are written with 17 digits.
 */
const [LEAST, MOST] = [2.99e-8, 6.1e-5]
const wholeOf = (column: string): string => `CAST(${column} * ${2 ** 38}.0 * ${2 ** 39}.0 AS INTEGER)`
const digitsOf = (column: string): string => `iif(${column} IS NULL, NULL, printf('%!.17g', ${column}))`
const fromWhole = 2 ** -77

/** A column of the gathered row, as one value: what is in it, and for blobs how long each is. */
const GATHERED: Readonly<Record<Kind, (column: string) => string>> = {
  int: (column) => `json_group_array(${column})`,
  text: (column) => `json_group_array(${column})`,
  real: (column) => `json_group_array(iif(${column} BETWEEN ${LEAST} AND ${MOST}, ${wholeOf(column)}, ${digitsOf(column)}))`,
  bytes: (column) => `json_group_array(length(${column})), CAST(group_concat(${column}, '') AS BLOB)`,
}

type Column = readonly unknown[]

/**
 * Reads the rows of a long query whose columns are known as one row: each column is gathered by SQLite into one JSON text
 * or one blob. To make every value, and above all every blob, an object of its own costs twice as much as reading it.
 * False, and nothing visited, where a value is not of its column's kind, as in a damaged file: read row by row, that is
 * found and named.
 */
export function visitGathered(prepare: (text: string) => PreparedStatement, { text, values, each, kinds }: Query): boolean {
  if (each === undefined || kinds === undefined) return false
  const gathered = attempt(() => readColumns(prepare(gatheringStatement(text, kinds)), values))
  return gathered !== undefined && visitColumns(gathered, kinds, each)
}

/** A statement that answers the rows of another as one. */
export function gatheringStatement(text: string, kinds: readonly Kind[]): string {
  const columns = kinds.map((_, i) => `c${i}`)
  return `WITH gathered(${columns.join(', ')}) AS (${text}) SELECT ${kinds.map((kind, i) => GATHERED[kind](`c${i}`)).join(', ')} FROM gathered`
}

/** Visits the rows that such a statement has answered as one; false as above. */
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
    // Whatever it is: row by row the same fails again, and says at which value.
    return undefined
  }
}

/** The one row of such a statement. */
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
  let at = 0
  for (const kind of kinds) {
    const list = parsed(gathered[at++])
    const column = kind === 'bytes' ? cut(gathered[at++], list) : kind === 'real' ? list.map(exact) : list
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
  let at = 0
  const column = lengths.map((length) => {
    if (typeof length !== 'number') return null
    const from = at
    at += length
    return new BytePart(whole, from, at)
  })
  return at === whole.byteLength ? column : undefined
}
