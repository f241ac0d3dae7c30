import type { MemoryError } from '../errors.js'

export const INITIAL_BACKOFF_MS = 500
export const MAX_BACKOFF_MS = 60_000

/** Exponential backoff from 0.5 s to 60 s. */
export interface Backoff {
  /** The last failure, until the pause ends. */
  failure(): MemoryError | undefined
  /** Milliseconds until the next attempt. */
  remainingMs(): number
  /** A failure during a pause belongs to a call that began before it, so it does not extend the pause. */
  recordFailure(failure: MemoryError): void
  /** Ends the pause. True if the previous attempt had failed. */
  recordSuccess(): boolean
}

export function createBackoff(): Backoff {
  let last: { readonly failure: MemoryError; readonly length: number; readonly until: number } | undefined
  // A monotonic clock, because the store's clock stops while another machine's is ahead.
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
