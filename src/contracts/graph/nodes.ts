import { z } from 'zod'
import { RELATED_TO } from '../../core/graph/relation-type.js'
import type { Engine } from '../../engine/engine.js'
import type { LinkRequest, NewNode } from '../../engine/graph/create-node.js'
import { findCreatedId } from '../../engine/history/idempotency.js'
import { MemoryError } from '../../errors.js'
import { operation } from '../operation.js'
import { expiryOf, lifeOf, metadataOf, ownerOf, relationTypeOf, sourceOf, textOf, thresholdOf, ttlOf } from './checks.js'
import { answerNode, nodeAnswer, nodeId, nullToUndefined, object, ownerId } from './shapes.js'

const link = z.strictObject({
  node_id: z.string().nullish(),
  to_id: z.string().nullish(),
  node_type: z.string().nullish(),
  relation_type: z.string().nullish(),
  type: z.string().nullish(),
  metadata: object,
  properties: object,
})
type LinkInput = z.output<typeof link>

function toLink(engine: Engine, input: LinkInput): LinkRequest {
  const to = input.node_id ?? input.to_id
  if (to === undefined || to === null) throw new MemoryError('invalid_input', 'Invalid links: each needs a node_id')
  const properties = {
    ...metadataOf(engine, input.metadata, 'links.metadata'),
    ...metadataOf(engine, input.properties, 'links.properties'),
  }
  return { to, type: relationTypeOf(input.relation_type ?? input.type ?? RELATED_TO), properties }
}

export const createNode = operation({
  name: 'create_node',
  title: 'Create node',
  description:
    'Remember a Fact (one statement), or name an Entity (person, project, thing). Facts are linked to the entities they mention. Search first.',
  effect: 'write',
  idempotent: false,
  positionals: ['text'],
  input: z.strictObject({
    text: z.string().nullable(),
    node_type: z.string().nullish().describe('Fact (default) or Entity'),
    owner_id: ownerId,
    source: z.string().nullish(),
    metadata: object,
    status: z.string().nullish().describe('active, outdated or archived'),
    ttl_days: z.number().nullish(),
    expires_at: z.int().nullish().describe('Epoch ms; wins over ttl_days'),
    auto_link: z.boolean().nullish().describe('Default true'),
    semantic_threshold: z.number().nullish(),
    links: z.array(link).nullish().meta({ wire: 'array' }).describe('[{node_id, relation_type}]'),
  }),
  output: nodeAnswer.extend({ link_errors: z.array(z.string()).optional() }),
  async run({ engine, actor, connection }, input) {
    const type = nullToUndefined(input.node_type) ?? 'Fact'
    if (type !== 'Fact' && type !== 'Entity') throw new MemoryError('invalid_input', "node_type must be 'Fact' or 'Entity'")
    const fresh: NewNode = {
      owner: ownerOf(engine, input.owner_id),
      text: textOf(engine, input.text),
      source: sourceOf(input.source),
      metadata: metadataOf(engine, input.metadata),
      life: lifeOf(input.status),
      ttlDays: ttlOf(engine, input.ttl_days),
      expiresAt: expiryOf(engine, input.expires_at, { future: true }),
      links: (input.links ?? []).map((one) => toLink(engine, one)),
    }
    const linkThreshold =
      input.semantic_threshold === null || input.semantic_threshold === undefined
        ? undefined
        : thresholdOf(input.semantic_threshold, 'semantic_threshold', 0)
    const { node, linkErrors } =
      type === 'Entity'
        ? await engine.entities.createEntityNode(actor, fresh)
        : await engine.entities.createFactNode({ actor, connection }, { ...fresh, autoLink: input.auto_link ?? true, linkThreshold })
    return { ...answerNode(engine, node), ...(linkErrors.length > 0 ? { link_errors: [...linkErrors] } : {}) }
  },
  recover: async ({ engine }, input, entries) =>
    answerNode(
      engine,
      await engine.entities.node(findCreatedId(entries, input.node_type === 'Entity' ? 'entity' : 'fact'), ownerOf(engine, input.owner_id)),
    ),
})

