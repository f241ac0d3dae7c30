import { MemoryError } from '../errors.js'

/** Rejects a database that this build does not support. */
export function checkDatabase(database: string | undefined): void {
  if (database !== undefined && /^(?:sqlite|file):(?:\/\/)?(?::memory:|$)/.test(database))
    throw new MemoryError('invalid_input', `"${database}" names no file: a store is shared by processes, so it needs one.`, {
      hint: 'Give sqlite:<path>. For a store that is thrown away, give --data-dir a temporary folder.',
    })
  if (database === undefined || /^(?:sqlite|file|postgres|postgresql):/.test(database)) return
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(database)?.[1]
  const what =
    scheme === undefined ? `"${database}" is not a database URL.` : `Databases of type "${scheme}" are not supported by this build.`
  throw new MemoryError('invalid_input', what, {
    hint: 'Leave --database out to use SQLite in the data directory, or give sqlite:<path> or postgres://user:password@host/database.',
  })
}
