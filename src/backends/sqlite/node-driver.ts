import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Changes, type Database, type Driver, type OpenOptions, type Statement, toRow, WAIT_MS } from './driver.js'
import { withResultName } from './result-name.js'

/** As much of Node's module as is used here; the types of Node 20 do not know it. */
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
  /** Newer versions guard the tables that SQLite keeps for itself, unless told otherwise. */
  enableDefensive?(on: boolean): void
  close(): void
}

interface NodeStatement {
  columns(): readonly { readonly name: string }[]
  setReturnArrays(on: boolean): void
  setReadBigInts(on: boolean): void
  run(...values: readonly unknown[]): Changes
  all(...values: readonly unknown[]): readonly unknown[][]
  get(...values: readonly unknown[]): unknown[] | undefined
}

const require = createRequire(import.meta.url)

/** Node's own SQLite. It is loaded when the first file is opened. */
export const nodeDriver: Driver = { name: 'node:sqlite', open }

let loaded: NodeSqlite | undefined

/** Node 22 says on the error output that this module may still change, which nobody who runs the program can do anything about. */
function load(): NodeSqlite {
  if (loaded !== undefined) return loaded
  const emitWarning = process.emitWarning
  process.emitWarning = (...given: readonly unknown[]) => {
    if (!(given[1] === 'ExperimentalWarning' && String(given[0]).startsWith('SQLite is'))) Reflect.apply(emitWarning, process, given)
  }
  try {
    loaded = required()
    return loaded
  } finally {
    process.emitWarning = emitWarning
  }
}

const required = (): NodeSqlite => require('node:sqlite')

/** The names of failures are those of SQLite, see `Database`. */
function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw withResultName(error)
  }
}

/** A path that begins like an address would be read as one, so it is made absolute; `mode=rw` makes no file. */
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
    get isOpen() {
      return db.isOpen
    },
    get inTransaction() {
      return db.isOpen && db.isTransaction
    },
    prepare: (text) => named(() => toStatement(db.prepare(text), text)),
    exec: (text) => named(() => db.exec(text)),
    pragma: (text) => named(() => toStatement(db.prepare(`PRAGMA ${text}`), text).value()),
    define: (name, call) => db.function(name, { varargs: true }, call),
    async backup(target) {
      try {
        await backup(db, resolve(target))
      } catch (error) {
        throw withResultName(error)
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

const isTooLarge = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

/** Numbers that this program never stores come from files that are damaged: they are read as near as can be, once more. */
function readLarge(prepared: NodeStatement, values: readonly unknown[]): readonly unknown[][] {
  prepared.setReadBigInts(true)
  try {
    return prepared.all(...values).map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
  } finally {
    prepared.setReadBigInts(false)
  }
}

function toStatement(prepared: NodeStatement, text: string): Statement {
  prepared.setReturnArrays(true)
  const columns = prepared.columns().map(({ name }) => name)
  const readsOnly = /^\s*SELECT\b/i.test(text)
  const all = (values: readonly unknown[]): readonly unknown[][] => {
    try {
      return prepared.all(...values)
    } catch (error) {
      if (readsOnly && isTooLarge(error)) return named(() => readLarge(prepared, values))
      throw withResultName(error)
    }
  }
  const get = (values: readonly unknown[]): unknown[] | undefined => {
    try {
      // One that answers no rows is carried out all the same.
      return columns.length === 0 ? void prepared.run(...values) : prepared.get(...values)
    } catch (error) {
      if (readsOnly && isTooLarge(error)) return all(values)[0]
      throw withResultName(error)
    }
  }
  return {
    answers: columns.length > 0,
    run(...values) {
      try {
        return prepared.run(...values)
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
