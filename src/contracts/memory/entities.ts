import { z } from 'zod'
import type { Fact } from '../../core/facts/fact.js'
import type { Entity } from '../../core/graph/entity.js'
import { checkNote, checkText, formatInstant } from '../../core/input/input.js'
import { clampToNow, noLaterThan } from '../../core/time/instants.js'
import type { CodeNeighbourhood } from '../../engine/code/code-graph.js'
import { findRelatedCode } from '../../engine/code/code-graph.js'
import { findRelated } from '../../engine/edges/related.js'
import { relate } from '../../engine/edges/relations.js'
import { createEntity } from '../../engine/entities/create-entity.js'
import { findNamed } from '../../engine/entities/nodes.js'
import { findCreatedId } from '../../engine/history/idempotency.js'
import { operation } from '../operation.js'
import { unknownEntity } from './failures.js'
import { idInput, memoryList, nullToUndefined, type Reader, userId } from './shapes.js'

const MAX_TYPE_BYTES = 1000

export const createEntityOperation = operation({
  name: 'create_entity',
  title: 'Create entity',
  description: 'Create a person, project, file or concept and link the memories that mention it. An existing name returns its id.',
  effect: 'write',
  idempotent: true,
  positionals: ['name'],
  input: z.strictObject({
    name: z.string(),
    entity_type: z.string().nullish().describe('person, project, concept, file, ...'),
    description: z.string().nullish(),
    user_id: userId,
  }),
  output: z.object({ id: z.string() }),
  async run({ context, actor }, input) {
    const type = nullToUndefined(input.entity_type)
    const description = nullToUndefined(input.description)
    if (type !== undefined) checkText(type, 'entity_type', MAX_TYPE_BYTES)
    if (description !== undefined) checkNote(description, 'description', context.settings.maxContentBytes)
    const entity = await createEntity(context, actor, { name: input.name, type, description, owner: nullToUndefined(input.user_id) })
    return { id: entity.id }
  },
  recover: (_call, _input, entries) => ({ id: findCreatedId(entries, 'entity') }),
})

export const createRelation = operation({
  name: 'create_relation',
  title: 'Create relation',
  description: 'Relate two entities or memories, e.g. works_on, knows, uses. Relations influence recall.',
  effect: 'write',
  idempotent: false,
  input: z.strictObject({
    from_entity: idInput.describe('Id, or name of an entity'),
    to_entity: idInput.describe('Id, or name of an entity'),
    relation_type: z.string(),
    weight: z.number().min(0, { error: 'must be from 0 to 1' }).max(1, { error: 'must be from 0 to 1' }).default(1),
    user_id: userId,
  }),
  output: z.object({ id: z.string() }),
  async run({ context, actor }, input) {
    const edge = await relate(
      context,
      actor,
      {
        from: input.from_entity,
        to: input.to_entity,
        type: input.relation_type,
        weight: input.weight,
        owner: nullToUndefined(input.user_id),
      },
      { unknown: unknownEntity },
    )
    return { id: edge.id }
  },
  recover: (_call, _input, entries) => ({ id: findCreatedId(entries, 'edge') }),
})

export const getRelated = operation({
  name: 'get_related',
  title: 'Get related',
  description:
    'Entities and memories reachable from one over relations, and memories that name it; for a code result, what it uses and where it is used.',
  effect: 'read',
  idempotent: true,
  positionals: ['entity_id'],
  input: z.strictObject({
    entity_id: idInput.describe('Id, or name of an entity'),
    depth: z.int({ error: 'must be 1, 2 or 3' }).min(1, { error: 'must be 1, 2 or 3' }).max(3, { error: 'must be 1, 2 or 3' }).default(1),
    direction: z.enum(['outgoing', 'incoming', 'both'], { error: 'must be one of outgoing, incoming, both' }).default('outgoing'),
    user_id: userId,
  }),
  output: z.object({
    entities: memoryList,
    relations: memoryList,
    entity_count: z.int(),
    relation_count: z.int(),
    memories: memoryList.optional(),
  }),
  async run({ context }, { entity_id, depth, direction, user_id }) {
    const owner = nullToUndefined(user_id)
    const start = await findNamed(context, entity_id, owner)
    if (start === undefined) {
      const code = await findRelatedCode(context, entity_id, owner, { depth, direction })
      if (code === undefined) throw unknownEntity(entity_id)
      return toCodeAnswer(code)
    }
    const found = await findRelated(context, start, { depth, direction, maxNodes: 1000 })
    const entities = [
      ...found.entities.map((entity) => toEntity(entity, context)),
      ...found.facts.map((fact) => toRelatedMemory(clampToNow(fact, context.clock.now()), context)),
    ]
    const relations = found.edges.map((edge) => ({
      id: edge.id,
      from_entity: edge.from,
      to_entity: edge.to,
      relation_type: edge.type,
      weight: edge.weight,
    }))
    const memories = found.mentions.map((fact) => toRelatedMemory(clampToNow(fact, context.clock.now()), context))
    const counts = { entity_count: entities.length, relation_count: relations.length }
    return { entities, relations, ...counts, ...(memories.length === 0 ? {} : { memories }) }
  },
})

/** Code links are resolved by name, which the response states. */
function toCodeAnswer({ passages, links }: CodeNeighbourhood): {
  entities: Record<string, unknown>[]
  relations: Record<string, unknown>[]
  entity_count: number
  relation_count: number
} {
  const entities = passages.map((passage) => ({
    id: passage.id,
    name: [passage.scopePath, passage.name ?? passage.path].filter((part) => part !== null).join('.'),
    entity_type: passage.kind,
    file_path: passage.path,
    start_line: passage.startLine,
    end_line: passage.endLine,
  }))
  const relations = links.map(({ from, to, kind, name, weight }) => ({
    id: `${from}-${kind}-${to}`,
    from_entity: from,
    to_entity: to,
    relation_type: kind,
    weight,
    properties: { best_effort: true, name },
  }))
  return { entities, relations, entity_count: entities.length, relation_count: relations.length }
}

const toEntity = (entity: Entity, { clock, settings }: Reader): Record<string, unknown> => ({
  id: entity.id,
  name: entity.name,
  entity_type: entity.type,
  ...(entity.description === null ? {} : { description: entity.description }),
  ...(entity.owner === settings.defaultOwner ? {} : { user_id: entity.owner }),
  created_at: formatInstant(noLaterThan(entity.createdAt, clock.now())),
})

function headOf(text: string): string {
  const [head = ''] = /^.{0,80}/su.exec(text) ?? []
  return head.length < text.length ? `${head}...` : text
}

/** Uses the fields of an entity, with the full text in addition to the name. */
const toRelatedMemory = (fact: Fact, { settings }: Reader): Record<string, unknown> => ({
  id: fact.id,
  name: fact.title ?? headOf(fact.text),
  entity_type: 'memory',
  content: fact.text,
  ...(fact.validUntil === null ? {} : { valid_until: formatInstant(fact.validUntil) }),
  ...(fact.owner === settings.defaultOwner ? {} : { user_id: fact.owner }),
  created_at: formatInstant(fact.recordedAt),
})
