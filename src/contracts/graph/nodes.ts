import { z } from 'zod'
import { RELATED_TO } from '../../core/graph/relation-type.js'
import type { Context } from '../../engine/context.js'
import { readNode } from '../../engine/entities/nodes.js'
import type { LinkRequest, NewNode } from '../../engine/graph/create-node.js'
import { createEntityNode, createFactNode } from '../../engine/graph/create-node.js'
import { deleteNode, markOutdated, updateNode } from '../../engine/graph/update-node.js'
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

function toLink(context: Context, input: LinkInput): LinkRequest {
  const to = input.node_id ?? input.to_id
  if (to === undefined || to === null) throw new MemoryError('invalid_input', 'Invalid links: each needs a node_id')
  const properties = {
    ...metadataOf(context, input.metadata, 'links.metadata'),
    ...metadataOf(context, input.properties, 'links.properties'),
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
    entity_type: z.string().nullish().describe('Of an Entity'),
    links: z.array(link).nullish().meta({ wire: 'array' }).describe('[{node_id, relation_type}]'),
  }),
  output: nodeAnswer.extend({ link_errors: z.array(z.string()).optional() }),
  async run({ context, actor, connection }, input) {
    const type = nullToUndefined(input.node_type) ?? 'Fact'
    if (type !== 'Fact' && type !== 'Entity') throw new MemoryError('invalid_input', "node_type must be 'Fact' or 'Entity'")
    const entityType = nullToUndefined(input.entity_type)
    if (entityType !== undefined && type === 'Fact') throw new MemoryError('invalid_input', 'entity_type applies to Entities only')
    const fresh: NewNode = {
      ...(entityType === undefined ? {} : { type: textOf(context, entityType, 'entity_type') }),
      owner: ownerOf(context, input.owner_id),
      text: textOf(context, input.text),
      source: sourceOf(input.source),
      metadata: metadataOf(context, input.metadata),
      life: lifeOf(input.status),
      ttlDays: ttlOf(context, input.ttl_days),
      expiresAt: expiryOf(context, input.expires_at, { future: true }),
      links: (input.links ?? []).map((link) => toLink(context, link)),
    }
    const linkThreshold =
      input.semantic_threshold === null || input.semantic_threshold === undefined
        ? undefined
        : thresholdOf(input.semantic_threshold, 'semantic_threshold', 0)
    const { node, linkErrors } =
      type === 'Entity'
        ? await createEntityNode(context, actor, fresh)
        : await createFactNode(context, { actor, connection }, { ...fresh, autoLink: input.auto_link ?? true, linkThreshold })
    return { ...answerNode(context, node), ...(linkErrors.length > 0 ? { link_errors: [...linkErrors] } : {}) }
  },
  recover: async ({ context }, input, entries) =>
    answerNode(
      context,
      await readNode(context, findCreatedId(entries, input.node_type === 'Entity' ? 'entity' : 'fact'), ownerOf(context, input.owner_id)),
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
  async run({ context }, input) {
    return answerNode(context, await readNode(context, input.node_id, ownerOf(context, input.owner_id)))
  },
})

export const updateNodeOperation = operation({
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
  async run({ context, actor }, input) {
    const node = await updateNode(context, actor, {
      id: input.node_id,
      owner: ownerOf(context, input.owner_id),
      text: input.text === null || input.text === undefined ? undefined : textOf(context, input.text),
      source: sourceOf(input.source),
      metadata: metadataOf(context, input.metadata),
      life: lifeOf(input.status),
      ttlDays: ttlOf(context, input.ttl_days),
      expiresAt: expiryOf(context, input.expires_at, { future: false }),
      entityType:
        input.entity_type === null || input.entity_type === undefined ? undefined : textOf(context, input.entity_type, 'entity_type'),
      snapshot: input.versioning ?? false,
    })
    return answerNode(context, node)
  },
  recover: async ({ context }, input) => answerNode(context, await readNode(context, input.node_id, ownerOf(context, input.owner_id))),
})

export const deleteNodeOperation = operation({
  name: 'delete_node',
  title: 'Delete node',
  description: 'Remove a node and its relations for good. To end a fact that was true once, use mark_outdated.',
  effect: 'destroy',
  idempotent: false,
  positionals: ['node_id'],
  input: z.strictObject({ node_id: nodeId, owner_id: ownerId }),
  output: z.object({ success: z.boolean() }),
  async run({ context, actor }, input) {
    await deleteNode(context, actor, input.node_id, ownerOf(context, input.owner_id))
    return { success: true }
  },
  recover: () => ({ success: true }),
})

export const markOutdatedOperation = operation({
  name: 'mark_outdated',
  title: 'Mark outdated',
  description: 'End a fact that is no longer true: it stays in the history but is not found any more.',
  effect: 'write',
  idempotent: true,
  positionals: ['fact_id'],
  input: z.strictObject({ fact_id: z.string(), owner_id: ownerId, reason: z.string().nullish() }),
  output: nodeAnswer,
  async run({ context, actor }, input) {
    const reason = input.reason === null || input.reason === undefined ? undefined : textOf(context, input.reason, 'reason')
    const fact = await markOutdated(context, actor, { id: input.fact_id, owner: ownerOf(context, input.owner_id), reason })
    return answerNode(context, { kind: 'fact', fact })
  },
  recover: async ({ context }, input) => answerNode(context, await readNode(context, input.fact_id, ownerOf(context, input.owner_id))),
})
