import type { Row, Value } from '../sql/plan.js'

/** What a statement did that answers no rows. */
export interface Changes {
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

export interface PreparedStatement {
  /** Whether it answers rows, be there any or not; one that does is not for `run`. */
  readonly answers: boolean
  run(...values: readonly Value[]): Changes
  all(...values: readonly Value[]): readonly Row[]
  /** The rows as bare values, in the order of the columns. */
  each(visit: (row: readonly unknown[]) => void, ...values: readonly Value[]): void
  get(...values: readonly Value[]): Row | undefined
  /** The first column of the first row. */
  value(...values: readonly Value[]): unknown
}

/**
 * An open file. Failures of SQLite carry its name for them as their `code`, such as `SQLITE_BUSY`, whichever library it
 * comes with. Blobs are some Uint8Array; whole numbers beyond what a number can hold exactly come as the nearest one.
 */
export interface Database {
  readonly driver: DriverName
  readonly isOpen: boolean
  readonly inTransaction: boolean
  prepare(text: string): PreparedStatement
  /** One or more statements whose rows do not matter. */
  exec(text: string): void
  /** Answers the first column of the first row, if there is one. */
  pragma(text: string): unknown
  /** Lets statements of this connection call a function, which may answer something else each time. */
  define(name: string, call: (...values: unknown[]) => Value): void
  /** Copies the file as it is at one moment, while others go on writing, into one that is empty. */
  backup(target: string): Promise<void>
  /** For the time of the work, tables that SQLite keeps for itself can be written. */
  unguarded(work: () => void): void
  /** Another file, or the same once more, by the same library. */
  open(file: string, options?: OpenOptions): Database
  close(): void
}

export interface OpenOptions {
  readonly readonly?: boolean
  /** Otherwise one that is missing is made, unless it is only for reading. */
  readonly mustExist?: boolean
  /** How long a statement waits for others, while nothing else happens in this process. */
  readonly timeoutMs?: number
}

/** One of the libraries through which SQLite is used. */
export interface Driver {
  readonly name: DriverName
  open(file: string, options?: OpenOptions): Database
}

export type DriverName = 'node:sqlite' | 'better-sqlite3'

export const WAIT_MS = 5000

/** Naming the values here takes a quarter less time than rows that the library names. */
export function toRow(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ''] = values[i]
  return row
}
