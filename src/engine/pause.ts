import type { MemoryError } from '../errors.js'

export const FIRST_PAUSE_MS = 500
export const LAST_PAUSE_MS = 60_000

/** Leaves what failed alone for a while that doubles with every failure, up to a minute. */
export interface Pause {
  /** What failed, while it is left alone. */
  failure(): MemoryError | undefined
  /** Milliseconds until it may be tried again. */
  left(): number
  /** A failure during a pause, of a call that began before it, makes it no longer. */
  begin(failure: MemoryError): void
  /** It works. True when it had failed before. */
  end(): boolean
}

export function createPause(): Pause {
  let last: { readonly failure: MemoryError; readonly length: number; readonly until: number } | undefined
  // Not the store's clock, which stands still where another machine's has run ahead.
  const left = (): number => (last === undefined ? 0 : Math.max(0, last.until - performance.now()))
  return {
    left,
    failure: () => (left() > 0 ? last?.failure : undefined),
    begin(failure) {
      if (left() > 0) return
      const length = last === undefined ? FIRST_PAUSE_MS : Math.min(LAST_PAUSE_MS, last.length * 2)
      last = { failure, length, until: performance.now() + length }
    },
    end() {
      const failed = last !== undefined
      last = undefined
      return failed
    },
  }
}
