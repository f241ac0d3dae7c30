import { closeSync, existsSync, fchmodSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { isBrokenModule } from '../../core/files/broken-module.js'
import { MemoryError } from '../../errors.js'
import type { Database, Driver } from './driver.js'
import { defaultDriver } from './driver-choice.js'
import { codeOf, isBusy } from './failure.js'
import { identityOf } from './file-identity.js'

/** Released when its process ends, for whatever reason. */
export interface FileLock {
  release(): void
}

const lockPath = (file: string): string => `${file}.lock`

const NO_LOCK: FileLock = { release: () => undefined }

/**
 * Every process that opens a store holds a shared lock on an empty file next to it; a process that replaces the store holds it exclusively.
 * SQLite provides the lock, which works between processes and leaves nothing behind when one is killed. Locks on the store itself do not
 * suffice: they belong to the replaced file, and a damaged file cannot be locked.
 */
export async function lockForUse(file: string, waitMs: number, driver = defaultDriver()): Promise<FileLock> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const lock = attempt(file, 'BEGIN; SELECT count(*) FROM sqlite_schema', driver)
    if (lock !== undefined) return lock
    if (performance.now() > deadline)
      throw new MemoryError('unavailable', `${file} is being restored by another process.`, {
        hint: 'Nothing was stored. Retry when the restore has finished.',
      })
    await delay(5 + Math.random() * 10)
  }
}

/** Undefined while any process has the store open. */
export const lockAlone = (file: string, driver = defaultDriver()): FileLock | undefined => attempt(file, 'BEGIN EXCLUSIVE', driver)

/**
 * One attempt. The last process removes the file while holding the exclusive lock, so a lock counts only if the path still leads to the
 * locked file. Only SQLite may open that file here: closing any other handle would release the lock.
 */
function attempt(file: string, statement: string, driver: Driver): FileLock | undefined {
  const path = lockPath(file)
  if (!makeLockFile(file, path)) return NO_LOCK
  const identity = identityOf(path)
  if (identity === undefined) return undefined
  const db = openLockFile(path, driver)
  if (db === undefined) return undefined
  try {
    db.exec(statement)
    if (identityOf(path) === identity) return { release: () => release(db, path, identity) }
    db.close()
    return undefined
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw unlockable(path, error)
  }
}

/** False if nothing can be written; then a process with these rights cannot replace the store either. */
function makeLockFile(file: string, path: string): boolean {
  if (existsSync(path)) return true
  try {
    const handle = openSync(path, 'wx', 0o600)
    try {
      const mode = statSync(file, { throwIfNoEntry: false })?.mode
      if (mode !== undefined) fchmodSync(handle, (mode & 0o666) | 0o600)
    } finally {
      closeSync(handle)
    }
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return true
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false
    throw unlockable(path, error)
  }
}

/** Undefined if the file was removed. A process with read access only can hold a shared lock. */
function openLockFile(path: string, driver: Driver): Database | undefined {
  try {
    return driver.open(path, { timeoutMs: 0, mustExist: true })
  } catch (error) {
    if (isBrokenModule(error)) throw error
    if (!existsSync(path)) return undefined
    throw unlockable(path, error)
  }
}

function release(db: Database, path: string, identity: string): void {
  if (!db.isOpen) return
  try {
    if (!db.inTransaction) return
    db.exec('COMMIT; BEGIN EXCLUSIVE')
    if (identityOf(path) === identity) rmSync(path, { force: true })
  } catch {
    // Another process holds the lock, or the file cannot be removed: it stays.
  } finally {
    db.close()
  }
}

const unlockable = (path: string, cause: unknown): MemoryError =>
  new MemoryError('storage', `${path} cannot be locked: ${cause instanceof Error ? cause.message : String(cause)}`, {
    hint: 'Check the folder, its permissions and its free space. The file is empty and may be deleted while no mneme process runs.',
    cause,
  })
