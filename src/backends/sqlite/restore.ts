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

interface RestoredFile {
  /** Path of the previous store; null if there was none. */
  readonly kept: string | null
}

/** Files that SQLite reads as the newest part of a store. */
const LOG_SUFFIXES = ['-wal', '-journal'] as const
const SIDE_FILES = [...LOG_SUFFIXES, '-shm'] as const

const GIVE_A_BACKUP = 'Pass the path of a file from `mneme backup`.'

/**
 * Replaces a store that no process has open with a backup. Copying the file alone is not enough: the log of a killed process would be
 * replayed over it.
 */
export async function restoreStore(backup: string, file: string, driver = defaultDriver()): Promise<RestoredFile> {
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

async function replace(backup: string, file: string, driver: Driver): Promise<RestoredFile> {
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
      hint: `Check the folder ${dirname(file)} and its free space. The previous store is still there, or next to it in a file that ends in .bak.`,
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
      hint: 'Make it readable (`chmod u+r`).',
      cause,
    })
  }
}

/** A backup is copied before it is opened, because its folder may be read-only, unless its newest part is in a log next to it. */
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
      throw refuse(`was written by a newer mneme (schema ${layout}, this version supports ${MIGRATIONS.length}); upgrade mneme`)
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
    hint: 'Nothing was changed. Stop every mneme process that uses it (`fuser` shows them), then run restore again.',
    ...(cause === undefined ? {} : { cause }),
  })

/**
 * Other programs hold only SQLite's own locks, so an exclusive one detects them. With a non-empty log it is taken before the file is read,
 * because a damaged file must be detected, too. Closing checkpoints a matching log.
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

/** Logs are moved before the file, so that they are never next to a file that is not theirs. */
function setAside(file: string): string | null {
  const kept = nameOfCopy(file)
  const present = existsSync(file)
  if (present) linkOrCopy(file, kept)
  for (const log of [...LOG_SUFFIXES, COUNT_SUFFIX]) if (existsSync(`${file}${log}`)) renameSync(`${file}${log}`, `${kept}${log}`)
  rmSync(`${file}-shm`, { force: true })
  return present ? kept : null
}

/** A hard link needs no space, but some file systems lack it. */
function linkOrCopy(file: string, kept: string): void {
  try {
    linkSync(file, kept)
  } catch {
    copyFileSync(file, kept)
    flushFile(kept)
  }
}
