import { canonicalJson, type JsonObject } from '../../core/encoding/json.js'
import type { Instant } from '../../core/facts/fact.js'
import { expiryOf, isExpired, type LifecycleState, type Lifetime } from '../../core/facts/lifecycle.js'
import type { Entity } from '../../core/graph/entity.js'
import { uriKey } from '../../core/graph/names.js'
import { checkString, checkText } from '../../core/input/input.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { checkOwner } from '../facts/remember.js'
import { retryOnConflict } from '../facts/revise.js'
import { toMaskedText } from '../masking.js'
import { entityByKey, entityNamed, entityStatus, mergedMetadata, withinLimits } from './nodes.js'

/** Fields of a new entity; the others have defaults. */
interface NewEntity extends Lifetime {
  readonly name: string
  readonly owner: string
  /** Identifies the entity, so that others may have the same name. */
  readonly uri?: string | undefined
  readonly type?: string | undefined
  readonly description?: string | undefined
  readonly aliases?: readonly string[] | undefined
  readonly metadata?: JsonObject | undefined
  readonly source?: string | undefined
  readonly life?: LifecycleState | undefined
}

const MAX_NAME_BYTES = 1000

function checkNewEntity(input: NewEntity): void {
  checkText(input.name, 'name', MAX_NAME_BYTES)
  checkOwner(input.owner)
  if (input.description !== undefined) checkString(input.description, 'description')
}

/** Further changes in the commit of an entity: the first function reads the store before it, the second one decides with the new entity. */
type Alongside = (known: Entity | undefined) => Promise<(entity: Entity, now: Instant) => readonly Change[]>

/** Creates an entity by name, of the default owner if none is given. */
export function createEntity(
  env: Environment,
  actor: string,
  input: Omit<NewEntity, 'owner'> & { readonly owner?: string | undefined },
): Promise<Entity> {
  const entity = { ...input, owner: input.owner ?? env.settings.defaultOwner }
  checkNewEntity(entity)
  return putEntity(env, actor, entity)
}

/** One entity per name and owner: an existing one is returned with the additions of the call. An expired one starts over. */
export function putEntity(env: Environment, actor: string, input: NewEntity, alongside?: Alongside): Promise<Entity> {
  return retryOnConflict(async () => {
    const known = await (input.uri === undefined
      ? entityNamed(env, input.name, input.owner)
      : entityByKey(env, uriKey(toMaskedText(env, input.uri)), input.owner))
    const also = await alongside?.(known)
    let entity: Entity | undefined
    const { masked } = await env.store.commit({ actor, owners: [input.owner] }, (at) => {
      const made = settleEntity(env, actor, known, input, at)
      entity = made.entity
      return [...made.changes, ...(also?.(made.entity, at) ?? [])]
    })
    if (entity === undefined) throw new MemoryError('internal', 'The entity was not stored.')
    return masked === undefined ? entity : ((await env.store.entities([entity.id]))[0] ?? entity)
  })
}

/** The existing entity with the new fields, or a new entity; and the change that stores it, if any. */
export function settleEntity(
  env: Environment,
  actor: string,
  known: Entity | undefined,
  entityInput: NewEntity,
  now: Instant,
): { readonly entity: Entity; readonly changes: readonly Change[] } {
  const entity = known === undefined ? fresh(env, actor, entityInput, now) : withinLimits(env, restated(known, entityInput, now), known)
  return { entity, changes: entity === known ? [] : [{ op: 'entity.put', entity }] }
}

const fresh = (env: Environment, actor: string, entityInput: NewEntity, at: Instant): Entity => ({
  id: env.ids.mint(),
  owner: entityInput.owner,
  name: entityInput.name.trim(),
  type: entityInput.type ?? 'unknown',
  description: entityInput.description ?? null,
  aliases: entityInput.aliases ?? [],
  uri: entityInput.uri ?? null,
  status: entityInput.life ?? 'active',
  source: entityInput.source ?? actor,
  metadata: entityInput.metadata ?? {},
  createdAt: at,
  updatedAt: at,
  expiresAt: expiryOf(entityInput, at) ?? null,
  ttlDays: entityInput.ttlDays ?? null,
  version: 1,
})

function restated(known: Entity, entityInput: NewEntity, now: Instant): Entity {
  const gone = isExpired(known, now)
  const next: Entity = {
    ...known,
    status: entityStatus(known, entityInput.life ?? 'active'),
    type: entityInput.type ?? known.type,
    description: entityInput.description ?? known.description,
    aliases: [...new Set([...known.aliases, ...(entityInput.aliases ?? [])])],
    metadata: mergedMetadata(known.metadata, entityInput.metadata),
    expiresAt: expiryOf(entityInput, now) ?? (gone ? null : known.expiresAt),
    ttlDays: entityInput.ttlDays ?? (gone ? null : known.ttlDays),
  }
  return canonicalJson({ ...next }) === canonicalJson({ ...known }) ? known : { ...next, updatedAt: now, version: known.version + 1 }
}
