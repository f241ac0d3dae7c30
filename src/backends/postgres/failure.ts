import { MemoryError } from '../../errors.js'

const textOf = (error: unknown, field: string): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined
  return typeof value === 'string' ? value : ''
}

/** The SQLSTATE, or the code of a network error. */
export const codeOf = (error: unknown): string => textOf(error, 'code')

const LOST_CONNECTION_CODES = /^(?:08...|57P0[123]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/
/** Errors of the driver without a code. */
const LOST_WORDS = /Connection terminated|Connection ended|Client has encountered a connection error|not queryable|timeout expired/i

/** The connection is lost: the outcome of the last statement is unknown. */
export const isLost = (error: unknown): boolean =>
  LOST_CONNECTION_CODES.test(codeOf(error)) || (error instanceof Error && codeOf(error) === '' && LOST_WORDS.test(error.message))

const COLLISIONS = ['40001', '40P01', '55P03']
const NO_SLOT = '53300'

/** A conflict with other transactions: rolled back or not started, so it can be retried. */
export const isCollision = (error: unknown): boolean => [...COLLISIONS, NO_SLOT].includes(codeOf(error))

/** Prepared statements are gone: a pooler switched sessions, or the tables changed. */
export const isUnprepared = (error: unknown): boolean =>
  ['26000', '42P05'].includes(codeOf(error)) || (codeOf(error) === '0A000' && /cached plan/.test(textOf(error, 'message')))

/** The server does not support the form of a statement. */
export const isUnsupported = (error: unknown): boolean => ['0A000', '42601'].includes(codeOf(error)) && !isUnprepared(error)

const NOT_STORED = 'Nothing was stored.'

/** Converts a failure of the server to an error with a remedy. */
export function fromPostgres(error: unknown, location: string): unknown {
  if (error instanceof MemoryError || !(error instanceof Error)) return error
  const code = codeOf(error)
  const fail = (kind: 'storage' | 'unavailable' | 'timeout' | 'conflict' | 'invalid_input' | 'too_large', message: string, hint: string) =>
    new MemoryError(kind, message, { hint, cause: error })
  if (/timeout exceeded when trying to connect/.test(error.message))
    return fail('unavailable', `No connection to ${location} was free in time.`, 'Retry. Raise --database-connections if it persists.')
  if (isLost(error))
    return fail(
      'unavailable',
      `The database at ${location} cannot be reached (${code || error.message}).`,
      'Check that it runs and that the address is right, then retry.',
    )
  if (code === '' || !/^[0-9A-Z]{5}$/.test(code)) return error
  if (code.startsWith('28'))
    return fail('storage', `The database at ${location} rejects this user: ${error.message}.`, 'Check user and password in --database.')
  if (code === '3D000')
    return fail('storage', `There is no such database at ${location}: ${error.message}.`, 'Create it (`createdb`), or correct --database.')
  if (code === '3F000')
    return fail('storage', `There is no such schema at ${location}: ${error.message}.`, 'Create it, or correct --database.')
  if (COLLISIONS.includes(code)) return fail('unavailable', 'Other transactions changed the same rows; nothing was stored.', 'Retry.')
  if (code.startsWith('23')) return fail('conflict', 'Another writer stored the same key first; nothing was stored.', 'Read it and retry.')
  if (code === '22021' || code === '22P05')
    return fail('invalid_input', 'A text holds a character that cannot be stored (NUL).', `Remove it and retry. ${NOT_STORED}`)
  if (code === '25006')
    return fail(
      'storage',
      `The database at ${location} is read-only.`,
      `${NOT_STORED} Pass the primary in --database, or wait until it accepts writes again.`,
    )
  if (code === '42501')
    return fail(
      'storage',
      `The database user lacks a privilege: ${error.message}.`,
      `${NOT_STORED} Grant it privileges on the schema and its tables, or use their owner in --database.`,
    )
  if (code === '57014')
    return fail(
      'timeout',
      `A statement took longer than the database at ${location} allows.`,
      `${NOT_STORED} Raise statement_timeout for this user, or reduce the request.`,
    )
  if (code === '53100')
    return fail('storage', `The disk of the database at ${location} is full.`, `${NOT_STORED} Free some space and retry.`)
  if (code.startsWith('53'))
    return fail(
      'unavailable',
      `The database at ${location} has no room for another connection or statement.`,
      'Retry. Lower --database-connections or raise max_connections.',
    )
  if (code === '54000' || code === '54001') return fail('too_large', 'The value is too large for the database.', NOT_STORED)
  if (isUnprepared(error))
    return fail('unavailable', `Prepared statements at ${location} were lost: the connection pooler does not keep them.`, 'Retry.')
  if (code === '42P01' || code === '42703')
    return fail(
      'storage',
      `Tables of mneme are missing at ${location}: ${error.message}.`,
      'Another program dropped or changed them. Restore them from a dump; `mneme doctor` shows the differences.',
    )
  return fail('storage', `The database failed (${code}): ${error.message}.`, `${NOT_STORED} Its log has more.`)
}
