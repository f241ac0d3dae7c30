import type { EmbedderStatus } from '../../ports/embedder.js'
import type { Context } from '../context.js'
import type { SearchCache } from '../engine-services.js'
import { cacheOf } from '../maintenance/status.js'

/** Sizes of the caches of this process; a restricted principal does not learn how much others searched. */
export function readCacheStats(context: Context): {
  readonly searches: ReturnType<SearchCache['stats']>
  readonly embeddings: EmbedderStatus['cache']
} {
  const searches = context.services.searchCache.stats()
  return { searches: context.isRestricted === true ? { ...searches, size: 0 } : searches, embeddings: cacheOf(context) }
}