export const getNode = operation({
  name: 'get_node',
  title: 'Get node',
  description: 'One Fact or Entity by id.',
  effect: 'read',
  idempotent: true,
  positionals: ['node_id'],
  input: z.strictObject({ node_id: nodeId, owner_id: ownerId }),
  output: nodeAnswer,
  async run({ engine }, input) {
    return answerNode(engine, await engine.entities.node(input.node_id, ownerOf(engine, input.owner_id)))
  },
})

export const updateNode = operation({
  name: 'update_node',
  title: 'Update node',
  description: 'Correct a node. Metadata is merged; ttl_days counts from now. If the world changed, use mark_outdated and create_node.',
  effect: 'write',
  idempotent: true,
  positionals: ['node_id'],
  input: z.strictObject({
    node_id: nodeId,
    owner_id: ownerId,
    text: z.string().nullish(),
    source: z.string().nullish(),
    metadata: object,
    status: z.string().nullish().describe('active, outdated or archived'),
    ttl_days: z.number().nullish(),
    expires_at: z.int().nullish().describe('Epoch ms; wins over ttl_days'),
    entity_type: z.string().nullish().describe('Entities only'),
    versioning: z.boolean().nullish().describe('Mark the state before as a snapshot'),
  }),
  output: nodeAnswer,
  async run({ engine, actor }, input) {
    const node = await engine.entities.update(actor, {
      id: input.node_id,
      owner: ownerOf(engine, input.owner_id),
      text: input.text === null || input.text === undefined ? undefined : textOf(engine, input.text),
      source: sourceOf(input.source),
      metadata: metadataOf(engine, input.metadata),
      life: lifeOf(input.status),
      ttlDays: ttlOf(engine, input.ttl_days),
      expiresAt: expiryOf(engine, input.expires_at, { future: false }),
      entityType:
        input.entity_type === null || input.entity_type === undefined ? undefined : textOf(engine, input.entity_type, 'entity_type'),
      snapshot: input.versioning ?? false,
    })
    return answerNode(engine, node)
  },
  recover: async ({ engine }, input) => answerNode(engine, await engine.entities.node(input.node_id, ownerOf(engine, input.owner_id))),
})

export const deleteNode = operation({
  name: 'delete_node',
  title: 'Delete node',
  description: 'Remove a node and its relations for good. To end a fact that was true once, use mark_outdated.',
  effect: 'destroy',
  idempotent: false,
  positionals: ['node_id'],
  input: z.strictObject({ node_id: nodeId, owner_id: ownerId }),
  output: z.object({ success: z.boolean() }),
  async run({ engine, actor }, input) {
    await engine.entities.remove(actor, input.node_id, ownerOf(engine, input.owner_id))
    return { success: true }
  },
  recover: () => ({ success: true }),
})

export const markOutdated = operation({
  name: 'mark_outdated',
  title: 'Mark outdated',
  description: 'End a fact that is no longer true: it stays in the history but is not found any more.',
  effect: 'write',
  idempotent: true,
  positionals: ['fact_id'],
  input: z.strictObject({ fact_id: z.string(), owner_id: ownerId, reason: z.string().nullish() }),
  output: nodeAnswer,
  async run({ engine, actor }, input) {
    const reason = input.reason === null || input.reason === undefined ? undefined : textOf(engine, input.reason, 'reason')
    const fact = await engine.entities.markOutdated(actor, { id: input.fact_id, owner: ownerOf(engine, input.owner_id), reason })
    return answerNode(engine, { kind: 'fact', fact })
  },
  recover: async ({ engine }, input) => answerNode(engine, await engine.entities.node(input.fact_id, ownerOf(engine, input.owner_id))),
})
