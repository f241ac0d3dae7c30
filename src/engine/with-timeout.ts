import { setTimeout as delay } from 'node:timers/promises'

/** What comes of the work, or the failure when it takes longer; the work itself goes on, and nobody hears of it any more. */
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
