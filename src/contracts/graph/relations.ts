import { z } from 'zod'
import { dropRelations, putRelation } from '../../engine/edges/relations.js'
import type { Triplet } from '../../engine/graph/triplets.js'
import { findTriplets, putTriplet, tripletOf } from '../../engine/graph/triplets.js'
import { findCreatedId } from '../../engine/history/idempotency.js'
import { operation } from '../operation.js'
import { limitOf, metadataOf, ownerOf, relationTypeOf, textOf } from './checks.js'
import { nullToUndefined, object, ownerId } from './shapes.js'

const toTriplet = ({ subject, object: target, edge }: Triplet): Record<string, unknown> => ({
  subject_id: subject.id,
  object_id: target.id,
  relation_id: edge.id,
  subject: subject.name,
  predicate: edge.properties.predicate ?? edge.type,
  object: target.name,
  relation_type: edge.type,
  metadata: edge.properties.metadata ?? {},
})

export const createTriplet = operation({
  name: 'create_triplet',
  title: 'Create triplet',
  description: 'State that subject, predicate, object holds between two entities, which are created when new.',
  effect: 'write',
  idempotent: true,
  positionals: ['subject', 'predicate', 'object_value'],
  input: z.strictObject({
    subject: z.string(),
    predicate: z.string(),
    object_value: z.string(),
    owner_id: ownerId,
    metadata: object,
    fact_id: z.string().nullish().describe('The Fact it was read from'),
  }),
  output: z.object({ success: z.boolean(), triplet: z.record(z.string(), z.unknown()) }),
  async run({ context, actor }, input) {
    const triplet = await putTriplet(context, actor, {
      owner: ownerOf(context, input.owner_id),
      subject: textOf(context, input.subject, 'subject'),
      predicate: textOf(context, input.predicate, 'predicate'),
      object: textOf(context, input.object_value, 'object_value'),
      metadata: metadataOf(context, input.metadata),
      factId: nullToUndefined(input.fact_id),
    })
    return { success: true, triplet: toTriplet(triplet) }
  },
  async recover({ context }, _input, entries) {
    const triplet = await tripletOf(context, findCreatedId(entries, 'edge'))
    return { success: true, triplet: toTriplet(triplet) }
  },
})

export const searchTriplets = operation({
  name: 'search_triplets',
  title: 'Search triplets',
  description: 'Triplets by exact subject, predicate or object; names and aliases in any case.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    subject: z.string().nullish(),
    predicate: z.string().nullish(),
    object_value: z.string().nullish(),
    owner_id: ownerId,
    limit: z.int().nullish().describe('Default 100'),
  }),
  output: z.object({ success: z.boolean(), triplets: z.array(z.record(z.string(), z.unknown())) }),
  async run({ context }, input) {
    const triplets = await findTriplets(context, {
      owner: ownerOf(context, input.owner_id),
      subject: nullToUndefined(input.subject),
      predicate: nullToUndefined(input.predicate),
      object: nullToUndefined(input.object_value),
      limit: limitOf(input.limit, 100),
    })
    return { success: true, triplets: triplets.map(toTriplet) }
  },
})

export const createRelation = operation({
  name: 'create_relation',
  title: 'Create relation',
  description: 'Link two nodes, e.g. RELATED_TO, FOLLOWS_FROM, CONTRADICTS, DESCRIBES.',
  effect: 'write',
  idempotent: true,
  positionals: ['from_id', 'to_id', 'relation_type'],
  input: z.strictObject({ from_id: z.string(), to_id: z.string(), relation_type: z.string(), owner_id: ownerId, properties: object }),
  output: z.object({ success: z.boolean(), relation_type: z.string(), relation_id: z.string() }),
  async run({ context, actor }, input) {
    const edge = await putRelation(context, actor, {
      owner: ownerOf(context, input.owner_id),
      from: input.from_id,
      to: input.to_id,
      type: relationTypeOf(input.relation_type),
      properties: metadataOf(context, input.properties, 'properties') ?? {},
    })
    return { success: true, relation_type: edge.type, relation_id: edge.id }
  },
  recover: (_call, input, entries) => ({ success: true, relation_type: input.relation_type, relation_id: findCreatedId(entries, 'edge') }),
})

export const deleteRelation = operation({
  name: 'delete_relation',
  title: 'Delete relation',
  description: 'Remove what leads from one node to another: of one type, or all.',
  effect: 'destroy',
  idempotent: true,
  positionals: ['from_id', 'to_id', 'relation_type'],
  input: z.strictObject({ from_id: z.string(), to_id: z.string(), owner_id: ownerId, relation_type: z.string().nullish() }),
  output: z.object({ success: z.boolean(), deleted: z.int() }),
  async run({ context, actor }, input) {
    const type = nullToUndefined(input.relation_type)
    const ends = { owner: ownerOf(context, input.owner_id), from: input.from_id, to: input.to_id }
    const deleted = await dropRelations(context, actor, { ...ends, type })
    // Types of other contracts can be removed although this contract cannot create them.
    if (deleted === 0 && type !== undefined) relationTypeOf(type)
    return { success: true, deleted }
  },
  recover: (_call, _input, entries) => ({ success: true, deleted: entries.length }),
})
