/** Lets in so many at once, and the others in the order in which they came. */
export interface ConcurrencyLimit {
  enter<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/**
 * Work that takes its turns beside others is not quicker for it. A hundred at once each have a turn before anyone else is
 * heard, so that a request which costs nothing waits for all of them: a few have theirs, the others wait outside.
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
        // Whoever is next takes the place over.
        const next = waiting.shift()
        if (next === undefined) inside--
        else next()
      }
    },
  }
}
