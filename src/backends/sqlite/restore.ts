import {
  accessSync,
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isBrokenModule } from '../../core/files/broken-module.js'
import { MemoryError } from '../../errors.js'
import { COUNT_SUFFIX, forgetCount } from './commit-count.js'
import { flushFile, flushFolder, nameOfCopy } from './copies.js'
import type { Database, Driver } from './driver.js'
import { defaultDriver } from './driver-choice.js'
import { isBusy } from './failure.js'
import { lockAlone } from './file-lock.js'
import { APPLICATION_ID, createPrivate, prepareDirectory, userVersion } from './open-file.js'
import { MIGRATIONS } from './schema.js'

export interface Restored {
  /** Where the store that was there before is kept; null when there was none. */
  readonly kept: string | null
}

/** What SQLite reads beside a file and takes for the newest part of it, whoever left it there. */
const LOGS = ['-wal', '-journal'] as const
const SIDE_FILES = [...LOGS, '-shm'] as const

const GIVE_A_BACKUP = 'Give the path of a file that `mneme backup` made.'

/**
 * Puts a backup in the place of a store that nobody has open. Copying the file alone is not enough: the log of a process
 * that was killed would be replayed over it.
 */
export async function restoreStore(backup: string, file: string, driver = defaultDriver()): Promise<Restored> {
  refuseUnreadable(backup, file)
  prepareDirectory(file)
  const lock = lockAlone(file, driver)
  if (lock === undefined) throw inUse(file)
  try {
    return await replace(backup, file, driver)
  } finally {
    lock.release()
  }
}

async function replace(backup: string, file: string, driver: Driver): Promise<Restored> {
  const partial = `${file}.restore`
  const clear = (): void => {
    for (const left of [partial, ...SIDE_FILES.map((side) => `${partial}${side}`)]) rmSync(left, { force: true })
  }
  try {
    clear()
    await copyInto(partial, backup, driver)
    refuseUnsound(partial, backup, driver)
    flushFile(partial)
    refuseInUse(file, driver)
    const kept = setAside(file)
    renameSync(partial, file)
    flushFolder(dirname(file))
    return { kept }
  } catch (error) {
    clear()
    if (error instanceof MemoryError) throw error
    throw new MemoryError('storage', `${backup} cannot be restored to ${file}: ${messageOf(error)}`, {
      hint: `Check the folder ${dirname(file)} and its free space. What was there is still there, or in a file beside it that ends in .bak.`,
      cause: error,
    })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function refuseUnreadable(backup: string, file: string): void {
  const known = statSync(backup, { throwIfNoEntry: false })
  if (known === undefined) throw new MemoryError('not_found', `There is no file ${backup}.`, { hint: GIVE_A_BACKUP })
  if (!known.isFile()) throw new MemoryError('invalid_input', `${backup} is not a file.`, { hint: GIVE_A_BACKUP })
  const present = statSync(file, { throwIfNoEntry: false })
  if (present !== undefined && present.dev === known.dev && present.ino === known.ino)
    throw new MemoryError('invalid_input', `${backup} is the store itself.`, { hint: GIVE_A_BACKUP })
  try {
    accessSync(backup, constants.R_OK)
  } catch (cause) {
    throw new MemoryError('storage', `${backup} cannot be read: ${messageOf(cause)}`, {
      hint: 'Give yourself the right to read it (`chmod u+r`).',
      cause,
    })
  }
}

/** Never opens a backup in its own place, which may be read-only, unless its newest part lies in a log beside it. */
async function copyInto(partial: string, backup: string, driver: Driver): Promise<void> {
  if (!existsSync(`${backup}-wal`)) return pipeline(createReadStream(backup), createWriteStream(partial, { mode: 0o600 }))
  const db = driver.open(backup)
  try {
    createPrivate(partial)
    await db.backup(partial)
  } finally {
    db.close()
  }
}

function refuseUnsound(copy: string, backup: string, driver: Driver): void {
  const refuse = (what: string, cause?: unknown): MemoryError =>
    new MemoryError('invalid_input', `${backup} ${what}.`, {
      hint: `Nothing was changed. ${GIVE_A_BACKUP}`,
      ...(cause === undefined ? {} : { cause }),
    })
  let db: Database | undefined
  try {
    db = driver.open(copy)
    if (db.pragma('application_id') !== APPLICATION_ID) throw refuse('is not a mneme store')
    const layout = userVersion(db)
    if (layout > MIGRATIONS.length)
      throw refuse(`was written by a newer mneme (layout ${layout}, this program knows ${MIGRATIONS.length}); upgrade mneme`)
    const integrity = db.pragma('quick_check(1)')
    if (integrity !== 'ok') throw refuse(`is damaged: ${String(integrity)}`)
    forgetCount(db)
  } catch (error) {
    if (error instanceof MemoryError || isBrokenModule(error)) throw error
    throw refuse(`is damaged or not a mneme store: ${messageOf(error)}`, error)
  } finally {
    db?.close()
  }
}

const inUse = (file: string, cause?: unknown): MemoryError =>
  new MemoryError('unavailable', `Another process has ${file} open.`, {
    hint: 'Nothing was changed. End every mneme that uses it (`fuser` shows them), then restore again.',
    ...(cause === undefined ? {} : { cause }),
  })

/**
 * Other programs, and versions before the lock, hold only SQLite's own locks, and the one that excludes all others tells.
 * Beside a log with something in it that is taken before the file is read: a damaged file tells as well. Closing folds a
 * log that fits into its file.
 */
function refuseInUse(file: string, driver: Driver): void {
  if (!existsSync(file)) return
  const db = driver.open(file, { timeoutMs: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
    db.exec('ROLLBACK')
  } catch (error) {
    if (!isBusy(error)) return
    throw inUse(file, error)
  } finally {
    db.close()
  }
}

/** The logs go before the file: at no moment do they lie beside a file that is not theirs. */
function setAside(file: string): string | null {
  const kept = nameOfCopy(file)
  const present = existsSync(file)
  if (present) linkOrCopy(file, kept)
  for (const log of [...LOGS, COUNT_SUFFIX]) if (existsSync(`${file}${log}`)) renameSync(`${file}${log}`, `${kept}${log}`)
  rmSync(`${file}-shm`, { force: true })
  return present ? kept : null
}

/** A second name costs no space, but not every file system has them. */
function linkOrCopy(file: string, kept: string): void {
  try {
    linkSync(file, kept)
  } catch {
    copyFileSync(file, kept)
    flushFile(kept)
  }
}
