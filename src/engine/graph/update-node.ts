import { canonicalJson, type JsonObject } from '../../core/encoding/json.js'
import type { Fact, Instant } from '../../core/facts/fact.js'
import { expiryOf, isExpired, type LifecycleState, type Lifetime, lifeOf } from '../../core/facts/lifecycle.js'
import type { Entity } from '../../core/graph/entity.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import {
  entityNamed,
  entityStatus,
  loadNodes,
  type MemoryNode,
  mergedMetadata,
  storedNode,
  unknownNode,
  withinLimits,
  withLife,
} from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { fieldsInMetadata } from '../facts/remember.js'
import { retryOnConflict, revise } from '../facts/revise.js'

interface NodeUpdate extends Lifetime {
  readonly id: string
  readonly owner: string
  readonly text?: string | undefined
  readonly source?: string | undefined
  readonly metadata?: JsonObject | undefined
  readonly life?: LifecycleState | undefined
  readonly entityType?: string | undefined
  /** Marks the state before this update as a snapshot. */
  readonly snapshot: boolean
}

/** Journal mark of an update whose previous state was requested as a snapshot. */
export const SNAPSHOT = 'snapshot'

export async function updateNode(context: Context, actor: string, update: NodeUpdate): Promise<MemoryNode> {
  const node = await storedNode(context, update.id, update.owner)
  if (node.kind === 'entity') return { kind: 'entity', entity: await updateEntity(context, actor, update) }
  if (update.entityType !== undefined) throw new MemoryError('invalid_input', 'entity_type applies to Entities only')
  const fact = await revise(context, actor, {
    id: update.id,
    owner: update.owner,
    ...(update.snapshot ? { reason: SNAPSHOT } : {}),
    change(known, now) {
      const next = updatedFact(known, update, now)
      return next === undefined ? undefined : withinLimits(context, next, known)
    },
  })
  if (fact === undefined) throw unknownNode(update.id)
  if (fact.text !== node.fact.text) await context.services.linker.link(fact)
  return { kind: 'fact', fact }
}

/** A given lifetime replaces the other kind; without one, restoring an expired node removes its expiry. */
function lifetimeAfter(known: Fact | Entity, update: NodeUpdate, now: Instant): Pick<Fact, 'expiresAt' | 'ttlDays'> {
  const expiresAt = expiryOf(update, now)
  if (expiresAt !== undefined) return { expiresAt, ttlDays: update.ttlDays ?? null }
  const over = isExpired(known, now)
  return update.life === 'active' && over ? { expiresAt: null, ttlDays: null } : { expiresAt: known.expiresAt, ttlDays: known.ttlDays }
}

const STATUS_REASON = 'status_reason'

function withoutReason(metadata: JsonObject): JsonObject {
  const { [STATUS_REASON]: _, ...rest } = metadata
  return rest
}

function updatedFact(known: Fact, update: NodeUpdate, now: Instant): Fact | undefined {
  const revived = update.life === 'active' && lifeOf(known, now) !== 'active'
  const metadata = mergedMetadata(revived ? withoutReason(known.metadata) : known.metadata, update.metadata)
  const next: Fact = {
    ...known,
    ...(update.metadata === undefined ? {} : fieldsInMetadata(metadata)),
    session: update.metadata === undefined ? known.session : (fieldsInMetadata(metadata).session ?? known.session),
    text: update.text ?? known.text,
    source: update.source ?? known.source,
    metadata,
    ...lifetimeAfter(known, update, now),
  }
  const lived = update.life === undefined ? next : withLife(next, update.life, now)
  return canonicalJson({ ...lived }) === canonicalJson({ ...known }) && !update.snapshot ? undefined : lived
}

function updateEntity(env: Environment, actor: string, update: NodeUpdate): Promise<Entity> {
  return retryOnConflict(async () => {
    const node = (await loadNodes(env, [update.id], update.owner)).get(update.id)
    if (node?.kind !== 'entity') throw unknownNode(update.id)
    const known = node.entity
    if (update.text !== undefined) await refuseTaken(env, update.text, known)
    let entity = known
    const { masked } = await env.store.commit({ actor, owners: [known.owner] }, (at) => {
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
      entity = withinLimits(env, { ...next, updatedAt: at, version: known.version + 1 }, known)
      return [{ op: 'entity.put', entity, ...(update.snapshot ? { reason: SNAPSHOT } : {}) }]
    })
    return masked === undefined ? entity : ((await env.store.entities([entity.id]))[0] ?? entity)
  })
}

async function refuseTaken(env: Environment, text: string, known: Entity): Promise<void> {
  const other = await entityNamed(env, text, known.owner)
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

/** Deletes a node and its edges permanently. */
export function deleteNode(env: Environment, actor: string, id: string, owner: string): Promise<void> {
  return retryOnConflict(async () => {
    const node = await storedNode(env, id, owner)
    await env.store.commit({ actor, owners: [owner] }, () => [{ op: node.kind === 'fact' ? 'fact.delete' : 'entity.delete', id, owner }])
  })
}

/** Ends a fact and stores the reason. A repeated call only replaces the reason. */
export async function markOutdated(
  env: Environment,
  actor: string,
  input: { readonly id: string; readonly owner: string; readonly reason?: string | undefined },
): Promise<Fact> {
  const fact = await revise(env, actor, {
    id: input.id,
    owner: input.owner,
    reason: input.reason,
    change(known, now) {
      const over = withLife(known, 'outdated', now)
      if (over === known && input.reason === undefined) return undefined
      if (input.reason === undefined) return over
      return withinLimits(env, { ...over, reason: input.reason, metadata: { ...over.metadata, [STATUS_REASON]: input.reason } }, known)
    },
  })
  if (fact === undefined) throw unknownNode(input.id)
  return fact
}
