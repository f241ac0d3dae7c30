import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MemoryError } from '../../errors.js'
import type { Database, Driver } from './driver.js'
import { defaultDriver } from './driver-choice.js'
import { fromSqlite } from './failure.js'
import { hasLog, openDatabase, refuseForeign, userVersion } from './open-file.js'
import { MIGRATIONS } from './schema.js'

interface FileForReading {
  readonly db: Database
  /** True if another process changed the file and this copy is out of date. */
  isStale(): boolean
  /** Call after closing. */
  dispose(): void
}

const may = (path: string, what: number): boolean => {
  try {
    accessSync(path, what)
    return true
  } catch {
    return false
  }
}

/** True if the store is readable, but the file or its folder is not writable. */
export function mayOnlyRead(file: string): boolean {
  if (!may(file, constants.R_OK) || statSync(file).size === 0) return false
  return !may(file, constants.W_OK) || !may(dirname(file), constants.W_OK | constants.X_OK)
}

/**
 * SQLite reads a file with a log only if it can write, or if the log's index exists because another process has the store open or was
 * killed: then the file is read directly, with later writes. Otherwise no process writes, and a copy is read together with the log of a
 * killed process.
 */
export function openForReading(file: string, driver = defaultDriver()): FileForReading {
  refuseForeign(file)
  return (existsSync(`${file}-shm`) ? openInPlace(file, driver) : undefined) ?? openCopy(file, driver)
}

function openInPlace(file: string, driver: Driver): FileForReading | undefined {
  let db: Database | undefined
  try {
    db = driver.open(file, { readonly: true })
    if (userVersion(db) === MIGRATIONS.length) return { db, isStale: () => false, dispose: () => undefined }
  } catch (error) {
    // The index of the log may exist but be unreadable.
    if (fromSqlite(error, file) === error) throw error
  }
  db?.close()
  return undefined
}

/** Changes with every write to the file or its log. */
const stateOf = (file: string): string =>
  ['', '-wal', '-shm']
    .map((side) => statSync(`${file}${side}`, { throwIfNoEntry: false }))
    .map((seen) => (seen === undefined ? '-' : `${seen.ino}:${seen.size}:${seen.mtimeMs}`))
    .join(' ')

function openCopy(file: string, driver: Driver): FileForReading {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-read-'))
  const copy = join(folder, 'mneme.db')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const before = stateOf(file)
    for (const side of hasLog(file) ? ['', '-wal'] : ['']) {
      copyFileSync(`${file}${side}`, `${copy}${side}`, constants.COPYFILE_FICLONE)
      chmodSync(`${copy}${side}`, 0o600)
    }
    if (stateOf(file) !== before)
      throw new MemoryError('unavailable', `${file} was written to while it was copied for reading.`, { hint: 'Retry.' })
    const db = openDatabase(copy, driver)
    // An open file needs no name, so nothing remains when the process ends. Windows cannot remove open files.
    if (process.platform !== 'win32') remove()
    return { db, isStale: () => stateOf(file) !== before, dispose: remove }
  } catch (error) {
    remove()
    throw error
  }
}

export const refuseWriting = (file: string): MemoryError =>
  new MemoryError('storage', `${file} is read-only.`, {
    hint: 'Make the file and its folder writable, or choose another --data-dir.',
  })
