import type { EmbedderStatus } from '../../ports/embedder.js'
import type { Context } from '../context.js'
import type { SearchCache } from '../engine-services.js'
import { cacheOf } from '../maintenance/status.js'
import { withView } from '../with-view.js'

/** Sizes of the caches of this process; a restricted principal does not learn how much others searched. */
export async function readCacheStats(context: Context): Promise<{
  readonly searches: ReturnType<SearchCache['stats']>
  readonly embeddings: EmbedderStatus['cache']
}> {
  const mark = await withView(context, context.settings.defaultOwner, async (view) => view.mark).catch(() => undefined)
  const searches = context.services.searchCache.stats(mark)
  return { searches: context.isRestricted === true ? { ...searches, size: 0 } : searches, embeddings: cacheOf(context) }
}
