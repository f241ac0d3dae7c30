import { z } from 'zod'
import { codeSegmentIds, isDocument } from '../../core/evidence/repo-files.js'
import { excerptOf, type Segment, segmentOf } from '../../core/evidence/segments.js'
import type { Passage } from '../../core/facts/source.js'
import type { SanitizedQuery } from '../../core/substrate/search/query-sanitizer.js'
import type { ObjectFilters } from '../../engine/substrate/objects/objects.js'
import type { ObjectAnswer, ObjectHit } from '../../engine/substrate/objects/search.js'
import { searchByBackend } from '../../engine/substrate/query/search-by-backend.js'
import type { Answer } from '../operation.js'
import { optional, toolMode } from './envelope.js'
import { atLeastOne, clip, filtersSchema, graphBackend, ownerOf, semanticBackend, toHead } from './shapes.js'

const DEFAULT_ITEMS = 10
const MAX_CHUNKS = 3
const EXCERPT_CHARS = 360

const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

export const sanitizerAnswer = ({ wasSanitized, method, originalLength, text }: SanitizedQuery) => ({
  was_sanitized: wasSanitized,
  method,
  original_length: originalLength,
  clean_length: text.length,
})

/** Filters under their argument names. */
export const filterAnswer = ({ types, kinds, statuses, nodeIds, sourceIds }: ObjectFilters): Answer => {
  const named = { object_types: types, kinds, statuses, node_ids: nodeIds, source_ids: sourceIds }
  return Object.fromEntries(Object.entries(named).filter(([, values]) => values !== undefined && values.length > 0))
}

/** A file of code is one segment; sections of documents are cut differently from passages. */
function codeFileOf({ path, startLine, endLine, text, hash }: Passage): Segment | undefined {
  const segmentId = isDocument(path) ? undefined : codeSegmentIds([path]).get(path)
  if (segmentId === undefined) return undefined
  return { segmentId, locator: { kind: 'code_file', path, line_start: startLine, line_end: endLine }, excerpt: excerptOf(text), hash }
}

/** Segments similar in meaning. */
const chunksOf = ({ object, passages }: ObjectHit): readonly Answer[] =>
  passages
    .filter(({ cosine }) => cosine !== null)
    .sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
    .slice(0, MAX_CHUNKS)
    .flatMap(({ passage, cosine }) => {
      const segment = object.type === 'source' && object.source.kind === 'repo' ? codeFileOf(passage) : segmentOf(passage)
      if (segment === undefined) return []
      const { segmentId, locator, excerpt, hash } = segment
      const distance = round6(1 - (cosine ?? 0))
      const chunk = {
        ...{ chunk_id: `${object.id}#${segmentId}`, segment_id: segmentId, locator, excerpt: clip(excerpt, EXCERPT_CHARS), hash, distance },
        semantic_score: round6(Math.max(0, 1 - distance)),
      }
      return [chunk]
    })

export const toItem = (found: ObjectHit): Answer => {
  const chunks = chunksOf(found)
  return {
    ...toHead(found.object, 240),
    score: round6(found.rankScore * 1000),
    rank_score: found.rankScore,
    lexical_score: found.lexical.score,
    ...(found.cosine === null ? {} : { semantic_score: round6(Math.max(0, found.cosine)) }),
    matched_terms: found.lexical.matched,
    retrieval_sources: Object.keys(found.ranks),
    retrieval_ranks: found.ranks,
    ...(chunks.length === 0 ? {} : { matched_chunks: chunks }),
  }
}

/** Terms without results, and their synonyms. */
export const retryTerms = ({ plan, found }: ObjectAnswer): readonly string[] => {
  const matched = new Set(found.flatMap(({ lexical }) => lexical.matched))
  return plan.normalizedTerms
    .slice(1)
    .filter((term) => !matched.has(term))
    .slice(0, 8)
}

export const inferredAnswer = ({ plan }: ObjectAnswer): Answer => (plan.inferred === null ? {} : filterAnswer(plan.inferred))

export const warningsOf = ({ degraded }: ObjectAnswer): readonly string[] => (degraded === null ? [] : [degraded])

export const search = toolMode({
  effect: 'read',
  input: z.strictObject({ query: z.string() }),
  options: z.strictObject({
    max_items: optional(atLeastOne),
    filters: optional(filtersSchema),
    graph_backend: optional(graphBackend),
    semantic_backend: optional(semanticBackend),
  }),
  async run(call, { query }, { max_items, filters = {}, semantic_backend }) {
    const answer = await searchByBackend(call.context, {
      ...{
        text: query,
        owner: ownerOf(call),
        limit: max_items ?? DEFAULT_ITEMS,
        filters,
        semantic: semantic_backend,
        signal: call.context.signal,
      },
    })
    return {
      result_type: 'search_results',
      data: {
        query: answer.sanitized.text,
        items: answer.found.map(toItem),
        normalized_terms: answer.plan.normalizedTerms,
        applied_filters: filterAnswer(filters),
        inferred_filters: inferredAnswer(answer),
        suggested_retry_terms: retryTerms(answer),
        semantic_backend: answer.semanticBackend,
        query_sanitizer: sanitizerAnswer(answer.sanitized),
      },
      warnings: warningsOf(answer),
    }
  },
})
