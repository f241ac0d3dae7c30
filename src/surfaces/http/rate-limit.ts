import { MemoryError } from '../../errors.js'

const MINUTE_MS = 60_000
/** Limit of tracked names; the oldest are dropped. */
const MAX_NAMES = 10_000

/** A token bucket per name that holds one minute of requests. */
interface RateLimit {
  take(name: string): void
}

export function createRateLimit(perMinute: number, now: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>()
  return {
    take(name) {
      if (perMinute === 0) return
      const at = now()
      const bucket = buckets.get(name) ?? { left: perMinute, at }
      bucket.left = Math.min(perMinute, bucket.left + ((at - bucket.at) * perMinute) / MINUTE_MS)
      bucket.at = at
      buckets.delete(name)
      buckets.set(name, bucket)
      const [oldest] = buckets.keys()
      if (buckets.size > MAX_NAMES && oldest !== undefined) buckets.delete(oldest)
      if (bucket.left < 1)
        throw new MemoryError('rate_limited', `More than ${perMinute} requests per minute came with this key.`, {
          hint: 'Wait as long as Retry-After says, in seconds.',
          retryAfterSeconds: Math.max(1, Math.ceil(((1 - bucket.left) * MINUTE_MS) / perMinute / 1000)),
        })
      bucket.left--
    },
  }
}
