import { statSync } from 'node:fs'
import { MemoryError } from '../../errors.js'

/** The file itself, whatever its name; undefined when there is none to be seen. */
export function identityOf(path: string): string | undefined {
  try {
    const seen = statSync(path, { bigint: true, throwIfNoEntry: false })
    return seen === undefined ? undefined : `${seen.dev}:${seen.ino}`
  } catch {
    return undefined
  }
}

/**
 * SQLite goes on writing to a file that was deleted or replaced under its name, and nobody ever sees that again. The
 * check throws when the database, its log or the index of that is no longer the one that was there first. All of them
 * must exist by now.
 */
export function rememberFile(file: string): () => void {
  const opened = [file, `${file}-wal`, `${file}-shm`].map((path) => ({ path, identity: identityOf(path) }))
  return () => {
    for (const { path, identity } of opened) {
      if (identityOf(path) === identity) continue
      throw new MemoryError('storage', `${path} was moved, deleted or replaced while it was open.`, {
        hint: 'Nothing of this call was stored. Put it back if it was moved; otherwise restart mneme, which then opens what is there now.',
      })
    }
  }
}
