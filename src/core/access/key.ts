import { type Json, ownIn, textsIn } from '../encoding/json.js'
import { SCOPES } from '../facts/fact.js'
import {
  type AccessFilter,
  ANY_OWNER,
  isAllowed,
  isUnrestricted,
  KEY_RIGHTS,
  type KeyRight,
  type OwnerAccess,
  type Principal,
} from './access-filter.js'
import type { ControlRecord } from './control-record.js'
import { canModerate, canWrite, GARDEN_ROLES, type GardenRole, gardenOf } from './garden.js'

/** What a key grants. */
export interface KeyTerms {
  readonly owner: string
  /** The identity as a URI. It never changes. */
  readonly entity: string
  /** Further sources it may assert facts for. */
  readonly sources: readonly string[]
  readonly scopes: readonly string[] | 'all'
  /** Roles in gardens by slug, in addition to those of its entity. */
  readonly gardens: Readonly<Record<string, GardenRole>>
  readonly rights: readonly KeyRight[]
}

export interface Key extends KeyTerms {
  readonly id: string
  readonly isRevoked: boolean
}

const PREFIX = 'mneme'
const KEY = /^mneme_([a-z0-9]{20})_([A-Za-z0-9_-]{43})$/u

/** A key as held by the client: an id and a secret. */
export const keyText = (id: string, secret: string): string => `${PREFIX}_${id}_${secret}`

export function readKey(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = KEY.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

const among = <T extends string>(value: Json | undefined, known: readonly T[]): readonly T[] => {
  const texts = textsIn(value)
  return known.filter((option) => texts.includes(option))
}

/** A stored key; unknown values grant nothing. */
export function keyOf({ id, owner, data }: ControlRecord): Key {
  const gardens = typeof data.gardens === 'object' && data.gardens !== null && !Array.isArray(data.gardens) ? data.gardens : {}
  return {
    id,
    owner,
    entity: typeof data.entity === 'string' ? data.entity : '',
    sources: textsIn(data.sources),
    scopes: data.scopes === 'all' ? 'all' : among(data.scopes, SCOPES),
    gardens: Object.fromEntries(
      Object.entries(gardens).flatMap(([slug, role]): [string, GardenRole][] => {
        const known = GARDEN_ROLES.find((known) => known === role)
        return known === undefined ? [] : [[slug, known]]
      }),
    ),
    rights: among(data.rights, KEY_RIGHTS),
    isRevoked: data.revokedAt !== undefined && data.revokedAt !== null,
  }
}

interface Roles {
  readonly owner: string
  readonly slug: string
  readonly roles: readonly GardenRole[]
  /** A moderator of a quarantine garden writes the decisions. */
  readonly writes: boolean
}

/** Roles in gardens by membership or by key. */
const rolesIn = (gardens: readonly ControlRecord[], { entity, gardens: granted }: Pick<Key, 'entity' | 'gardens'>): readonly Roles[] =>
  gardens
    .map(gardenOf)
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ owner, slug, members, quarantine }) => {
      const roles = [ownIn(members, entity)?.role, ownIn(granted, slug)].flatMap((role) => (role === undefined ? [] : [role]))
      return { owner, slug, roles, writes: roles.some((role) => canWrite(role) || (quarantine && canModerate(role))) }
    })
    .filter(({ roles }) => roles.length > 0)

/** The access filter of a key: the scopes it names, and the gardens in which it has a role; all gardens for an administrator. */
function reachOf({ owner, scopes, rights }: KeyTerms, roles: readonly Roles[]): AccessFilter {
  const federated = rights.includes('federated')
  if (rights.includes('admin')) {
    const into: OwnerAccess = { owner, scopes, gardens: 'all', writes: 'all', federated }
    return owner === ANY_OWNER && isUnrestricted(into) ? 'everything' : { owners: [into] }
  }
  // Slugs are unique per owner only.
  const owners = owner === ANY_OWNER ? [...new Set(roles.map((role) => role.owner)), ANY_OWNER] : [owner]
  return {
    owners: owners.map((whose) => {
      const mine = roles.filter((role) => role.owner === whose)
      const writes = mine.filter((role) => role.writes).map(({ slug }) => slug)
      return { owner: whose, scopes, gardens: mine.map(({ slug }) => slug), writes, federated }
    }),
  }
}

export function principalOf(key: Key, gardens: readonly ControlRecord[]): Principal {
  const rights = { rights: key.rights }
  const roles = rolesIn(gardens, key)
  return {
    name: `key:${key.id}`,
    reach: isAllowed(rights, 'read') || isAllowed(rights, 'write') ? reachOf(key, roles) : { owners: [] },
    mayWrite: isAllowed(rights, 'write'),
    rights: key.rights,
    proof: 'key',
    key: key.id,
    owner: key.owner === ANY_OWNER ? null : key.owner,
    entity: key.entity,
    sources: key.sources,
    roles,
  }
}
