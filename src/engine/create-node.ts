import type { Change } from '../core/change.js'
import type { Entity } from '../core/entity.js'
import type { Fact, Instant } from '../core/fact.js'
import { checkMetadata } from '../core/input.js'
import { canonicalJson, type JsonObject } from '../core/json.js'
import { isExpired, type Life, lifeOf } from '../core/life.js'
import { entityKey } from '../core/names.js'
import { MemoryError } from '../errors.js'
import type { Engine } from './engine.js'
import type { Environment } from './environment.js'
import {
  entityStatus,
  expiryOf,
  idOf,
  type Lifetime,
  loadNodes,
  type MemoryNode,
  mergedMetadata,
  storedNode,
  unknownNode,
  visibleNodes,
  withLife,
} from './nodes.js'
import { endsBetween, type KnownRelation, knownRelation, relationChange } from './relations.js'
import { contextOf, remember } from './remember.js'
import { retryOnConflict, revise } from './revise.js'

export interface WantedLink {
  readonly to: string
  readonly type: string
  readonly properties: JsonObject
}

export interface NewNode extends Lifetime {
  readonly owner: string
  readonly text: string
  readonly source?: string | undefined
  readonly metadata?: JsonObject | undefined
  readonly life?: Life | undefined
  readonly links?: readonly WantedLink[] | undefined
}

export interface NewFactNode extends NewNode {
  readonly autoLink: boolean
  /** Least similarity to an entity, in place of the configured one. */
  readonly linkThreshold?: number | undefined
  readonly derivedFrom?: readonly string[] | undefined
}

export interface CreatedNode {
  readonly node: MemoryNode
  /** Links that could not be made, in words; the node is there all the same. */
  readonly linkErrors: readonly string[]
}

interface ResolvedLinks {
  readonly ends: readonly { readonly node: MemoryNode; readonly link: WantedLink }[]
  readonly errors: readonly string[]
}

async function resolveLinks(env: Environment, owner: string, links: readonly WantedLink[]): Promise<ResolvedLinks> {
  const nodes = new Map(
    (
      await visibleNodes(
        env,
        links.map((link) => link.to),
        owner,
        env.clock.now(),
      )
    ).map((node) => [idOf(node), node]),
  )
  const ends: { readonly node: MemoryNode; readonly link: WantedLink }[] = []
  const errors: string[] = []
  for (const link of links) {
    const node = nodes.get(link.to)
    if (node === undefined) errors.push(unknownNode(link.to).message)
    else if (!ends.some((one) => one.link.to === link.to && one.link.type === link.type)) ends.push({ node, link })
  }
  return { ends, errors }
}

function linkChanges(
  from: MemoryNode,
  owner: string,
  links: ResolvedLinks,
  at: Instant,
  there: readonly KnownRelation[] = [],
): readonly Change[] {
  return links.ends.flatMap(({ node, link }, i) => {
    const { change } = relationChange(there[i] ?? {}, endsBetween(from, node, link.type, owner), link.properties, at)
    return change === undefined ? [] : [change]
  })
}

/** Stores a fact with its links in one commit, then links it to what it resembles. */
export async function createFactNode(engine: Engine, actor: string, connection: string, input: NewFactNode): Promise<CreatedNode> {
  const links = await resolveLinks(engine, input.owner, input.links ?? [])
  const [fact] = await remember(
    engine,
    actor,
    [
      {
        text: input.text,
        owner: input.owner,
        source: input.source,
        metadata: input.metadata,
        status: input.life,
        ttlDays: input.ttlDays,
        expiresAt: input.expiresAt,
        autoLink: input.autoLink,
        derivedFrom: input.derivedFrom,
      },
    ],
    { connection, also: (facts, at) => facts.flatMap((made) => linkChanges({ kind: 'fact', fact: made }, input.owner, links, at)) },
  )
  if (fact === undefined) throw new MemoryError('internal', 'The fact was not stored.')
  await engine.linker.link(fact, input.linkThreshold)
  return { node: { kind: 'fact', fact }, linkErrors: links.errors }
}

