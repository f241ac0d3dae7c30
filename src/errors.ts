/** Every error code, with its HTTP status, exit code and whether a retry can help. */
export const ERRORS = {
  invalid_input: { http: 400, exit: 2, retry: false },
  /** Well-formed, but rejected by a rule of the contract. */
  unprocessable: { http: 422, exit: 2, retry: false },
  unauthenticated: { http: 401, exit: 5, retry: false },
  not_found: { http: 404, exit: 3, retry: false },
  conflict: { http: 409, exit: 4, retry: true },
  forbidden: { http: 403, exit: 5, retry: false },
  too_large: { http: 413, exit: 2, retry: false },
  method_not_allowed: { http: 405, exit: 2, retry: false },
  unsupported_type: { http: 415, exit: 2, retry: false },
  rate_limited: { http: 429, exit: 6, retry: true },
  unavailable: { http: 503, exit: 6, retry: true },
  storage: { http: 500, exit: 7, retry: false },
  timeout: { http: 504, exit: 8, retry: true },
  cancelled: { http: 499, exit: 130, retry: true },
  internal: { http: 500, exit: 1, retry: false },
} as const

export type ErrorCode = keyof typeof ERRORS

interface ErrorOptions {
  /** What the caller, often a model, should do next. */
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
  /** A published reason, where a contract distinguishes more than the code does. */
  readonly reason?: string
  /** Seconds to wait before a retry. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

export class MemoryError extends Error {
  override readonly name = 'MemoryError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.details = options.details ?? {}
    this.reason = options.reason ?? code
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Converts any failure to a `MemoryError`. The cause is kept for the log and never returned. */
export function toMemoryError(failure: unknown): MemoryError {
  if (failure instanceof MemoryError) return failure
  if (failure instanceof Error && failure.name === 'AbortError')
    return new MemoryError('cancelled', 'The call was cancelled.', { cause: failure })
  return new MemoryError('internal', 'Internal error.', { hint: 'The server log on stderr has the cause.', cause: failure })
}
