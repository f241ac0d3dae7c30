import { z } from 'zod'
import { neighboursOf } from '../../engine/stigmem/neighbours.js'
import { operation } from '../operation.js'
import { confidence, scope, speakerOf } from './shapes.js'

export const neighbors = operation({
  name: 'neighbors',
  title: 'Neighbors',
  description: 'Entities connected to one within a scope, nearest first, each by its shortest path.',
  effect: 'read',
  idempotent: true,
  malformed: 'unprocessable',
  positionals: ['entity'],
  route: { method: 'GET', path: '/v1/graph/neighbors', status: 200 },
  input: z.strictObject({
    entity: z.string(),
    depth: z.int().min(1).default(1).describe('At most 3'),
    relation_filter: z.string().optional().describe('Relations separated by commas; a trailing * matches any ending'),
    scope: scope,
    min_confidence: confidence.default(0.1),
    min_trust: confidence.default(0),
    cursor: z.string().optional(),
    page_size: z.int().min(1).max(200).default(20),
  }),
  output: z.object({
    entity: z.string(),
    depth: z.int(),
    neighbors: z.array(
      z.object({
        entity: z.string(),
        relation: z.string(),
        hops: z.int(),
        confidence: z.number(),
        source_trust: z.number().nullable(),
        path: z.array(z.string()),
      }),
    ),
    next_cursor: z.string().optional(),
    total_hint: z.int(),
  }),
  async run(call, input) {
    const found = await neighboursOf(call.context, speakerOf(call), {
      ...{ entity: input.entity, depth: input.depth, scope: input.scope, relations: input.relation_filter },
      ...{ leastConfidence: input.min_confidence, leastTrust: input.min_trust, cursor: input.cursor, limit: input.page_size },
    })
    return {
      entity: found.entity,
      depth: input.depth,
      neighbors: found.neighbours.map(({ trust, path, ...neighbour }) => ({ ...neighbour, source_trust: trust, path: [...path] })),
      ...(found.cursor === undefined ? {} : { next_cursor: found.cursor }),
      total_hint: found.total,
    }
  },
})
