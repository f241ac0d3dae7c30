import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Database, type Driver, type OpenOptions, type PreparedStatement, toRow, WAIT_MS } from './driver.js'
import { withResultName } from './result-name.js'
import { type Column, unmarked, wholeTexts } from './whole-texts.js'

/** The used part of Node's module; the types of Node 20 lack it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string | URL,
    options: { readonly readOnly: boolean; readonly timeout: number; readonly defensive: boolean },
  ) => NodeDatabase
  backup(source: NodeDatabase, target: string): Promise<number>
}

interface NodeDatabase {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  prepare(text: string): NodeStatement
  exec(text: string): void
  function(name: string, options: { readonly varargs: boolean }, call: (...values: unknown[]) => unknown): void
  /** Newer versions protect SQLite's internal tables by default. */
  enableDefensive?(on: boolean): void
  close(): void
}

interface NodeStatement {
  columns(): readonly Column[]
  setReturnArrays(on: boolean): void
  setReadBigInts(on: boolean): void
  run(...values: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  all(...values: readonly unknown[]): readonly unknown[][]
  get(...values: readonly unknown[]): unknown[] | undefined
}

const require = createRequire(import.meta.url)

/** Node's built-in SQLite. Loaded when the first file is opened. */
export const nodeDriver: Driver = { name: 'node:sqlite', open }

let loaded: NodeSqlite | undefined

/** Suppresses the warning of Node 22 that the module is experimental, which users cannot act on. */
function load(): NodeSqlite {
  if (loaded !== undefined) return loaded
  const emitWarning = process.emitWarning
  process.emitWarning = (...values: readonly unknown[]) => {
    if (!(values[1] === 'ExperimentalWarning' && String(values[0]).startsWith('SQLite is'))) Reflect.apply(emitWarning, process, values)
  }
  try {
    loaded = required()
    return loaded
  } finally {
    process.emitWarning = emitWarning
  }
}

const required = (): NodeSqlite => require('node:sqlite')

/** Failures have SQLite's symbolic names, see `Database`. */
function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw withResultName(error)
  }
}

/** Made absolute, because a path may look like a URL; `mode=rw` does not create a file. */
function addressOf(file: string, mustExist: boolean): string | URL {
  if (!mustExist) return file === ':memory:' ? file : resolve(file)
  const address = pathToFileURL(file)
  address.searchParams.set('mode', 'rw')
  return address
}

function open(file: string, { readonly = false, mustExist = false, timeoutMs = WAIT_MS }: OpenOptions = {}): Database {
  const { DatabaseSync, backup } = load()
  const db = named(
    () => new DatabaseSync(addressOf(file, mustExist && !readonly), { readOnly: readonly, timeout: timeoutMs, defensive: true }),
  )
  return {
    driver: nodeDriver.name,
    get isOpen() {
      return db.isOpen
    },
    get inTransaction() {
      return db.isOpen && db.isTransaction
    },
    prepare: (text) => named(() => prepareIn(db, text)),
    exec: (text) => named(() => db.exec(text)),
    pragma: (text) => named(() => toStatement(db.prepare(`PRAGMA ${text}`), text).value()),
    define: (name, call) => db.function(name, { varargs: true }, call),
    async backup(target) {
      for (let tries = 1; ; tries++) {
        try {
          await backup(db, resolve(target))
          return
        } catch (error) {
          const failure = withResultName(error)
          if (tries === BACKUP_TRIES || !isPassing(failure)) throw failure
          await delay(tries * 20)
        }
      }
    },
    unguarded(work) {
      db.enableDefensive?.(false)
      try {
        work()
      } finally {
        db.enableDefensive?.(true)
      }
    },
    open,
    close: () => db.close(),
  }
}

/** A backup fails if another process writes at the wrong moment, and Node does not always report why. A failed attempt is discarded. */
const BACKUP_TRIES = 20

const isPassing = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && /^SQLITE_(?:OK|BUSY|LOCKED)/.test(String(failure.code))

/** Node 22 binds some empty blobs as NULL, depending on their memory. */
const bound = (value: unknown): unknown => (value instanceof Uint8Array && value.byteLength === 0 ? EMPTY_BLOB : value)

const EMPTY_BLOB = new Uint8Array(1).subarray(0, 0)

const isTooLarge = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

/** Integers that mneme never stores come from damaged files: they are read again as approximate numbers. */
function readLarge(prepared: NodeStatement, values: readonly unknown[]): readonly unknown[][] {
  prepared.setReadBigInts(true)
  try {
    return prepared.all(...values.map(bound)).map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
  } finally {
    prepared.setReadBigInts(false)
  }
}

let cuts: boolean | undefined

/** True if this Node truncates texts at NUL. */
function cutsTexts(db: NodeDatabase): boolean {
  cuts ??= Object.values(db.prepare(`SELECT 'a' || char(0) AS text`).get() ?? {})[0] !== 'a\0'
  return cuts
}

function prepareIn(db: NodeDatabase, text: string): PreparedStatement {
  const prepared = db.prepare(text)
  const columns = prepared.columns()
  const whole = cutsTexts(db) ? wholeTexts(text, columns) : undefined
  if (whole === undefined) return toStatement(prepared, text, columns)
  return toStatement(db.prepare(whole), text, columns, (row) => {
    for (let i = 0; i < row.length; i++) row[i] = unmarked(row[i])
    return row
  })
}

function toStatement(
  prepared: NodeStatement,
  text: string,
  described: readonly Column[] = prepared.columns(),
  mend?: (row: unknown[]) => unknown[],
): PreparedStatement {
  prepared.setReturnArrays(true)
  const columns = described.map(({ name }) => name)
  // The last row id may belong to FTS5 and exceed the range of a number; newer Node versions then throw after the statement has run.
  if (columns.length === 0) prepared.setReadBigInts(true)
  const readsOnly = /^\s*SELECT\b/i.test(text)
  const all = (values: readonly unknown[]): readonly unknown[][] => {
    const rows = read(values)
    if (mend !== undefined) for (const row of rows) mend(row)
    return rows
  }
  const read = (values: readonly unknown[]): readonly unknown[][] => {
    try {
      return prepared.all(...values.map(bound))
    } catch (error) {
      if (readsOnly && isTooLarge(error)) return named(() => readLarge(prepared, values))
      throw withResultName(error)
    }
  }
  const get = (values: readonly unknown[]): unknown[] | undefined => {
    const row = readOne(values)
    return row === undefined || mend === undefined ? row : mend(row)
  }
  const readOne = (values: readonly unknown[]): unknown[] | undefined => {
    try {
      // A statement without rows runs as well.
      return columns.length === 0 ? void prepared.run(...values.map(bound)) : prepared.get(...values.map(bound))
    } catch (error) {
      if (readsOnly && isTooLarge(error)) return read(values)[0]
      throw withResultName(error)
    }
  }
  return {
    answers: columns.length > 0,
    run(...values) {
      try {
        const { changes, lastInsertRowid } = prepared.run(...values.map(bound))
        return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
      } catch (error) {
        throw withResultName(error)
      }
    },
    each(visit, ...values) {
      for (const row of all(values)) visit(row)
    },
    all: (...values) => all(values).map((row) => toRow(columns, row)),
    get(...values) {
      const row = get(values)
      return row === undefined ? undefined : toRow(columns, row)
    },
    value: (...values) => get(values)?.[0],
  }
}
