/** SQLite's result codes by number. */
const NAMES: Readonly<Record<number, string>> = {
  0: 'OK',
  1: 'ERROR',
  2: 'INTERNAL',
  3: 'PERM',
  4: 'ABORT',
  5: 'BUSY',
  6: 'LOCKED',
  7: 'NOMEM',
  8: 'READONLY',
  9: 'INTERRUPT',
  10: 'IOERR',
  11: 'CORRUPT',
  12: 'NOTFOUND',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  16: 'EMPTY',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  20: 'MISMATCH',
  21: 'MISUSE',
  22: 'NOLFS',
  23: 'AUTH',
  24: 'FORMAT',
  25: 'RANGE',
  26: 'NOTADB',
}

const DISK_ERROR = 10

/** I/O errors by the upper bytes of the code; the outcome of a commit depends on them. */
const DISK_ERRORS = [
  '',
  '_READ',
  '_SHORT_READ',
  '_WRITE',
  '_FSYNC',
  '_DIR_FSYNC',
  '_TRUNCATE',
  '_FSTAT',
  '_UNLOCK',
  '_RDLOCK',
  '_DELETE',
  '_BLOCKED',
  '_NOMEM',
  '_ACCESS',
  '_CHECKRESERVEDLOCK',
  '_LOCK',
  '_CLOSE',
  '_DIR_CLOSE',
  '_SHMOPEN',
  '_SHMSIZE',
  '_SHMLOCK',
  '_SHMMAP',
  '_SEEK',
  '_DELETE_NOENT',
  '_MMAP',
  '_GETTEMPPATH',
  '_CONVPATH',
  '_VNODE',
  '_AUTH',
  '_BEGIN_ATOMIC',
  '_COMMIT_ATOMIC',
  '_ROLLBACK_ATOMIC',
  '_DATA',
  '_CORRUPTFS',
  '_IN_PAGE',
] as const

export function resultName(result: number): string {
  const kind = result & 0xff
  const detail = kind === DISK_ERROR ? (DISK_ERRORS[result >> 8] ?? '') : ''
  return `SQLITE_${NAMES[kind] ?? 'ERROR'}${detail}`
}

/** Adds SQLite's symbolic name to a failure of Node's SQLite; other failures are returned as they are. */
export function withResultName(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error
  return Object.assign(error, { code: resultName(error.errcode) })
}
