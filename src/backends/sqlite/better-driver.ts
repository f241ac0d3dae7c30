import { createRequire } from 'node:module'
import type Better from 'better-sqlite3'
import { type Database, type Driver, type OpenOptions, type PreparedStatement, toRow, WAIT_MS } from './driver.js'

const require = createRequire(import.meta.url)

/** The package better-sqlite3, for Node versions without a usable built-in SQLite. Loaded when the first file is opened. */
export const betterDriver: Driver = { name: 'better-sqlite3', open }

/** Some installers hide transitive packages; this one is then resolved through the package that depends on it. */
function load(): typeof Better {
  try {
    return require('better-sqlite3')
  } catch (failure) {
    if (!isInstalled('mneme-sqlite')) throw failure
    return require('mneme-sqlite')
  }
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}

function open(file: string, { readonly = false, mustExist = false, timeoutMs = WAIT_MS }: OpenOptions = {}): Database {
  const Connection = load()
  const db = new Connection(file, { readonly, fileMustExist: mustExist, timeout: timeoutMs })
  return {
    driver: betterDriver.name,
    get isOpen() {
      return db.open
    },
    get inTransaction() {
      return db.inTransaction
    },
    prepare: (text) => toStatement(db.prepare<unknown[], unknown[]>(text)),
    exec: (text) => void db.exec(text),
    pragma: (text) => db.pragma(text, { simple: true }),
    define: (name, call) => void db.function(name, { deterministic: false, varargs: true }, call),
    backup: async (target) => void (await db.backup(target)),
    unguarded(work) {
      db.unsafeMode(true)
      try {
        work()
      } finally {
        db.unsafeMode(false)
      }
    },
    open,
    close: () => void db.close(),
  }
}

function toStatement(prepared: Better.Statement<unknown[], unknown[]>): PreparedStatement {
  const answers = prepared.reader
  if (answers) prepared.raw()
  const columns = answers ? prepared.columns().map(({ name }) => name) : []
  return {
    answers,
    run: (...values) => prepared.run(...values),
    all: (...values) => prepared.all(...values).map((row) => toRow(columns, row)),
    each(visit, ...values) {
      for (const row of prepared.all(...values)) visit(row)
    },
    get(...values) {
      const row = prepared.get(...values)
      return row === undefined ? undefined : toRow(columns, row)
    },
    value: (...values) => prepared.get(...values)?.[0],
  }
}