/** One entity per name and owner: creating it again answers it, with what this call adds. One that had expired starts anew. */
export async function createEntityNode(engine: Engine, actor: string, input: NewNode): Promise<CreatedNode> {
  const links = await resolveLinks(engine, input.owner, input.links ?? [])
  const entity = await retryOnConflict(async () => {
    const [known] = await engine.backend.store.listEntities({ owner: input.owner, keys: [entityKey(input.text)], limit: 1, offset: 0 })
    const there = await Promise.all(
      links.ends.map(({ node, link }) =>
        known === undefined ? {} : knownRelation(engine, endsBetween({ kind: 'entity', entity: known }, node, link.type, input.owner)),
      ),
    )
    let entity: Entity | undefined
    await engine.backend.store.commit(actor, (at) => {
      entity = known === undefined ? freshEntity(engine, input, at) : withinLimits(engine, renewed(known, input, at), known)
      const from: MemoryNode = { kind: 'entity', entity }
      const put: readonly Change[] = entity === known ? [] : [{ op: 'entity.put', entity }]
      return [...put, ...linkChanges(from, input.owner, links, at, there)]
    })
    if (entity === undefined) throw new MemoryError('internal', 'The entity was not stored.')
    return entity
  })
  return { node: { kind: 'entity', entity }, linkErrors: links.errors }
}

export const freshEntity = (env: Environment, input: Omit<NewNode, 'links'>, at: Instant): Entity => ({
  id: env.ids.mint(),
  owner: input.owner,
  name: input.text.trim(),
  type: 'unknown',
  description: null,
  aliases: [],
  uri: null,
  status: input.life ?? 'active',
  source: input.source ?? 'mcp',
  metadata: input.metadata ?? {},
  createdAt: at,
  updatedAt: at,
  expiresAt: expiryOf(input, at) ?? null,
  ttlDays: input.ttlDays ?? null,
  version: 1,
})

function renewed(known: Entity, input: NewNode, at: Instant): Entity {
  const gone = known.expiresAt !== null && known.expiresAt <= at
  const next: Entity = {
    ...known,
    status: entityStatus(known, input.life ?? 'active'),
    metadata: mergedMetadata(known.metadata, input.metadata),
    expiresAt: expiryOf(input, at) ?? (gone ? null : known.expiresAt),
    ttlDays: input.ttlDays ?? (gone ? null : known.ttlDays),
  }
  return canonicalJson({ ...next }) === canonicalJson({ ...known }) ? known : { ...next, updatedAt: at, version: known.version + 1 }
}

export interface NodeUpdate extends Lifetime {
  readonly id: string
  readonly owner: string
  readonly text?: string | undefined
  readonly source?: string | undefined
  readonly metadata?: JsonObject | undefined
  readonly life?: Life | undefined
  readonly entityType?: string | undefined
  /** Marks the state before this update as one to be found again. */
  readonly snapshot: boolean
}

/** In the journal beside an update whose earlier state was asked to be kept by name. */
export const SNAPSHOT = 'snapshot'

export async function updateNode(engine: Engine, actor: string, update: NodeUpdate): Promise<MemoryNode> {
  const node = await storedNode(engine, update.id, update.owner)
  if (node.kind === 'entity') return { kind: 'entity', entity: await updateEntity(engine, actor, update) }
  if (update.entityType !== undefined) throw new MemoryError('invalid_input', 'entity_type applies to Entities only')
  const fact = await revise(engine, actor, {
    id: update.id,
    owner: update.owner,
    ...(update.snapshot ? { reason: SNAPSHOT } : {}),
    change(known, at) {
      const next = updatedFact(known, update, at)
      return next === undefined ? undefined : withinLimits(engine, next, known)
    },
  })
  if (fact === undefined) throw unknownNode(update.id)
  if (fact.text !== node.fact.text) await engine.linker.link(fact)
  return { kind: 'fact', fact }
}

/** Each addition may be small enough and their sum still too large. */
function withinLimits<N extends { readonly metadata: JsonObject }>(env: Environment, node: N, known: N): N {
  if (canonicalJson(node.metadata) !== canonicalJson(known.metadata))
    checkMetadata(node.metadata, 'metadata', env.settings.maxMetadataBytes)
  return node
}

/** A lifetime that is given replaces the other kind; who brings a node back whose time was over does so for good. */
function lifetimeAfter(known: Fact | Entity, update: NodeUpdate, at: Instant): Pick<Fact, 'expiresAt' | 'ttlDays'> {
  const expiresAt = expiryOf(update, at)
  if (expiresAt !== undefined) return { expiresAt, ttlDays: update.ttlDays ?? null }
  const over = known.expiresAt !== null && known.expiresAt <= at
  return update.life === 'active' && over ? { expiresAt: null, ttlDays: null } : { expiresAt: known.expiresAt, ttlDays: known.ttlDays }
}

