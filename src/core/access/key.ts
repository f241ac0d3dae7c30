import type { Arrangement } from '../arrangement.js'
import { SCOPES } from '../fact.js'
import type { Json } from '../json.js'
import { ANYONE, isAllowed, isWhole, KEY_RIGHTS, type KeyRight, type OwnerReach, type Principal, type Reach } from '../visibility.js'
import { canRead, canWrite, GARDEN_ROLES, type GardenRole, gardenOf } from './garden.js'

/** What a key is bound to. */
export interface KeyTerms {
  readonly owner: string
  /** Who speaks with it, as a URI. It never changes. */
  readonly entity: string
  /** For whom else it may speak. */
  readonly sources: readonly string[]
  readonly scopes: readonly string[] | 'all'
  /** Roles in gardens, by their slugs, beside those that its entity has as a member. */
  readonly gardens: Readonly<Record<string, GardenRole>>
  readonly rights: readonly KeyRight[]
}

export interface Key extends KeyTerms {
  readonly id: string
  readonly isRevoked: boolean
}

const PREFIX = 'mneme'
const KEY = /^mneme_([a-z0-9]{20})_([A-Za-z0-9_-]{43})$/u

/** A key as its holder has it: the id says which one it is, the secret that it is the one. */
export const keyText = (id: string, secret: string): string => `${PREFIX}_${id}_${secret}`

export function readKey(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = KEY.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

const words = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

const among = <T extends string>(value: Json | undefined, known: readonly T[]): readonly T[] => {
  const given = words(value)
  return known.filter((one) => given.includes(one))
}

/** A key as it was stored; what is not understood allows nothing. */
export function keyOf({ id, owner, data }: Arrangement): Key {
  const gardens = typeof data.gardens === 'object' && data.gardens !== null && !Array.isArray(data.gardens) ? data.gardens : {}
  return {
    id,
    owner,
    entity: typeof data.entity === 'string' ? data.entity : '',
    sources: words(data.sources),
    scopes: data.scopes === 'all' ? 'all' : among(data.scopes, SCOPES),
    gardens: Object.fromEntries(
      Object.entries(gardens).flatMap(([slug, role]): [string, GardenRole][] => {
        const known = GARDEN_ROLES.find((one) => one === role)
        return known === undefined ? [] : [[slug, known]]
      }),
    ),
    rights: among(data.rights, KEY_RIGHTS),
    isRevoked: data.revokedAt !== undefined && data.revokedAt !== null,
  }
}

/** The gardens in which someone has a role, by their own membership or by what their key says. */
function rolesIn(gardens: readonly Arrangement[], { entity, gardens: granted }: Pick<Key, 'entity' | 'gardens'>) {
  return gardens.map(gardenOf).map((garden) => ({
    id: garden.id,
    roles: [garden.members[entity], granted[garden.slug]].flatMap((role) => (role === undefined ? [] : [role])),
  }))
}

interface Holder {
  readonly owner: string
  readonly entity: string
  readonly scopes: readonly string[] | 'all'
  readonly gardens: Readonly<Record<string, GardenRole>>
  readonly rights: readonly KeyRight[]
}

/** What a holder may see: of its owner, the scopes it names, and the gardens in which it has a role; an administrator all gardens. */
export function reachOf(holder: Holder, gardens: readonly Arrangement[]): Reach {
  const isAdmin = holder.rights.includes('admin')
  const mine = gardens.filter(({ owner }) => holder.owner === ANYONE || owner === holder.owner)
  const roles = rolesIn(mine, holder)
  const whose = (test: (role: GardenRole) => boolean): readonly string[] => roles.filter((one) => one.roles.some(test)).map(({ id }) => id)
  const into: OwnerReach = {
    owner: holder.owner,
    scopes: holder.scopes,
    gardens: isAdmin ? 'all' : whose(canRead),
    writes: isAdmin ? 'all' : whose(canWrite),
    federated: holder.rights.includes('federated'),
  }
  return holder.owner === ANYONE && isWhole(into) ? 'everything' : { owners: [into] }
}

export function principalOf(key: Key, gardens: readonly Arrangement[]): Principal {
  const rights = { rights: key.rights }
  return {
    name: `key:${key.id}`,
    reach: isAllowed(rights, 'read') || isAllowed(rights, 'write') ? reachOf(key, gardens) : { owners: [] },
    mayWrite: isAllowed(rights, 'write'),
    rights: key.rights,
    proof: 'key',
    key: key.id,
    owner: key.owner === ANYONE ? null : key.owner,
    entity: key.entity,
    sources: key.sources,
  }
}
