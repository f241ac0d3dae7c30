import { setTimeout as delay } from 'node:timers/promises'

/** Rejects with `failure` if the work takes longer. The work continues, but its result is ignored. */
export async function withTimeout<T>(work: Promise<T>, ms: number, failure: () => Error): Promise<T> {
  const timer = new AbortController()
  const late = delay(ms, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw failure()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    work.catch(() => undefined)
    late.catch(() => undefined)
  }
}
