import { z } from 'zod'
import { readNode } from '../../engine/entities/nodes.js'
import { tracePaths } from '../../engine/graph/paths.js'
import { loadSubgraph } from '../../engine/graph/subgraph.js'
import { summarise } from '../../engine/graph/summaries.js'
import { findCreatedId } from '../../engine/history/idempotency.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { limitOf, ownerOf, textOf } from './checks.js'
import { answerNode, clamped, nodeAnswer, nodeList, ownerId, toEdge, toNode } from './shapes.js'

const DEPTH_LIMITS = { least: 1, most: 3 }
const NODE_LIMITS = { usual: 20, most: 50 }
const PATH_LIMITS = { usual: 5, most: 100 }

export const getContext = operation({
  name: 'get_context',
  title: 'Get context',
  description: 'What surrounds a node: its neighbours in both directions and the relations among them.',
  effect: 'read',
  idempotent: true,
  positionals: ['node_id'],
  input: z.strictObject({
    node_id: z.string().nullish(),
    owner_id: ownerId,
    depth: clamped(DEPTH_LIMITS.least).describe('1 (default) to 3'),
    max_nodes: clamped(NODE_LIMITS.usual).describe('20 (default), at most 50'),
  }),
  output: z.object({ success: z.boolean(), nodes: nodeList, edges: z.array(z.record(z.string(), z.unknown())) }),
  async run({ context }, input) {
    const { nodes, edges } = await loadSubgraph(context, {
      owner: ownerOf(context, input.owner_id),
      id: input.node_id ?? '',
      depth: Math.max(DEPTH_LIMITS.least, Math.min(DEPTH_LIMITS.most, input.depth)),
      maxNodes: Math.max(1, Math.min(NODE_LIMITS.most, input.max_nodes)),
    })
    const now = context.clock.now()
    return { success: true, nodes: nodes.map((node) => toNode(node, now)), edges: edges.map(toEdge) }
  },
})

export const getTrace = operation({
  name: 'get_trace',
  title: 'Get trace',
  description: 'How two nodes connect: the shortest paths, up to 5 steps, shortest first.',
  effect: 'read',
  idempotent: true,
  positionals: ['from_id', 'to_id'],
  input: z.strictObject({
    from_id: z.string(),
    to_id: z.string(),
    owner_id: ownerId,
    max_paths: z.int().nullish().describe('Default 5'),
    max_depth: z.int().nullish().describe('1 to 6, default 5'),
  }),
  output: z.object({
    success: z.boolean(),
    paths: z.array(z.object({ nodes: nodeList, edges: z.array(z.record(z.string(), z.unknown())) })),
  }),
  async run({ context }, input) {
    if (input.max_paths !== null && input.max_paths !== undefined && input.max_paths < 1)
      throw new MemoryError('invalid_input', 'max_paths must be at least 1')
    const depth = input.max_depth ?? undefined
    if (depth !== undefined && (depth < 1 || depth > 6)) throw new MemoryError('invalid_input', 'max_depth must be from 1 to 6')
    const paths = await tracePaths(context, {
      ...(depth === undefined ? {} : { maxDepth: depth }),
      owner: ownerOf(context, input.owner_id),
      from: input.from_id,
      to: input.to_id,
      maxPaths: limitOf(input.max_paths, PATH_LIMITS.usual, PATH_LIMITS.most),
    })
    const now = context.clock.now()
    return {
      success: true,
      paths: paths.map(({ nodes, edges }) => ({ nodes: nodes.map((node) => toNode(node, now)), edges: edges.map(toEdge) })),
    }
  },
})

export const createSummaryFact = operation({
  name: 'create_summary_fact',
  title: 'Create summary fact',
  description: 'Store a summary of several facts, linked to each by SUMMARIZES.',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({ fact_ids: z.array(z.string()), summary_text: z.string(), owner_id: ownerId }),
  output: nodeAnswer,
  async run({ context, actor }, input) {
    if (input.fact_ids.length === 0) throw new MemoryError('invalid_input', 'fact_ids must not be empty')
    const text = textOf(context, input.summary_text)
    const fact = await summarise(context, actor, { owner: ownerOf(context, input.owner_id), factIds: input.fact_ids, text })
    return answerNode(context, { kind: 'fact', fact })
  },
  recover: async ({ context }, input, entries) =>
    answerNode(context, await readNode(context, findCreatedId(entries, 'fact'), ownerOf(context, input.owner_id))),
})