const STATUS_REASON = 'status_reason'

function withoutReason(metadata: JsonObject): JsonObject {
  const { [STATUS_REASON]: _, ...rest } = metadata
  return rest
}

function updatedFact(known: Fact, update: NodeUpdate, at: Instant): Fact | undefined {
  const revived = update.life === 'active' && lifeOf(known, at) !== 'active'
  const metadata = mergedMetadata(revived ? withoutReason(known.metadata) : known.metadata, update.metadata)
  const next: Fact = {
    ...known,
    ...(update.metadata === undefined ? {} : contextOf(metadata)),
    session: update.metadata === undefined ? known.session : (contextOf(metadata).session ?? known.session),
    text: update.text ?? known.text,
    source: update.source ?? known.source,
    metadata,
    ...lifetimeAfter(known, update, at),
  }
  const lived = update.life === undefined ? next : withLife(next, update.life, at)
  return canonicalJson({ ...lived }) === canonicalJson({ ...known }) && !update.snapshot ? undefined : lived
}

function updateEntity(engine: Engine, actor: string, update: NodeUpdate): Promise<Entity> {
  return retryOnConflict(async () => {
    const node = (await loadNodes(engine, [update.id], update.owner)).get(update.id)
    if (node?.kind !== 'entity') throw unknownNode(update.id)
    const known = node.entity
    if (update.text !== undefined) await refuseTaken(engine, update.text, known)
    let entity = known
    await engine.backend.store.commit(actor, (at) => {
      const next: Entity = {
        ...known,
        name: update.text?.trim() ?? known.name,
        type: update.entityType ?? known.type,
        source: update.source ?? known.source,
        status: update.life === undefined ? known.status : entityStatus(known, update.life),
        metadata: mergedMetadata(known.metadata, update.metadata),
        ...lifetimeAfter(known, update, at),
      }
      if (canonicalJson({ ...next }) === canonicalJson({ ...known }) && !update.snapshot) return []
      entity = withinLimits(engine, { ...next, updatedAt: at, version: known.version + 1 }, known)
      return [{ op: 'entity.put', entity, ...(update.snapshot ? { reason: SNAPSHOT } : {}) }]
    })
    return entity
  })
}

async function refuseTaken(env: Environment, text: string, known: Entity): Promise<void> {
  const [other] = await env.backend.store.listEntities({ owner: known.owner, keys: [entityKey(text)], limit: 1, offset: 0 })
  if (other === undefined || other.id === known.id) return
  if (isExpired(other, env.clock.now())) {
    throw new MemoryError('invalid_input', `An Entity that has expired has this text: node ${other.id}`, {
      hint: 'delete_node removes it for good, create_node with this text brings it back.',
    })
  }
  throw new MemoryError('invalid_input', `Another Entity has this text: node ${other.id}`, {
    hint: 'Use that node, or choose another text.',
  })
}

/** Deletes a node with its edges for good. */
export function deleteNode(env: Environment, actor: string, id: string, owner: string): Promise<void> {
  return retryOnConflict(async () => {
    const node = await storedNode(env, id, owner)
    await env.backend.store.commit(actor, () => [{ op: node.kind === 'fact' ? 'fact.delete' : 'entity.delete', id, owner }])
  })
}

/** Ends a fact's life and keeps why. Ending it twice only keeps the newer reason. */
export async function markOutdated(
  env: Environment,
  actor: string,
  input: { readonly id: string; readonly owner: string; readonly reason?: string | undefined },
): Promise<Fact> {
  const fact = await revise(env, actor, {
    id: input.id,
    owner: input.owner,
    reason: input.reason,
    change(known, at) {
      const over = withLife(known, 'outdated', at)
      if (over === known && input.reason === undefined) return undefined
      if (input.reason === undefined) return over
      return withinLimits(env, { ...over, reason: input.reason, metadata: { ...over.metadata, [STATUS_REASON]: input.reason } }, known)
    },
  })
  if (fact === undefined) throw unknownNode(input.id)
  return fact
}
