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
import { fromSqlite, isUnsettled, RESTORE } from './failure.js'
import { MIGRATIONS } from './schema.js'

/** "mnem" as a number: tells our files from other SQLite files. */
export const APPLICATION_ID = 0x6d6e656d

/** SQLite would let everyone read what it creates; its logs take the mode of the file. */
export function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw new MemoryError('storage', `${file} cannot be made: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'Check the folder, its permissions and its free space, or choose another with --data-dir.',
      cause: error,
    })
  }
}

/** Files that are written next to the database under names made from its own. */
const COMPANIONS = ['-wal', '-shm', '-journal', '-reserve', '-count']

/** A link under one of these names would have its target overwritten. */
function refuseLinkedCompanions(file: string): void {
  for (const suffix of COMPANIONS) {
    const path = `${file}${suffix}`
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue
    throw new MemoryError('storage', `${path} is a link; it must be a file of the store.`, {
      hint: 'Remove the link. Nothing was written to its target.',
    })
  }
}

/** Opens or creates the file, checks that it is ours and readable, and brings it to the newest layout. */
export function openDatabase(file: string, driver = defaultDriver()): Database {
  prepareDirectory(file)
  refuseLinkedCompanions(file)
  refuseForeign(file)
  let db: Database | undefined
  try {
    if (!existsSync(file)) createPrivate(file)
    const inherits = hasLog(file)
    db = driver.open(file)
    // Only DDL and pragmas wait like this; writes wait without blocking, see the connection.
    db.pragma('busy_timeout = 60000')
    // What is deleted is overwritten: a page that is free otherwise still holds its texts.
    db.pragma('secure_delete = ON')
    migrate(db, file)
    db.pragma('journal_mode = WAL')
    db.pragma('foreign_keys = ON')
    db.pragma('temp_store = MEMORY')
    db.pragma('cache_size = -32768')
    db.pragma('journal_size_limit = 67108864')
    // Reading makes the log, if there is none yet.
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
 * The end of a log that someone left may be in the memory of the system alone, after a flush that failed. What is
 * written behind it would be lost with it, so its pages are written to the file, and flushed, before anything else is.
 */
function settleLog(db: Database): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch (error) {
    if (isUnsettled(error)) throw error
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
        hint: 'Make it a directory you may write to, or choose another with --data-dir (or MNEME_DATA_DIR).',
        cause: error,
      },
    )
  }
}

/** Step by step: the recursive mode of `mkdir` never returns where the system takes no directories, as under /proc. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) {
    if (!statSync(directory).isDirectory()) throw new Error('it is a file')
    return
  }
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it in between.
    if (existsSync(directory)) return
    const link = lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink() === true
    throw link ? new Error(`it is a link to ${readlinkSync(directory)}, which is not there`) : error
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
      hint: 'Nothing was changed. Give yourself the right to read and write it (`chmod u+rw`), or choose another --data-dir.',
      cause: error,
    })
  }
  return head
}

function migrate(db: Database, file: string): void {
  const version = userVersion(db)
  if (version > MIGRATIONS.length) {
    throw new MemoryError('storage', `${file} was written by a newer mneme (layout ${version}, this program knows ${MIGRATIONS.length}).`, {
      hint: 'Nothing was changed. Upgrade mneme, or choose another --data-dir.',
    })
  }
  if (version === MIGRATIONS.length) return
  if (version === 0 && db.prepare('SELECT count(*) FROM sqlite_schema').value() !== 0 && db.pragma('application_id') !== APPLICATION_ID) {
    throw new MemoryError('storage', `${file} is an SQLite file of another program.`, {
      hint: 'Nothing was changed. Choose another --data-dir.',
    })
  }
  // Counts for a file without tables only; one that has some is written anew below.
  db.pragma('auto_vacuum = INCREMENTAL')
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have been faster while this one waited for the lock.
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
    // A full disk has ended the transaction already.
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Whoever holds the lock keeps others from writing, so a second connection reads what is to be migrated, its log included. */
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
 * The first layout left deleted texts in its pages, and neither of the first two could give free pages back. Where there
 * is no room to write the file anew, it stays as it is.
 */
function tryRewriting(db: Database): void {
  try {
    rewriteFile(db)
  } catch {
    return
  }
}

/** Writes the whole file anew, without free pages and so that later ones can be given back in slices. */
export function rewriteFile(db: Database): void {
  db.pragma('auto_vacuum = INCREMENTAL')
  db.exec('VACUUM')
}

export const userVersion = (db: Database): number => Number(db.pragma('user_version'))
