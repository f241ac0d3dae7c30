import type { Entity } from '../../core/entity.js'
import type { Fact, FactStatus, Instant } from '../../core/fact.js'
import { checkMetadata } from '../../core/input.js'
import { canonicalJson, type JsonObject } from '../../core/json.js'
import { isExpired, isGone, type Life, lifeOf } from '../../core/life.js'
import { withStatus } from '../../core/validity.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { DAY } from '../facts/remember.js'

/** What a graph is made of: a fact or an entity. */
export type MemoryNode = { readonly kind: 'fact'; readonly fact: Fact } | { readonly kind: 'entity'; readonly entity: Entity }

export const unknownNode = (id: string): MemoryError => new MemoryError('not_found', `Node ${id.slice(0, 200)} not found`)

export const idOf = (node: MemoryNode): string => (node.kind === 'fact' ? node.fact.id : node.entity.id)

const content = (node: MemoryNode): Fact | Entity => (node.kind === 'fact' ? node.fact : node.entity)

export const lifeOfNode = (node: MemoryNode, at: Instant): Life => lifeOf(content(node), at)

/** The nodes among these ids that belong to the owner, expired ones too. */
export async function loadNodes(env: Environment, ids: readonly string[], owner: string): Promise<ReadonlyMap<string, MemoryNode>> {
  const found = new Map<string, MemoryNode>()
  const facts = await env.backend.store.facts(ids)
  for (const fact of facts) if (fact.owner === owner) found.set(fact.id, { kind: 'fact', fact })
  const rest = ids.filter((id) => !facts.some((fact) => fact.id === id))
  if (rest.length === 0) return found
  for (const entity of await env.backend.store.entities(rest)) if (entity.owner === owner) found.set(entity.id, { kind: 'entity', entity })
  return found
}

/** Those that something may lead to now, in the order asked for. */
export async function visibleNodes(env: Environment, ids: readonly string[], owner: string, at: Instant): Promise<readonly MemoryNode[]> {
  const nodes = await loadNodes(env, ids, owner)
  return ids.flatMap((id) => {
    const node = nodes.get(id)
    return node === undefined || isExpired(content(node), at) ? [] : [node]
  })
}

/** The node with that id; rejects with `not_found` when it is not the owner's or has expired. */
export async function readNode(env: Environment, id: string, owner: string): Promise<MemoryNode> {
  const node = (await loadNodes(env, [id], owner)).get(id)
  if (node === undefined || isGone(content(node), env.clock.now())) throw unknownNode(id)
  return node
}

/** For those who change or delete it: an expired node can be brought back or removed. */
export async function storedNode(env: Environment, id: string, owner: string): Promise<MemoryNode> {
  const node = (await loadNodes(env, [id], owner)).get(id)
  if (node === undefined) throw unknownNode(id)
  return node
}

export interface Lifetime {
  readonly ttlDays?: number | undefined
  /** Wins over the time to live. */
  readonly expiresAt?: Instant | undefined
}

/** When a node ends that lives so long from now; undefined when nothing was said. */
export const expiryOf = ({ ttlDays, expiresAt }: Lifetime, at: Instant): Instant | undefined =>
  expiresAt ?? (ttlDays === undefined ? undefined : at + Math.round(ttlDays * DAY))

const LIFE_STATUS: Readonly<Record<Life, FactStatus>> = { active: 'active', archived: 'archived', outdated: 'outdated' }

/** A finer status than the three is kept where it says the same. */
export const withLife = (fact: Fact, life: Life, at: Instant): Fact =>
  lifeOf(fact, at) === life ? fact : withStatus(fact, LIFE_STATUS[life], at)

export const entityStatus = (entity: Entity, life: Life): FactStatus => (lifeOf(entity, 0) === life ? entity.status : LIFE_STATUS[life])

export const mergedMetadata = (known: JsonObject, added: JsonObject | undefined): JsonObject =>
  added === undefined ? known : { ...known, ...added }

/** Each addition may be small enough and their sum still too large. */
export function withinLimits<N extends { readonly metadata: JsonObject }>(env: Environment, node: N, known: N): N {
  if (canonicalJson(node.metadata) !== canonicalJson(known.metadata))
    checkMetadata(node.metadata, 'metadata', env.settings.maxMetadataBytes)
  return node
}
