import type { Edge, NodeKind } from '../../core/edge.js'
import type { Entity } from '../../core/entity.js'
import type { Fact } from '../../core/fact.js'
import { checkString, checkText } from '../../core/input.js'
import type { JsonObject } from '../../core/json.js'
import { isExpired, isGone } from '../../core/life.js'
import { entityKey } from '../../core/names.js'
import { isCurrentStatus } from '../../core/validity.js'
import { MemoryError } from '../../errors.js'
import { ownProperties } from '../edges/relations.js'
import type { Environment } from '../environment.js'
import { checkOwner } from '../facts/remember.js'
import { retryOnConflict } from '../facts/revise.js'
import { storedText } from '../masking.js'
import { idOf, visibleNodes } from './nodes.js'

export interface NewEntity {
  readonly name: string
  readonly owner?: string | undefined
  readonly type?: string | undefined
  readonly description?: string | undefined
  readonly aliases?: readonly string[] | undefined
  readonly metadata?: JsonObject | undefined
  readonly source?: string | undefined
  readonly expiresAt?: number | undefined
  readonly ttlDays?: number | undefined
}

const MAX_NAME_BYTES = 1000

/** One entity per name and owner: naming a known one again answers it, with what the call adds. */
export function createEntity(env: Environment, actor: string, input: NewEntity): Promise<Entity> {
  checkText(input.name, 'name', MAX_NAME_BYTES)
  if (input.owner !== undefined) checkOwner(input.owner)
  if (input.description !== undefined) checkString(input.description, 'description')
  const owner = input.owner ?? env.settings.defaultOwner
  return retryOnConflict(async () => {
    const [known] = await env.backend.store.listEntities({ owner, keys: [entityKey(storedText(env, input.name))], limit: 1, offset: 0 })
    let entity: Entity | undefined
    await env.backend.store.commit(actor, (at) => {
      entity = known === undefined ? fresh(env, actor, { ...input, owner }, at) : enriched(known, input, at)
      return entity === known ? [] : [{ op: 'entity.put', entity }]
    })
    if (entity === undefined) throw new MemoryError('internal', 'The entity was not stored.')
    return entity
  })
}

const fresh = (env: Environment, actor: string, input: NewEntity & { readonly owner: string }, at: number): Entity => ({
  id: env.ids.mint(),
  owner: input.owner,
  name: input.name.trim(),
  type: input.type ?? 'unknown',
  description: input.description ?? null,
  aliases: input.aliases ?? [],
  uri: null,
  status: 'active',
  source: input.source ?? actor,
  metadata: input.metadata ?? {},
  createdAt: at,
  updatedAt: at,
  expiresAt: input.expiresAt ?? null,
  ttlDays: input.ttlDays ?? null,
  version: 1,
})

function enriched(known: Entity, input: NewEntity, at: number): Entity {
  const gone = isExpired(known, at)
  const next: Entity = {
    ...known,
    status: isCurrentStatus(known.status) ? known.status : 'active',
    expiresAt: gone ? null : known.expiresAt,
    ttlDays: gone ? null : known.ttlDays,
    type: input.type ?? known.type,
    description: input.description ?? known.description,
    aliases: [...new Set([...known.aliases, ...(input.aliases ?? [])])],
    metadata: { ...known.metadata, ...input.metadata },
  }
  const same =
    next.status === known.status &&
    !gone &&
    next.type === known.type &&
    next.description === known.description &&
    next.aliases.length === known.aliases.length &&
    Object.keys(input.metadata ?? {}).length === 0
  return same ? known : { ...next, updatedAt: at, version: known.version + 1 }
}

export interface NewRelation {
  /** Ids, or names of entities. */
  readonly from: string
  readonly to: string
  readonly type: string
  readonly owner?: string | undefined
  readonly weight?: number | undefined
  readonly properties?: JsonObject | undefined
  readonly factId?: string | undefined
}

export interface NodeRef {
  readonly id: string
  readonly owner: string
  readonly kind: NodeKind
}

