import { z } from 'zod'
import type { Context } from '../../engine/context.js'
import { eraseMemory } from '../../engine/maintenance/erase-all.js'
import { readStatus } from '../../engine/maintenance/status.js'
import { operation } from '../operation.js'
import { statusText } from './plain-text.js'
import { nullToUndefined, userId } from './shapes.js'

export const getStatus = operation({
  name: 'get_status',
  title: 'Get status',
  description: 'Health, counts and embedding model state.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    status: z.string(),
    problems: z.array(z.string()).optional(),
    memories_count: z.int(),
    entities_count: z.int(),
    code_chunks_count: z.int(),
    embedding: z.record(z.string(), z.unknown()),
    reranker: z.record(z.string(), z.unknown()),
    db_dimension: z.int(),
    search_memory_mb: z.int(),
    waiting_for_review: z.int().optional().describe('Candidates, conflicts, near duplicates and quarantined writes, if there are any'),
  }),
  text: statusText,
  async run({ context }) {
    const [now, waiting] = await Promise.all([readStatus(context), countWaiting(context)])
    return {
      version: now.version,
      status: now.problems.length === 0 ? 'healthy' : 'degraded',
      memories_count: now.counts.facts,
      entities_count: now.counts.entities,
      code_chunks_count: now.counts.passages,
      embedding: {
        status: now.embedding.state,
        model: now.embedding.model,
        dimensions: now.embedding.dimensions,
        cache_stats: { hits: now.embedding.cache.hits, misses: now.embedding.cache.misses, size: now.embedding.cache.size },
        pending: now.embedding.pending,
        ...(now.embedding.problem === null ? {} : { problem: now.embedding.problem }),
      },
      reranker: { status: now.reranker.state, ...(now.reranker.problem === null ? {} : { problem: now.reranker.problem }) },
      db_dimension: (now.embedding.stored ?? now.embedding).dimensions,
      search_memory_mb: Math.round(now.searchMemoryBytes / 1e6),
      ...(waiting === 0 ? {} : { waiting_for_review: waiting }),
      ...(now.problems.length === 0 ? {} : { problems: [...now.problems] }),
    }
  },
})

/**
 * Counted for callers who see the whole store: whether two facts were compared yet depends on what else is stored. Loaded on first use. A
 * damaged store, which this operation reports, may not be able to count.
 */
async function countWaiting(context: Context): Promise<number> {
  if (context.principal.reach !== 'everything') return 0
  const { countReview } = await import('../../engine/console/review.js')
  const counts = await countReview(context).catch(() => ({}))
  return Object.values<number>(counts).reduce((sum, count) => sum + count, 0)
}

export const resetAllMemory = operation({
  name: 'reset_all_memory',
  title: 'Reset all memory',
  description:
    "Delete all memories, entities, relations and code indexes, or only those of user_id. Only at the user's explicit request. A copy is kept.",
  effect: 'destroy',
  right: 'admin',
  idempotent: true,
  // Any value other than true means unconfirmed and is not an input error.
  input: z.strictObject({
    confirm: z.unknown().optional().meta({ wire: 'boolean' }).describe('Must be true'),
    user_id: userId,
  }),
  output: z.object({
    reset: z.boolean(),
    deleted: z.record(z.string(), z.int()).optional(),
    copy: z.string().optional(),
    message: z.string().optional(),
  }),
  async run({ context, actor }, { confirm, user_id }) {
    if (confirm !== true) return { reset: false, message: 'Confirmation required. Set confirm=true to delete all data.' }
    const { counts, copy } = await eraseMemory(context, actor, { owner: nullToUndefined(user_id) ?? null, reason: 'reset_all_memory' })
    return {
      reset: true,
      deleted: { memories: counts.facts, entities: counts.entities, relations: counts.relations, code_chunks: counts.passages },
      ...(copy === null ? {} : { copy, message: `${copy} still holds what was erased, and everything else: delete it to be rid of it.` }),
    }
  },
  recover: () => ({ reset: true }),
})
