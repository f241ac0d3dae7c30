import { findOwnerAccess, isAllowed, type Principal } from '../../core/access/access-filter.js'
import type { ControlRecord } from '../../core/access/control-record.js'
import {
  canManage,
  canModerate,
  GARDEN_ROLES,
  type Garden,
  type GardenRole,
  gardenData,
  gardenOf,
  isLastAdmin,
  MAX_MEMBERS,
  type Member,
  slugIn,
} from '../../core/access/garden.js'
import { ownIn } from '../../core/encoding/json.js'
import type { Fact, Instant } from '../../core/facts/fact.js'
import { withStatus } from '../../core/facts/validity.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'

/** The principal of an operation on a garden, and the actor in the journal. */
interface GardenContext {
  readonly principal: Principal
  readonly actor: string
}

export interface NewGarden {
  readonly slug: string
  readonly name: string
  readonly scope: string
  readonly description: string | null
  readonly quarantine: boolean
}

const notFound = (slug: string): MemoryError =>
  new MemoryError('not_found', `There is no garden ${slug}.`, {
    reason: 'garden_not_found',
    hint: 'GET /v1/gardens lists those you are in.',
  })

const denied = (message: string): MemoryError =>
  new MemoryError('forbidden', message, { reason: 'garden_access_denied', hint: 'Ask an administrator of the garden.' })

const ownerOf = (env: Environment, { principal }: GardenContext): string => principal.owner ?? env.settings.defaultOwner

const keepsThePlace = (principal: Principal): boolean => principal.proof === 'none' || isAllowed(principal, 'admin')

function hasRole({ principal }: GardenContext, { owner, slug }: Garden, test: (role: GardenRole) => boolean): boolean {
  if (keepsThePlace(principal)) return true
  const held = principal.roles.find((role) => role.owner === owner && role.slug === slug)?.roles ?? []
  return GARDEN_ROLES.some((role) => held.includes(role) && test(role))
}

const isMember = (caller: GardenContext, garden: Garden): boolean => hasRole(caller, garden, () => true)

interface FoundGarden {
  readonly stored: ControlRecord
  readonly garden: Garden
}

/** A garden of which the principal is a member; for others it does not exist. */
async function find(env: Environment, caller: GardenContext, named: string): Promise<FoundGarden> {
  const slug = slugIn(named)
  const [stored] = await env.store.arrangements({ kind: 'garden', owner: ownerOf(env, caller), name: slug })
  const garden = stored === undefined ? undefined : gardenOf(stored)
  if (stored === undefined || garden === undefined || garden.isDeleted || !isMember(caller, garden)) throw notFound(slug)
  return { stored, garden }
}

async function findManaged(env: Environment, caller: GardenContext, named: string): Promise<FoundGarden> {
  const found = await find(env, caller, named)
  if (!hasRole(caller, found.garden, canManage)) throw denied('Only an admin of the garden may do this.')
  return found
}

const speakerOf = ({ principal }: GardenContext): string => principal.entity ?? 'system:local'

/** Stores a garden; fails if it was changed concurrently. */
async function put(
  env: Environment,
  { actor }: GardenContext,
  { stored }: FoundGarden,
  garden: Garden,
  more: { readonly deletedAt?: Instant } = {},
): Promise<Garden> {
  const arrangement = (at: Instant): ControlRecord => ({
    ...stored,
    data: { ...gardenData(garden), ...(more.deletedAt === undefined ? {} : { deletedAt: at }) },
    updatedAt: at,
    version: stored.version + 1,
  })
  await env.store.commit({ actor, owners: [stored.owner] }, (now) => [{ op: 'arrangement.put', arrangement: arrangement(now) }])
  return garden
}

/** The creator of a garden is its first admin. */
export async function createGarden(env: Environment, caller: GardenContext, newGarden: NewGarden): Promise<Garden> {
  const owner = ownerOf(env, caller)
  const into = findOwnerAccess(caller.principal.reach, owner)
  if (into === undefined || (into.scopes !== 'all' && !into.scopes.includes(newGarden.scope)))
    throw denied(`This key does not reach the scope ${newGarden.scope}.`)
  const { actor } = caller
  const id = env.ids.mint()
  const speaker = speakerOf(caller)
  const made = (at: Instant): ControlRecord => {
    const members = { [speaker]: { role: 'admin', addedBy: speaker, addedAt: at } } as const
    const garden: Garden = { id, owner, ...newGarden, createdBy: speaker, createdAt: at, members, isDeleted: false }
    return { kind: 'garden', id, owner, name: newGarden.slug, data: gardenData(garden), createdAt: at, updatedAt: at, version: 1 }
  }
  const { at } = await env.store.commit({ actor, owners: [owner] }, (now) => [{ op: 'arrangement.put', arrangement: made(now) }])
  return gardenOf(made(at))
}