/** Which fact or entity an id stands for; undefined when it is unknown, has expired, or belongs to someone else. */
async function findNode(env: Environment, id: string, owner: string | undefined): Promise<NodeRef | undefined> {
  const [entity] = await env.backend.store.entities([id])
  const now = env.clock.now()
  const there = (node: Entity | Fact): boolean => (owner === undefined || node.owner === owner) && !isGone(node, now)
  if (entity !== undefined) return there(entity) ? { id, owner: entity.owner, kind: 'entity' } : undefined
  const [fact] = await env.backend.store.facts([id])
  if (fact !== undefined) return there(fact) ? { id, owner: fact.owner, kind: 'fact' } : undefined
  return undefined
}

/** The same for who may have written the name of an entity in place of its id. */
export async function findNamed(env: Environment, idOrName: string, owner: string | undefined): Promise<NodeRef | undefined> {
  const node = await findNode(env, idOrName, owner)
  if (node !== undefined) return node
  const [entity] = await env.backend.store.listEntities({
    owner: owner ?? env.settings.defaultOwner,
    keys: [entityKey(idOrName)],
    limit: 1,
    offset: 0,
  })
  if (entity === undefined || isGone(entity, env.clock.now())) return undefined
  return { id: entity.id, owner: entity.owner, kind: 'entity' }
}

/** A directed relation between two nodes of one owner; stating it again makes another. */
export async function relate(
  env: Environment,
  actor: string,
  input: NewRelation,
  options: { readonly unknown: (id: string) => MemoryError },
): Promise<Edge> {
  checkText(input.type, 'relation_type', MAX_NAME_BYTES)
  const from = await findNamed(env, input.from, input.owner)
  if (from === undefined) throw options.unknown(input.from)
  const to = await findNamed(env, input.to, from.owner)
  if (to === undefined) throw options.unknown(input.to)
  let edge: Edge | undefined
  await env.backend.store.commit(actor, (at) => {
    edge = {
      id: env.ids.mint(),
      owner: from.owner,
      from: from.id,
      fromKind: from.kind,
      to: to.id,
      toKind: to.kind,
      type: input.type,
      weight: input.weight ?? 1,
      confidence: 1,
      trust: null,
      scope: 'local',
      properties: ownProperties(input.properties ?? {}),
      factId: input.factId ?? null,
      createdAt: at,
      validUntil: null,
      version: 1,
    }
    return [{ op: 'edge.put', edge }]
  })
  if (edge === undefined) throw new MemoryError('internal', 'The relation was not stored.')
  return edge
}

export interface Neighbourhood {
  /** Hops from the start to each node reached, the start left out. */
  readonly hops: ReadonlyMap<string, number>
  readonly edges: readonly Edge[]
}

const MAX_EDGES_PER_HOP = 2000

/** Breadth first from one node, within its owner. */
export async function traverse(
  env: Environment,
  start: NodeRef,
  options: {
    readonly depth: number
    readonly direction: 'outgoing' | 'incoming' | 'both'
    /** Edges that it may follow. */
    readonly accept: (edge: Edge) => boolean
    readonly maxNodes: number
  },
): Promise<Neighbourhood> {
  const hops = new Map<string, number>()
  const edges = new Map<string, Edge>()
  let frontier = [start.id]
  for (let hop = 1; hop <= options.depth && frontier.length > 0; hop++) {
    const found = await env.backend.store.edges({
      owner: start.owner,
      nodes: frontier,
      direction: options.direction,
      limit: MAX_EDGES_PER_HOP,
    })
    const next: string[] = []
    const followed = found.filter((edge) => edge.validUntil === null && options.accept(edge))
    const ends = [...new Set(followed.flatMap((edge) => [edge.from, edge.to]))]
    const there = new Set((await visibleNodes(env, ends, start.owner, env.clock.now())).map(idOf))
    for (const edge of followed) {
      for (const end of [edge.from, edge.to]) {
        if (end === start.id || hops.has(end) || hops.size >= options.maxNodes || !there.has(end)) continue
        hops.set(end, hop)
        next.push(end)
      }
      const inside = (end: string): boolean => end === start.id || hops.has(end)
      if (inside(edge.from) && inside(edge.to)) edges.set(edge.id, edge)
    }
    frontier = next
  }
  return { hops, edges: [...edges.values()] }
}
