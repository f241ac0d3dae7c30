import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { MemoryError } from '../../errors.js'
import type { Database } from './driver.js'
import { defaultDriver } from './driver-choice.js'
import { fromSqlite, hasUnknownOutcome, RESTORE } from './failure.js'
import { MIGRATIONS } from './schema.js'

/** "mnem" as an integer, which identifies mneme's files. */
export const APPLICATION_ID = 0x6d6e656d

/** SQLite would create a file that everyone can read; its logs take the mode of the file. */
export function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw new MemoryError('storage', `${file} cannot be created: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'Check the folder, its permissions and its free space, or choose another with --data-dir.',
      cause: error,
    })
  }
}

/** Files that are written next to the database under names made from its own. */
const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal', '-reserve', '-count']

/** A link under one of these names would have its target overwritten. */
function refuseLinkedCompanions(file: string): void {
  for (const suffix of COMPANION_SUFFIXES) {
    const path = `${file}${suffix}`
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue
    throw new MemoryError('storage', `${path} is a link; it must be a file of the store.`, {
      hint: 'Remove the link. Nothing was written to its target.',
    })
  }
}

/** Opens or creates the file, checks that it is a readable mneme store, and migrates it to the newest schema. */
export function openDatabase(file: string, driver = defaultDriver()): Database {
  prepareDirectory(file)
  refuseLinkedCompanions(file)
  refuseForeign(file)
  let db: Database | undefined
  try {
    if (!existsSync(file)) createPrivate(file)
    const inherits = hasLog(file)
    db = driver.open(file)
    // Only DDL and pragmas block like this; writes wait without blocking, see the connection.
    db.pragma('busy_timeout = 60000')
    // Overwrites deleted data; otherwise free pages keep it.
    db.pragma('secure_delete = ON')
    migrate(db, file)
    db.pragma('journal_mode = WAL')
    db.pragma('foreign_keys = ON')
    db.pragma('temp_store = MEMORY')
    db.pragma('cache_size = -32768')
    db.pragma('journal_size_limit = 67108864')
    // Reading creates the log if there is none.
    userVersion(db)
    if (inherits) settleLog(db)
    db.pragma('busy_timeout = 0')
    return db
  } catch (error) {
    db?.close()
    throw fromSqlite(error, file)
  }
}

export const hasLog = (file: string): boolean => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * After a failed flush, the end of a log may be in the page cache only. Later writes would be lost with it, so its pages are written to the
 * file and flushed first.
 */
function settleLog(db: Database): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch (error) {
    if (hasUnknownOutcome(error)) throw error
  }
}

export function prepareDirectory(file: string): void {
  const directory = dirname(file)
  try {
    makeDirectory(directory)
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new MemoryError(
      'storage',
      `The data directory ${directory} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      {
        hint: 'Make it a writable directory, or choose another with --data-dir (or MNEME_DATA_DIR).',
        cause: error,
      },
    )
  }
}

/** One level at a time: recursive `mkdir` never returns if the system rejects directories, as below /proc. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) {
    if (!statSync(directory).isDirectory()) throw new Error('it is a file')
    return
  }
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (existsSync(directory)) return
    const link = lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink() === true
    throw link ? new Error(`it is a link to ${readlinkSync(directory)}, which does not exist`) : error
  }
}

export function refuseForeign(file: string): void {
  if (!existsSync(file)) return
  if (!statSync(file).isFile())
    throw new MemoryError('storage', `${file} is not a file.`, { hint: 'Move it away or choose another --data-dir.' })
  if (statSync(file).size === 0) return
  const head = readHead(file)
  if (head.toString('latin1', 0, 15) !== 'SQLite format 3') {
    throw new MemoryError('storage', `${file} is damaged or not a mneme file.`, {
      hint: `Nothing was changed. ${RESTORE}, or choose another --data-dir.`,
    })
  }
  const id = head.readUInt32BE(68)
  if (id !== APPLICATION_ID && id !== 0) {
    throw new MemoryError('storage', `${file} belongs to another program.`, { hint: 'Nothing was changed. Choose another --data-dir.' })
  }
}

function readHead(file: string): Buffer {
  const head = Buffer.alloc(72)
  try {
    const handle = openSync(file, 'r')
    try {
      readSync(handle, head, 0, 72, 0)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    throw new MemoryError('storage', `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'Nothing was changed. Make it readable and writable (`chmod u+rw`), or choose another --data-dir.',
      cause: error,
    })
  }
  return head
}

function migrate(db: Database, file: string): void {
  const version = userVersion(db)
  if (version > MIGRATIONS.length) {
    throw new MemoryError(
      'storage',
      `${file} was written by a newer mneme (schema ${version}, this version supports ${MIGRATIONS.length}).`,
      {
        hint: 'Nothing was changed. Upgrade mneme, or choose another --data-dir.',
      },
    )
  }
  if (version === MIGRATIONS.length) return
  if (version === 0 && db.prepare('SELECT count(*) FROM sqlite_schema').value() !== 0 && db.pragma('application_id') !== APPLICATION_ID) {
    throw new MemoryError('storage', `${file} is an SQLite file of another program.`, {
      hint: 'Nothing was changed. Choose another --data-dir.',
    })
  }
  // Only has an effect on an empty file; others are rewritten below.
  db.pragma('auto_vacuum = INCREMENTAL')
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have migrated the file while this one waited for the lock.
    const present = userVersion(db)
    if (present > 0 && present < MIGRATIONS.length) keepCopy(db, file, present)
    for (const step of MIGRATIONS.slice(present)) {
      for (const part of step) {
        if (typeof part === 'string') db.exec(part)
        else part(db)
      }
    }
    db.pragma(`application_id = ${APPLICATION_ID}`)
    db.pragma(`user_version = ${MIGRATIONS.length}`)
    db.exec('COMMIT')
    if (present > 0) tryRewriting(db)
  } catch (error) {
    // A full disk has rolled the transaction back already.
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** A process with the lock excludes writers, so a second connection copies the file before the migration, including its log. */
function keepCopy(db: Database, file: string, version: number): void {
  const copy = `${file}.v${version}.bak`
  if (existsSync(copy)) return
  const partial = `${copy}.partial`
  rmSync(partial, { force: true })
  const reader = db.open(file, { readonly: true })
  try {
    reader.prepare('VACUUM INTO ?').run(partial)
    chmodSync(partial, 0o600)
    renameSync(partial, copy)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  } finally {
    reader.close()
  }
}

/**
 * The first schema kept deleted texts in its pages, and neither of the first two could release free pages. Without space to rewrite the
 * file, it stays as it is.
 */
function tryRewriting(db: Database): void {
  try {
    rewriteFile(db)
  } catch {
    return
  }
}

/** Rewrites the file without free pages, so that later ones can be released in slices. */
export function rewriteFile(db: Database): void {
  db.pragma('auto_vacuum = INCREMENTAL')
  db.exec('VACUUM')
}

export const userVersion = (db: Database): number => Number(db.pragma('user_version'))
