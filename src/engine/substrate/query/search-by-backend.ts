import type { Context } from '../../context.js'
import { configurationOf } from '../knowledge/configuration.js'
import type { FindNearest } from '../objects/candidates.js'
import { type ObjectAnswer, type ObjectQuery, searchObjects } from '../objects/search.js'
import { nearestTexts } from '../vector-table/semantic-index.js'

/** Searches objects with the vectors of the store, or of the LanceDB table where that is configured or requested. */
export async function searchByBackend(
  context: Context,
  { semantic, ...query }: Omit<ObjectQuery, 'nearest'> & { readonly semantic?: 'lancedb' | undefined },
): Promise<ObjectAnswer & { readonly semanticBackend: 'lancedb' | 'built-in' | null }> {
  const { derived, embedder } = context
  const configured = semantic ?? (await configurationOf(context, query.owner)).semanticBackend
  if (embedder.disabled || derived === null || configured !== 'lancedb')
    return { ...(await searchObjects(context, query)), semanticBackend: embedder.disabled ? null : 'built-in' }
  const nearest: FindNearest = async (vector, owner, limit) => {
    await context.services.derived.begin(owner)
    return nearestTexts(derived, owner, vector, limit)
  }
  return { ...(await searchObjects(context, { ...query, nearest })), semanticBackend: 'lancedb' }
}
