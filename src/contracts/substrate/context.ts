import { z } from 'zod'
import { stableId } from '../../core/evidence/object-id.js'
import { evidenceOf } from '../../core/substrate/objects/references.js'
import { conflictsAmong } from '../../engine/substrate/knowledge/conflicts.js'
import { headOf, type MemoryObject } from '../../engine/substrate/objects/objects.js'
import type { ObjectHit } from '../../engine/substrate/objects/search.js'
import { searchByBackend } from '../../engine/substrate/query/search-by-backend.js'
import type { Answer } from '../operation.js'
import { optional, toolMode } from './envelope.js'
import { filterAnswer, inferredAnswer, retryTerms, sanitizerAnswer, warningsOf } from './search.js'
import { atLeastOne, filtersSchema, graphBackend, iso, ownerOf, toHead } from './shapes.js'

const DEFAULT_ITEMS = 12
const SUMMARY_CHARS = 240
const NEXT_READS = 5
const MAX_HINTS = 5
/** After this time, stored knowledge may be outdated. */
const FRESH_FOR = 3600e6
const OPEN_STATUSES = ['open', 'in_progress', 'blocked']

/** A section of the pack: the items that belong to it. */
const section = (field: string, found: readonly ObjectHit[], belongs: (object: MemoryObject) => boolean) => {
  const ids = found.filter(({ object }) => belongs(object)).map(({ object }) => object.id)
  return { field, count: ids.length, ids }
}

const factOf = (object: MemoryObject) => (object.type === 'source' || object.type === 'node' ? undefined : object.fact)
const isKnowledge = (object: MemoryObject, kind: string): boolean => object.type === 'knowledge' && object.fact.kind === kind

const citationsOf = (found: readonly ObjectHit[]) =>
  found.flatMap(({ object }) => {
    const fact = factOf(object)
    return fact === undefined ? [] : evidenceOf(fact).map(({ source_id, segment_id }) => ({ source_id, segment_id, object_id: object.id }))
  })

function summaryOf(task: string, found: readonly ObjectHit[]): string {
  if (found.length === 0) return `Nothing is known about: ${task}`
  const counts = new Map<string, number>()
  for (const { object } of found) counts.set(object.type, (counts.get(object.type) ?? 0) + 1)
  return `${found.length} items for: ${task} (${[...counts].map(([type, count]) => `${count} ${type}`).join(', ')})`
}

export const context = toolMode({
  effect: 'read',
  input: z.strictObject({ task: z.string(), scope: optional(filtersSchema) }),
  options: z.strictObject({ max_items: optional(atLeastOne), graph_backend: optional(graphBackend) }),
  async run(call, { task, scope = {} }, { max_items = DEFAULT_ITEMS }) {
    const { context } = call
    const answer = await searchByBackend(context, {
      text: task,
      owner: ownerOf(call),
      limit: max_items,
      filters: scope,
      signal: context.signal,
    })
    const { found, sanitized } = answer
    const at = context.clock.now()
    const conflicts = await conflictsAmong(
      context,
      found.flatMap(({ object }) => factOf(object) ?? []),
    )
    const citations = citationsOf(found)
    const sections = {
      decisions: section('decisions', found, (object) => isKnowledge(object, 'decision')),
      procedures: section('procedures', found, (object) => isKnowledge(object, 'procedure')),
      open_work: section('open_work', found, (object) => object.type === 'work_item' && OPEN_STATUSES.includes(headOf(object).status)),
    }
    const evidenced = section('evidence', found, (object) => {
      const fact = factOf(object)
      return object.type === 'source' || (fact !== undefined && evidenceOf(fact).length > 0)
    })
    const ids = found.map(({ object }) => object.id)
    const data: Answer = {
      id: `ctx:${stableId('src', context.ids.mint()).slice(4)}`,
      task: sanitized.text,
      scope: filterAnswer(scope),
      summary: summaryOf(sanitized.text, found),
      items: found.map(({ object }) => toHead(object, SUMMARY_CHARS)),
      ...sections,
      evidence: citations,
      citations,
      conflicts: conflicts.map((conflict) => ({
        object_id: conflict.id,
        conflicts_with: conflict.with,
        subject: conflict.subject,
        predicate: conflict.predicate,
      })),
      missing_context: found.length === 0 ? ['No relevant context found yet.'] : [],
      recommended_next_reads: ids.slice(0, NEXT_READS),
      context_tiers: {
        policy: { field: 'policy', count: 0, ids: [] },
        active_task: { task: sanitized.text, scope: filterAnswer(scope) },
        ...sections,
        evidence: evidenced,
        deep_search_hints: ids.length === 0 ? [] : [{ tool: 'memory_query', mode: 'expand', ids: ids.slice(0, MAX_HINTS) }],
      },
      context_budget: { max_items, returned_items: found.length, detail: 'compact' },
      normalized_terms: answer.plan.normalizedTerms,
      inferred_filters: inferredAnswer(answer),
      suggested_retry_terms: retryTerms(answer),
      semantic_backend: answer.semanticBackend,
      query_sanitizer: sanitizerAnswer(sanitized),
      freshness: { generated_at: iso(at), expires_at: iso(at + FRESH_FOR) },
      generated_at: iso(at),
      expires_at: iso(at + FRESH_FOR),
    }
    return { result_type: 'context_pack', data, warnings: warningsOf(answer) }
  },
})
