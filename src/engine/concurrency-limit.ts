/** Limits concurrency; callers beyond the limit wait in order of arrival. */
export interface ConcurrencyLimit {
  enter<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/**
 * Concurrent work on one event loop does not finish sooner, and with a hundred calls in progress each turn of the loop visits all of them.
 * A limit keeps cheap requests fast.
 */
export function createConcurrencyLimit(places: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let inside = 0
  return {
    async enter(work, signal) {
      if (inside >= places) await new Promise<void>((resolve) => waiting.push(resolve))
      else inside++
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        // The next waiting caller takes the free place.
        const next = waiting.shift()
        if (next === undefined) inside--
        else next()
      }
    },
  }
}
