import { z } from 'zod'
import { edgesOf } from '../../engine/edges/related.js'
import type { NodeHit } from '../../engine/engine-services.js'
import { readNode, unknownNode } from '../../engine/entities/nodes.js'
import { findSimilar } from '../../engine/graph/find-similar.js'
import { searchNodes } from '../../engine/graph/search-nodes.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { lifeOf, limitOf, ownerOf, thresholdOf } from './checks.js'
import { nodeList, ownerId, roundSimilarity, toEdge, toNode } from './shapes.js'

const KINDS = { fact: 'fact', entity: 'entity' } as const

/** Names of node types in any case; unknown ones are ignored. */
const kindsOf = (types: readonly string[] | null | undefined): readonly NodeHit['node']['kind'][] =>
  types === null || types === undefined
    ? ['fact', 'entity']
    : Object.values(KINDS).filter((kind) => types.some((type) => type.toLowerCase() === kind))

export const search = operation({
  name: 'search',
  title: 'Search',
  description:
    'Find facts and entities for a question, by meaning and words, best first. Outdated, archived and expired ones are left out.',
  effect: 'read',
  idempotent: true,
  positionals: ['query'],
  input: z.strictObject({
    query: z.string(),
    owner_id: ownerId,
    limit: z.int().nullish().describe('Default 10'),
    node_types: z.array(z.string()).nullish().describe('Fact, Entity'),
    status: z.string().nullish().describe('Only active, outdated or archived'),
    similarity_threshold: z.number().nullish(),
    include_outdated: z.boolean().nullish(),
  }),
  output: z.object({ success: z.boolean(), results: nodeList, facts: nodeList, entities: nodeList, notice: z.string().optional() }),
  async run({ context }, input) {
    if (input.query.trim() === '') throw new MemoryError('invalid_input', 'query must not be empty')
    const owner = ownerOf(context, input.owner_id)
    const life = lifeOf(input.status)
    const { hits, degraded } = await searchNodes(context, {
      text: input.query,
      owner,
      limit: limitOf(input.limit, 10),
      kinds: kindsOf(input.node_types),
      lives: life !== undefined ? [life] : input.include_outdated === true ? ['active', 'outdated'] : ['active'],
      threshold: thresholdOf(input.similarity_threshold, 'similarity_threshold', context.settings.graph.thresholds.search),
      strict: input.similarity_threshold !== null && input.similarity_threshold !== undefined,
      signal: context.signal,
    })
    const now = context.clock.now()
    const results = hits.map((hit) => ({
      kind: hit.node.kind,
      shown: { ...toNode(hit.node, now), similarity: roundSimilarity(hit.similarity) },
    }))
    return {
      success: true,
      results: results.map((result) => result.shown),
      facts: results.filter((result) => result.kind === 'fact').map((result) => result.shown),
      entities: results.filter((result) => result.kind === 'entity').map((result) => result.shown),
      ...(degraded === null ? {} : { notice: degraded }),
    }
  },
})

export const findSimilarOperation = operation({
  name: 'find_similar',
  title: 'Find similar',
  description: 'Facts that resemble one you have, most similar first, with the relations between them.',
  effect: 'read',
  idempotent: true,
  positionals: ['fact_id'],
  input: z.strictObject({
    fact_id: z.string(),
    owner_id: ownerId,
    threshold: z.number().nullish(),
    limit: z.int().nullish().describe('Default 10'),
    include_relations: z.boolean().nullish().describe('Default true'),
  }),
  output: z.object({ success: z.boolean(), results: nodeList }),
  async run({ context }, input) {
    const owner = ownerOf(context, input.owner_id)
    const node = await readNode(context, input.fact_id, owner)
    if (node.kind !== 'fact') throw unknownNode(input.fact_id)
    const threshold = thresholdOf(input.threshold, 'threshold', context.settings.graph.thresholds.neighbours)
    const hits = await findSimilar(context, node.fact, { threshold, limit: limitOf(input.limit, 10) })
    const now = context.clock.now()
    const others = new Set(hits.map((hit) => hit.fact.id))
    const edges = input.include_relations === false || others.size === 0 ? [] : await edgesOf(context, owner, node.fact.id)
    return {
      success: true,
      results: hits.map(({ fact, similarity }) => ({
        ...toNode({ kind: 'fact', fact }, now),
        similarity: roundSimilarity(similarity),
        ...(input.include_relations === false
          ? {}
          : { relations: edges.filter((edge) => edge.from === fact.id || edge.to === fact.id).map(toEdge) }),
      })),
    }
  },
})
