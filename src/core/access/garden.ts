import { canonicalJson, isJsonObject, type JsonObject, ownIn } from '../encoding/json.js'
import type { ControlRecord } from './control-record.js'

/** Roles of members. A moderator decides about quarantined facts. */
export const GARDEN_ROLES = ['reader', 'writer', 'admin', 'quarantine:moderator'] as const
export type GardenRole = (typeof GARDEN_ROLES)[number]

export interface Member {
  readonly role: GardenRole
  readonly addedBy: string
  readonly addedAt: number
}

/** A partition of facts that only its members can read. */
export interface Garden {
  readonly id: string
  readonly owner: string
  readonly slug: string
  readonly name: string
  /** The scope of all its facts; it never changes. */
  readonly scope: string
  readonly description: string | null
  /** True if facts are quarantined until they are promoted or rejected. */
  readonly quarantine: boolean
  readonly createdBy: string
  readonly createdAt: number
  /** Members by URI. */
  readonly members: Readonly<Record<string, Member>>
  /** The facts of a deleted garden stay, readable by administrators. Its slug is never reused, because a new garden would expose them. */
  readonly isDeleted: boolean
}

export const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/u

export const canWrite = (role: GardenRole): boolean => role === 'writer' || role === 'admin'
export const canManage = (role: GardenRole): boolean => role === 'admin'
export const canModerate = (role: GardenRole): boolean => role === 'quarantine:moderator' || role === 'admin'

const textIn = (data: JsonObject, name: string): string | null => {
  const value = data[name]
  return typeof value === 'string' ? value : null
}

export function gardenOf({ id, owner, name, data, createdAt }: ControlRecord): Garden {
  const listed = isJsonObject(data.members) ? data.members : {}
  return {
    id,
    owner,
    slug: name ?? id,
    name: textIn(data, 'name') ?? name ?? id,
    scope: textIn(data, 'scope') ?? 'local',
    description: textIn(data, 'description'),
    quarantine: data.quarantine === true,
    createdBy: textIn(data, 'createdBy') ?? '',
    createdAt,
    members: Object.fromEntries(
      Object.entries(listed).flatMap(([entity, value]): [string, Member][] => {
        const member = isJsonObject(value) ? memberOf(value) : undefined
        return member === undefined ? [] : [[entity, member]]
      }),
    ),
    isDeleted: typeof data.deletedAt === 'number',
  }
}

function memberOf(data: JsonObject): Member | undefined {
  const role = GARDEN_ROLES.find((known) => known === data.role)
  return role === undefined
    ? undefined
    : { role, addedBy: textIn(data, 'addedBy') ?? '', addedAt: typeof data.addedAt === 'number' ? data.addedAt : 0 }
}

/** The stored form of a garden. */
export const gardenData = ({ name, scope, description, quarantine, createdBy, members }: Garden): JsonObject => ({
  name,
  scope,
  description,
  quarantine,
  createdBy,
  members: Object.fromEntries(Object.entries(members).map(([entity, member]) => [entity, { ...member }])),
})

/** True if the member is the only admin. */
export const isLastAdmin = ({ members }: Garden, entity: string): boolean =>
  ownIn(members, entity)?.role === 'admin' && !Object.entries(members).some(([other, { role }]) => other !== entity && role === 'admin')

/** The URI of a garden. It is local to the node. */
export const gardenUri = (slug: string): string => `stigmem://local/garden/${slug}`

/** The slug in a slug or garden URI. */
export const slugIn = (named: string): string => /^stigmem:\/\/[^/]+\/garden\/([^/]+)$/u.exec(named)?.[1] ?? named

/** Limit of the members of a garden: each change stores the whole list once. */
export const MAX_MEMBERS = 1000

/** Control records as journalled: for a garden, only the changed members. */
export function journalledRecords(before: ControlRecord | undefined, after: ControlRecord): readonly [ControlRecord | null, ControlRecord] {
  if (before === undefined || after.kind !== 'garden') return [before ?? null, after]
  const [was, is] = [before.data.members, after.data.members]
  if (!isJsonObject(was) || !isJsonObject(is)) return [before, after]
  const differs = (entity: string): boolean => canonicalJson(ownIn(was, entity) ?? null) !== canonicalJson(ownIn(is, entity) ?? null)
  const only = (record: ControlRecord, members: JsonObject): ControlRecord => ({
    ...record,
    data: { ...record.data, members: Object.fromEntries(Object.entries(members).filter(([entity]) => differs(entity))) },
  })
  return [only(before, was), only(after, is)]
}
