import type { Row, Value } from '../sql/plan/plan.js'

/** The effect of a statement without rows. */
export interface Changes {
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

export interface PreparedStatement {
  /** True if it returns rows; `run` is for statements that do not. */
  readonly answers: boolean
  run(...values: readonly Value[]): Changes
  all(...values: readonly Value[]): readonly Row[]
  /** Visits rows as arrays in column order. */
  each(visit: (row: readonly unknown[]) => void, ...values: readonly Value[]): void
  get(...values: readonly Value[]): Row | undefined
  /** The first column of the first row. */
  value(...values: readonly Value[]): unknown
}

/**
 * An open file. Failures of SQLite have its symbolic name as `code`, such as `SQLITE_BUSY`, with every library. Blobs are Uint8Arrays;
 * integers beyond the exact range of a number are rounded.
 */
export interface Database {
  readonly driver: DriverName
  readonly isOpen: boolean
  readonly inTransaction: boolean
  prepare(text: string): PreparedStatement
  /** One or more statements without results. */
  exec(text: string): void
  /** Returns the first column of the first row, if any. */
  pragma(text: string): unknown
  /** Defines a non-deterministic function for statements of this connection. */
  define(name: string, call: (...values: unknown[]) => Value): void
  /** Copies a consistent state of the file into an empty one, while other connections write. */
  backup(target: string): Promise<void>
  /** Allows writes to SQLite's internal tables while `work` runs. */
  unguarded(work: () => void): void
  /** Opens a file with the same library. */
  open(file: string, options?: OpenOptions): Database
  close(): void
}

export interface OpenOptions {
  readonly readonly?: boolean
  /** Otherwise a missing file is created, unless read-only. */
  readonly mustExist?: boolean
  /** How long a statement waits for a lock, blocking this process. */
  readonly timeoutMs?: number
}

/** A library that provides SQLite. */
export interface Driver {
  readonly name: DriverName
  open(file: string, options?: OpenOptions): Database
}

export type DriverName = 'node:sqlite' | 'better-sqlite3'

export const WAIT_MS = 5000

/** Naming the values here is a quarter faster than in the library. */
export function toRow(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i] ?? ''] = values[i]
  return row
}
