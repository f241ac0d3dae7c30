import type { MemoryError } from '../errors.js'

export const INITIAL_BACKOFF_MS = 500
export const MAX_BACKOFF_MS = 60_000

/** Leaves what failed alone for a while that doubles with every failure, up to a minute. */
export interface Backoff {
  /** What failed, while it is left alone. */
  failure(): MemoryError | undefined
  /** Milliseconds until it may be tried again. */
  remainingMs(): number
  /** A failure during a pause, of a call that began before it, makes it no longer. */
  recordFailure(failure: MemoryError): void
  /** It works. True when it had failed before. */
  recordSuccess(): boolean
}

export function createBackoff(): Backoff {
  let last: { readonly failure: MemoryError; readonly length: number; readonly until: number } | undefined
  // Not the store's clock, which stands still where another machine's has run ahead.
  const left = (): number => (last === undefined ? 0 : Math.max(0, last.until - performance.now()))
  return {
    remainingMs: left,
    failure: () => (left() > 0 ? last?.failure : undefined),
    recordFailure(failure) {
      if (left() > 0) return
      const length = last === undefined ? INITIAL_BACKOFF_MS : Math.min(MAX_BACKOFF_MS, last.length * 2)
      last = { failure, length, until: performance.now() + length }
    },
    recordSuccess() {
      const failed = last !== undefined
      last = undefined
      return failed
    },
  }
}
