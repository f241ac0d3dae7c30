import type { Clock } from '../../ports/clock.js'
import type { NodeHit } from './search-nodes.js'

export interface SearchCache {
  /** What was found for the same question while nothing was written by anyone and its time is not over. */
  get(key: string, mark: number): readonly NodeHit[] | undefined
  put(key: string, mark: number, hits: readonly NodeHit[]): void
  stats(): { readonly enabled: boolean; readonly size: number; readonly maxSize: number; readonly ttlSeconds: number }
}

interface Entry {
  readonly at: number
  readonly hits: readonly NodeHit[]
}

/** Answers of searches, least recently used out first. Any commit, by any process, empties it. */
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
    stats: () => ({ enabled, size: entries.size, maxSize: options.size, ttlSeconds: options.ttlSeconds }),
  }
}
