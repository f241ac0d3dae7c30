import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MemoryError } from '../../errors.js'
import type { Database } from './driver.js'

interface Seen {
  readonly identity: string
  readonly size: bigint
}

/** The file itself, whatever its name; undefined when there is none to be seen. */
function look(path: string): Seen | undefined {
  try {
    const seen = statSync(path, { bigint: true, throwIfNoEntry: false })
    return seen === undefined ? undefined : { identity: `${seen.dev}:${seen.ino}`, size: seen.size }
  } catch {
    return undefined
  }
}

/** A second connection has none of the pages in memory that hide what is missing from the file. */
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

/** Which file it is; undefined when there is none. */
export const identityOf = (path: string): string | undefined => look(path)?.identity

const HINT = 'Nothing of this call was stored.'

/**
 * SQLite goes on writing to a file that was deleted, replaced or cut short under its name, and nobody ever sees that
 * again. The check throws when the database, its log or the index of that is no longer the one that was there first, or
 * the database has lost a part. All of them must exist by now.
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
          hint: `${HINT} Put it back if it was moved; otherwise restart mneme, which then opens what is there now.`,
        })
      if (path !== file || seen === undefined) continue
      // It shrinks by itself when free pages are given back; then it is whole. An empty one must not be opened: SQLite would drop its log.
      if (seen.size < size && (seen.size === 0n || !isWhole(db, file)))
        throw new MemoryError('storage', `${path} was cut short while it was open.`, {
          hint: `${HINT} End every mneme that uses it and restore a backup (\`mneme restore\`).`,
        })
      size = seen.size
    }
  }
}

/** Less than one commit may need. */
const ROOM = 256 * 1024

/** True when the disk below the file has no room for another commit; a file system that does not tell has some. */
export function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize < ROOM
  } catch {
    return false
  }
}
