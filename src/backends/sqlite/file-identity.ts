import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MemoryError } from '../../errors.js'
import type { Database } from './driver.js'

interface FileState {
  readonly identity: string
  readonly size: bigint
}

/** The file at a path; undefined if it cannot be read. */
function look(path: string): FileState | undefined {
  try {
    const seen = statSync(path, { bigint: true, throwIfNoEntry: false })
    return seen === undefined ? undefined : { identity: `${seen.dev}:${seen.ino}`, size: seen.size }
  } catch {
    return undefined
  }
}

/** A second connection has no cached pages, which could hide missing parts of the file. */
function isWhole(opened: Database, file: string): boolean {
  let db: Database | undefined
  try {
    db = opened.open(file, { readonly: true })
    db.prepare('SELECT max(seq) FROM journal').get()
    return db.pragma('quick_check(1)') === 'ok'
  } catch {
    return false
  } finally {
    db?.close()
  }
}

/** Identity of a file; undefined if it does not exist. */
export const identityOf = (path: string): string | undefined => look(path)?.identity

const NOTHING_STORED = 'Nothing was stored.'

/**
 * SQLite continues to write to a file that was deleted, replaced or truncated, and those writes are lost. Returns a check that throws if
 * the database, its log or the log's index was replaced, or the database was truncated. All of them must exist when it is created.
 */
export function createIdentityCheck(db: Database, file: string): () => void {
  const paths = [file, `${file}-wal`, `${file}-shm`]
  const opened = paths.map((path) => ({ path, identity: identityOf(path) }))
  let size = look(file)?.size ?? 0n
  return () => {
    for (const { path, identity } of opened) {
      const seen = look(path)
      if (seen?.identity !== identity)
        throw new MemoryError('storage', `${path} was moved, deleted or replaced while it was open.`, {
          hint: `${NOTHING_STORED} Put it back if it was moved; otherwise restart mneme, which opens the current file.`,
        })
      if (path !== file || seen === undefined) continue
      // The file also shrinks when free pages are released, but is then complete. An empty file must not be opened: SQLite would discard
      // its log.
      if (seen.size < size && (seen.size === 0n || !isWhole(db, file)))
        throw new MemoryError('storage', `${path} was truncated while open.`, {
          hint: `${NOTHING_STORED} Stop all mneme processes and run \`mneme restore\`.`,
        })
      size = seen.size
    }
  }
}

/** Less than one commit may need. */
const MIN_FREE_BYTES = 256 * 1024

/** True if the disk has no space for another commit; false if the file system does not report it. */
export function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize < MIN_FREE_BYTES
  } catch {
    return false
  }
}
