import { MemoryError } from '../../errors.js'

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

/** Opening a store enlarges the index of the log, and a full disk then fails with an I/O error. */
export const isFull = (error: unknown): boolean => /^SQLITE_(FULL|IOERR_SHMSIZE)/.test(codeOf(error))

const isDiskError = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_IOERR')

/** Everything was written, but it is unknown what reached the disk. */
export const hasUnknownOutcome = (error: unknown): boolean => isDiskError(error) && codeOf(error) !== 'SQLITE_IOERR_WRITE'

/**
 * A commit that fails after its last write may be durable: its frames are in the log, and the next process may find them complete. A commit
 * whose write fails is not: its last frame marks it as complete.
 */
export function fromCommit(error: unknown, file: string): unknown {
  if (!hasUnknownOutcome(error)) return error
  return new MemoryError('storage', `Commit outcome unknown: I/O error on ${file} (${codeOf(error)}).`, {
    hint: 'Check the disk, then read the memory before you retry.',
    details: { outcome: 'unknown' },
    cause: error,
  })
}

/** The remedy for a damaged store. */
export const RESTORE = 'Stop every mneme process that uses it and run `mneme restore <file>` with a copy from `mneme backup`'

/** Converts a failure of the database file to an error with a remedy. */
export function fromSqlite(error: unknown, file: string): unknown {
  const code = codeOf(error)
  if (error instanceof MemoryError || !code.startsWith('SQLITE')) return error
  const fail = (message: string, hint: string, kind: 'storage' | 'unavailable' = 'storage'): MemoryError =>
    new MemoryError(kind, message, { hint, cause: error })
  if (isBusy(error)) return fail(`Another process holds the lock of ${file}.`, 'Retry in a moment.', 'unavailable')
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return new MemoryError('conflict', 'Another writer stored the same key first; nothing was stored.', {
      hint: 'Read it and retry.',
      cause: error,
    })
  if (isFull(error)) return fail(`The disk that holds ${file} is full.`, 'Nothing was stored. Free some space and retry.')
  if (code.startsWith('SQLITE_READONLY'))
    return fail(
      `${file} cannot be written.`,
      'Check the permissions of the data directory and the file, or choose another with --data-dir.',
    )
  if (isDamage(error))
    return fail(
      `${file} is damaged or not a mneme file.`,
      `Nothing was changed. ${RESTORE}, or choose another --data-dir; \`mneme doctor\` shows what is wrong.`,
    )
  if (code.startsWith('SQLITE_CANTOPEN'))
    return fail(`${file} cannot be opened.`, 'Check that the data directory exists and may be written, or choose another with --data-dir.')
  if (isDiskError(error))
    return fail(`The disk that holds ${file} reported an error (${code}).`, 'Nothing was stored. Check the disk and its free space.')
  if (code.startsWith('SQLITE_TOOBIG')) return new MemoryError('too_large', 'The value is too large for the store.', { cause: error })
  return fail(`The database failed (${code}).`, 'Nothing was stored. `mneme doctor` checks the file.')
}
