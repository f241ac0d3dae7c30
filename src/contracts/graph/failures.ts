import type { MemoryError } from '../../errors.js'
import type { Answer } from '../operation.js'

const CODES: Partial<Record<MemoryError['code'], string>> = {
  invalid_input: 'memory_validation_error',
  too_large: 'memory_validation_error',
  not_found: 'memory_not_found',
  storage: 'falkordb_error',
}

/** An operation may set the error code if the kind of failure is not specific enough. */
export const CODE_DETAIL = 'graph_code'

export function toFailure(error: MemoryError): Answer {
  const named = error.details[CODE_DETAIL]
  const code = typeof named === 'string' ? named : (CODES[error.code] ?? 'memory_service_error')
  return { success: false, error: error.message, code, error_code: code, ...(error.hint === undefined ? {} : { hint: error.hint }) }
}
