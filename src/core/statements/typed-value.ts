import { MemoryError } from '../../errors.js'
import { checkSize, checkString, parseInstant } from '../input/input.js'
import type { TypedValue } from './statement.js'
import { normalUri } from './uri.js'

const wrong = (message: string): MemoryError => new MemoryError('unprocessable', message, { reason: 'invalid_input' })

/** The stored form of a value; throws if it is invalid. */
export function checkedValue({ type, v }: TypedValue, maxBytes: number): TypedValue {
  if (type === 'null') {
    if (v !== null) throw wrong('Invalid value: a value of type null has no v')
    return { type, v: null }
  }
  if (type === 'number' || type === 'boolean') {
    if (typeof v !== type || (typeof v === 'number' && !Number.isFinite(v)))
      throw wrong(`Invalid value: v must be ${type === 'number' ? 'a finite number' : 'true or false'}`)
    return { type, v }
  }
  if (typeof v !== 'string') throw wrong(`Invalid value: v of type ${type} must be a string`)
  checkSize(v, 'value', maxBytes, { hint: 'Shorten it, or split it into several facts.' })
  if (type === 'ref') return { type, v: normalUri(v, 'value') }
  try {
    checkString(v, 'value')
    if (type === 'datetime') parseInstant(v, 'Invalid value: v of type datetime must be an RFC 3339 time')
  } catch (error) {
    throw error instanceof MemoryError ? wrong(error.message) : error
  }
  return { type, v }
}
