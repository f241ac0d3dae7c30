import { canonicalJson, type JsonObject } from '../../core/encoding/json.js'
import type { Fact, FactStatus, Instant } from '../../core/facts/fact.js'
import { isExpired, isGone, type LifecycleState, lifeOf } from '../../core/facts/lifecycle.js'
import { withStatus } from '../../core/facts/validity.js'
import type { Edge, NodeKind } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { entityKey } from '../../core/graph/names.js'
import { checkMetadata } from '../../core/input/input.js'
import { isSystemForm } from '../../core/statements/statement.js'
import { displayName, typeInUri } from '../../core/statements/uri.js'
import { MemoryError } from '../../errors.js'
import type { OwnerCounts } from '../../ports/graph-index.js'
import type { Environment } from '../environment.js'
import { toMaskedText } from '../masking.js'

/** A node of the graph: a fact or an entity. */
export type MemoryNode = { readonly kind: 'fact'; readonly fact: Fact } | { readonly kind: 'entity'; readonly entity: Entity }

export const unknownNode = (id: string): MemoryError => new MemoryError('not_found', `Node ${id.slice(0, 200)} not found`)

export const idOf = (node: MemoryNode): string => (node.kind === 'fact' ? node.fact.id : node.entity.id)

const content = (node: MemoryNode): Fact | Entity => (node.kind === 'fact' ? node.fact : node.entity)

export const lifeOfNode = (node: MemoryNode, asOf: Instant): LifecycleState => lifeOf(content(node), asOf)

/** The nodes with these ids that belong to the owner, or to any owner; including expired ones. */
export async function loadNodes(
  env: Environment,
  ids: readonly string[],
  owner: string | undefined,
): Promise<ReadonlyMap<string, MemoryNode>> {
  const found = new Map<string, MemoryNode>()
  const isTheirs = (node: Fact | Entity): boolean => owner === undefined || node.owner === owner
  const facts = (await env.store.facts(ids)).filter((fact) => !isSystemForm(fact.form))
  for (const fact of facts) if (isTheirs(fact)) found.set(fact.id, { kind: 'fact', fact })
  const rest = ids.filter((id) => !facts.some((fact) => fact.id === id))
  if (rest.length === 0) return found
  for (const entity of await env.store.entities(rest)) if (isTheirs(entity)) found.set(entity.id, { kind: 'entity', entity })
  const uris = rest.filter((id) => !found.has(id) && id.includes(':'))
  for (const entity of await statedEntities(env, uris, owner)) found.set(entity.id, { kind: 'entity', entity })
  return found
}

const MAX_EDGES = 5000

/** Entities mentioned in statements, which have no row of their own. */
async function statedEntities(env: Environment, uris: readonly string[], owner: string | undefined): Promise<readonly Entity[]> {
  if (uris.length === 0) return []
  const edges = await env.store.edges({ nodes: uris, limit: MAX_EDGES, ...(owner === undefined ? {} : { owner }) })
  const stated = edges.filter(({ id, factId }) => id === factId)
  return uris.flatMap((uri) => {
    const edge = stated.find(({ from, to }) => from === uri || to === uri)
    return edge === undefined ? [] : [entityOf(uri, edge)]
  })
}

const entityOf = (uri: string, { owner, createdAt }: Pick<Edge, 'owner' | 'createdAt'>): Entity => ({
  ...{ id: uri, owner, name: displayName(uri), type: typeInUri(uri) ?? 'unknown', description: null, aliases: [], uri, status: 'active' },
  ...{ source: 'stigmem', metadata: {}, createdAt, updatedAt: createdAt, expiresAt: null, ttlDays: null, version: 1 },
})

/** Current nodes among these ids, in the requested order. */
export async function visibleNodes(env: Environment, ids: readonly string[], owner: string, asOf: Instant): Promise<readonly MemoryNode[]> {
  const nodes = await loadNodes(env, ids, owner)
  return ids.flatMap((id) => {
    const node = nodes.get(id)
    return node === undefined || isExpired(content(node), asOf) ? [] : [node]
  })
}

/** The node with an id; rejects with `not_found` if it belongs to another owner or has expired. */
export async function readNode(env: Environment, id: string, owner: string): Promise<MemoryNode> {
  const node = (await loadNodes(env, [id], owner)).get(id)
  if (node === undefined || isGone(content(node), env.clock.now())) throw unknownNode(id)
  return node
}

/** Includes expired nodes, which can be restored or deleted. */
export async function storedNode(env: Environment, id: string, owner: string): Promise<MemoryNode> {
  const node = (await loadNodes(env, [id], owner)).get(id)
  if (node === undefined) throw unknownNode(id)
  return node
}

export interface NodeRef {
  readonly id: string
  readonly owner: string
  readonly kind: NodeKind
}

/** The node with an id, or the entity with a name; undefined if it is unknown, expired, or of another owner. */
export async function findNamed(env: Environment, idOrName: string, owner: string | undefined): Promise<NodeRef | undefined> {
  const byId = (await loadNodes(env, [idOrName], owner)).get(idOrName)
  const named = byId === undefined || isGone(content(byId), env.clock.now()) ? await entityNamed(env, idOrName, owner) : undefined
  const node: MemoryNode | undefined = named === undefined ? byId : { kind: 'entity', entity: named }
  if (node === undefined || isGone(content(node), env.clock.now())) return undefined
  return { id: idOf(node), owner: content(node).owner, kind: node.kind }
}

/** The entity with a name. Names are compared in their stored form, with masked secrets. */
export async function entityNamed(env: Environment, name: string, owner: string | undefined): Promise<Entity | undefined> {
  return entityByKey(env, entityKey(toMaskedText(env, name)), owner)
}

/** Finds an entity by its URI if it has one, otherwise by name. */
export async function entityByKey(env: Environment, key: string, owner: string | undefined): Promise<Entity | undefined> {
  const keys = [key]
  const [entity] = await env.store.listEntities({ owner: owner ?? env.settings.defaultOwner, keys, limit: 1, offset: 0 })
  return entity
}

const LIFE_STATUS: Readonly<Record<LifecycleState, FactStatus>> = { active: 'active', archived: 'archived', outdated: 'outdated' }

/** Keeps a more specific status if it has the same meaning. */
export const withLife = (fact: Fact, life: LifecycleState, asOf: Instant): Fact =>
  lifeOf(fact, asOf) === life ? fact : withStatus(fact, LIFE_STATUS[life], asOf)

export const entityStatus = (entity: Entity, life: LifecycleState): FactStatus =>
  lifeOf(entity, 0) === life ? entity.status : LIFE_STATUS[life]

export const mergedMetadata = (known: JsonObject, added: JsonObject | undefined): JsonObject =>
  added === undefined ? known : { ...known, ...added }

/** The sum of several additions may exceed a limit although each does not. */
export function withinLimits<N extends { readonly metadata: JsonObject }>(env: Environment, node: N, known: N): N {
  if (canonicalJson(node.metadata) !== canonicalJson(known.metadata))
    checkMetadata(node.metadata, 'metadata', env.settings.maxMetadataBytes)
  return node
}

/** Number of nodes and relations of an owner, by kind and state. */
export const countNodes = (env: Environment, owner: string): Promise<OwnerCounts> => env.graph.census(owner, env.clock.now())
