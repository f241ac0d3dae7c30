import { z } from 'zod'
import { countNodes } from '../../engine/entities/nodes.js'
import { readCacheStats } from '../../engine/graph/cache-stats.js'
import { healthOf, pingStore } from '../../engine/maintenance/health.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { ownerOf } from './checks.js'
import { CODE_DETAIL } from './failures.js'
import { ownerId } from './shapes.js'

export const testConnection = operation({
  name: 'test_connection',
  title: 'Test connection',
  description: 'Whether the store answers.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({ success: z.boolean(), message: z.string() }),
  async run({ context }) {
    try {
      await pingStore(context)
    } catch (error) {
      throw new MemoryError('storage', `The store does not answer: ${toMemoryError(error).message}`, {
        details: { [CODE_DETAIL]: 'connection_error' },
        cause: error,
      })
    }
    return { success: true, message: `Connected to ${context.location}` }
  },
})

export const getStats = operation({
  name: 'get_stats',
  title: 'Get stats',
  description: 'Counts of nodes and relations of one owner.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ owner_id: ownerId }),
  output: z.object({ success: z.boolean(), stats: z.record(z.string(), z.int()) }),
  async run({ context }, input) {
    const census = await countNodes(context, ownerOf(context, input.owner_id))
    return {
      success: true,
      stats: {
        total_nodes: census.facts + census.entities,
        total_facts: census.facts,
        total_entities: census.entities,
        active_facts: census.activeFacts,
        outdated_facts: census.outdatedFacts,
        archived_facts: census.archivedFacts,
        total_relations: census.edges,
      },
    }
  },
})

export const healthCheck = operation({
  name: 'health_check',
  title: 'Health check',
  description: 'Which parts answer: store, embeddings, vector index.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    success: z.boolean(),
    falkordb: z.boolean(),
    embeddings: z.boolean(),
    vector_index: z.boolean(),
    cache: z.record(z.string(), z.unknown()),
  }),
  async run({ context }) {
    const { embeddingCache } = context.settings.graph
    const { searches, embeddings } = await readCacheStats(context)
    const health = await healthOf(context, context.signal)
    return {
      success: true,
      falkordb: health.store,
      embeddings: health.embeddings,
      vector_index: health.vectors,
      cache: {
        embeddings: { enabled: embeddingCache.enabled, size: embeddings.size, maxsize: embeddingCache.size },
        search: { enabled: searches.enabled, size: searches.size, maxsize: searches.maxSize, ttl: searches.ttlSeconds },
      },
    }
  },
})