/** Gardens of which the principal is a member, by slug. */
export async function listGardens(env: Environment, caller: GardenContext): Promise<readonly Garden[]> {
  const stored = await env.store.arrangements({ kind: 'garden', owner: ownerOf(env, caller) })
  return stored
    .map(gardenOf)
    .filter((garden) => !garden.isDeleted && isMember(caller, garden))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

export const findGarden = async (env: Environment, caller: GardenContext, named: string): Promise<Garden> =>
  (await find(env, caller, named)).garden

/** `add` requires a new member, `change` an existing one. */
export async function setMember(
  env: Environment,
  caller: GardenContext,
  named: string,
  { entity, role, mode }: { readonly entity: string; readonly role: GardenRole; readonly mode: 'add' | 'change' | 'put' },
): Promise<{ readonly garden: Garden; readonly member: Member; readonly isNew: boolean }> {
  // Retried after a concurrent change, so that both members are added.
  const set = await retryOnConflict(async () => {
    const found = await findManaged(env, caller, named)
    const { garden } = found
    const before = ownIn(garden.members, entity)
    if (mode === 'add' && before !== undefined) return undefined
    if (mode === 'change' && before === undefined) throw noMember(entity)
    if (role !== 'admin' && isLastAdmin(garden, entity)) throw lastAdmin()
    const member = { role, addedBy: before?.addedBy ?? speakerOf(caller), addedAt: before?.addedAt ?? env.clock.now() }
    if (before === undefined && Object.keys(garden.members).length >= MAX_MEMBERS) throw tooManyMembers()
    const members = { ...garden.members, [entity]: member }
    return { garden: await put(env, caller, found, { ...garden, members }), member, isNew: before === undefined }
  })
  if (set !== undefined) return set
  throw new MemoryError('conflict', `${entity} is a member already.`, { reason: 'member_exists', hint: 'Change the role with PATCH.' })
}

const tooManyMembers = (): MemoryError =>
  new MemoryError('too_large', `A garden has at most ${MAX_MEMBERS.toLocaleString('en')} members.`, {
    reason: 'too_many_members',
    hint: 'Remove members, or make another garden.',
  })

const noMember = (entity: string): MemoryError =>
  new MemoryError('not_found', `${entity} is no member.`, { reason: 'member_not_found', hint: 'GET /v1/gardens/<slug> lists them.' })

const lastAdmin = (): MemoryError =>
  new MemoryError('forbidden', 'The last admin of a garden cannot go.', { reason: 'last_admin', hint: 'Make somebody else admin first.' })

export async function removeMember(env: Environment, caller: GardenContext, named: string, entity: string): Promise<void> {
  await retryOnConflict(async () => {
    const found = await findManaged(env, caller, named)
    const { [entity]: _, ...members } = found.garden.members
    if (ownIn(found.garden.members, entity) === undefined) throw noMember(entity)
    if (isLastAdmin(found.garden, entity)) throw lastAdmin()
    await put(env, caller, found, { ...found.garden, members })
  })
}

/** Deletes a garden. Its facts stay and are readable by administrators only. */
export async function deleteGarden(env: Environment, caller: GardenContext, named: string): Promise<void> {
  await retryOnConflict(async () => {
    const found = await findManaged(env, caller, named)
    await put(env, caller, found, { ...found.garden, members: {} }, { deletedAt: env.clock.now() })
  })
}

export interface Decision {
  readonly factId: string
  readonly reason: string
  /** The garden of a promoted fact; undefined for none. */
  readonly target?: string | undefined
}

/** Promotes or rejects a quarantined fact. */
export async function decideQuarantine(
  env: Environment,
  caller: GardenContext,
  named: string,
  { factId, reason, target, verdict }: Decision & { readonly verdict: 'promoted' | 'rejected' },
): Promise<Fact> {
  const { garden } = await find(env, caller, named)
  if (!garden.quarantine)
    throw new MemoryError('unprocessable', `${garden.slug} holds nothing back.`, {
      reason: 'not_quarantine',
      hint: 'Name a quarantine garden.',
    })
  if (!hasRole(caller, garden, canModerate)) throw denied('Only a moderator or an admin of the garden may do this.')
  const into = target === undefined ? null : await findWritable(env, caller, target)
  const [fact] = await env.store.facts([factId], garden.owner)
  if (fact === undefined || fact.garden !== garden.slug)
    throw new MemoryError('not_found', `There is no fact ${factId} in ${garden.slug}.`, { reason: 'fact_not_found' })
  if (fact.quarantine !== 'pending')
    throw new MemoryError('conflict', `It was ${fact.quarantine ?? 'let in'} already.`, { reason: 'quarantine_decided' })
  if (into !== null && into.scope !== fact.scope)
    throw new MemoryError('unprocessable', `Facts of the garden ${into.slug} have the scope ${into.scope}, this one has ${fact.scope}.`, {
      reason: 'scope_mismatch',
      hint: 'Name a garden of the same scope, or none.',
    })
  const decided = (at: Instant): Fact => {
    const next = { ...fact, quarantine: verdict, updatedAt: at, version: fact.version + 1 }
    if (verdict === 'rejected') return withStatus({ ...next, confidence: 0 }, 'retracted', at)
    return { ...next, garden: into?.slug ?? null, autoLink: into === null && fact.autoLink }
  }
  // A moderator needs no write access outside the garden to promote a fact.
  const { at } = await env.store.commit({ actor: caller.actor, owners: [fact.owner] }, (now) => [
    { op: 'fact.put', fact: decided(now), reason },
  ])
  return decided(at)
}

async function findWritable(env: Environment, caller: GardenContext, named: string): Promise<Garden> {
  const { garden } = await find(env, caller, named)
  const into = findOwnerAccess(caller.principal.reach, garden.owner)
  const writes = into?.writes ?? into?.gardens ?? []
  if (writes !== 'all' && !writes.includes(garden.slug)) throw denied(`This key may not write into ${garden.slug}.`)
  return garden
}
