import type { Clock } from '../../ports/clock.js'
import type { NodeHit, SearchCache } from '../engine-services.js'

interface Entry {
  readonly at: number
  readonly hits: readonly NodeHit[]
}

/** Search results in LRU order. Every commit of any process invalidates them. */
export function createSearchCache(
  options: { readonly enabled: boolean; readonly size: number; readonly ttlSeconds: number },
  clock: Clock,
): SearchCache {
  const entries = new Map<string, Entry>()
  const enabled = options.enabled && options.size > 0 && options.ttlSeconds > 0
  let state = Number.NaN
  const follow = (mark: number): void => {
    if (mark !== state) entries.clear()
    state = mark
  }
  return {
    get(key, mark) {
      if (!enabled) return undefined
      follow(mark)
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (clock.now() - entry.at >= options.ttlSeconds * 1e6) return undefined
      entries.set(key, entry)
      return entry.hits
    },
    put(key, mark, hits) {
      if (!enabled) return
      follow(mark)
      entries.set(key, { at: clock.now(), hits })
      const [oldest] = entries.keys()
      if (entries.size > options.size && oldest !== undefined) entries.delete(oldest)
    },
    stats: (mark = state) => ({
      enabled,
      size: mark === state || Number.isNaN(state) ? entries.size : 0,
      maxSize: options.size,
      ttlSeconds: options.ttlSeconds,
    }),
  }
}

/** The same cache with separate keys for a partition. */
export const partitionSearchCache = (cache: SearchCache, partition: string): SearchCache => ({
  get: (key, mark) => cache.get(`${partition} ${key}`, mark),
  put: (key, mark, hits) => cache.put(`${partition} ${key}`, mark, hits),
  stats: cache.stats,
})
