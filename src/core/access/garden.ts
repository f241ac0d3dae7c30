import type { Arrangement } from '../arrangement.js'
import type { JsonObject } from '../json.js'

/** What a member of a garden may do. A moderator decides about what a garden holds back. */
export const GARDEN_ROLES = ['reader', 'writer', 'admin', 'quarantine:moderator'] as const
export type GardenRole = (typeof GARDEN_ROLES)[number]

/** A room for facts into which only its members can look. */
export interface Garden {
  readonly id: string
  readonly owner: string
  readonly slug: string
  readonly name: string
  /** Every fact in it has this one; it never changes. */
  readonly scope: string
  readonly description: string | null
  /** What is written into it waits there until it is let out or turned away. */
  readonly quarantine: boolean
  readonly createdBy: string
  readonly createdAt: number
  /** By the URI of the member. */
  readonly members: Readonly<Record<string, GardenRole>>
}

export const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/u

export const canRead = (_role: GardenRole): boolean => true
export const canWrite = (role: GardenRole): boolean => role === 'writer' || role === 'admin'
export const canManage = (role: GardenRole): boolean => role === 'admin'
export const canModerate = (role: GardenRole): boolean => role === 'quarantine:moderator' || role === 'admin'

const textIn = (data: JsonObject, name: string): string | null => {
  const value = data[name]
  return typeof value === 'string' ? value : null
}

export function gardenOf({ id, owner, name, data, createdAt }: Arrangement): Garden {
  const listed = typeof data.members === 'object' && data.members !== null && !Array.isArray(data.members) ? data.members : {}
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
      Object.entries(listed).flatMap(([entity, role]): [string, GardenRole][] => {
        const known = GARDEN_ROLES.find((one) => one === role)
        return known === undefined ? [] : [[entity, known]]
      }),
    ),
  }
}

/** The name of a garden on the wire. */
export const gardenUri = (node: string, slug: string): string => `stigmem://${node}/garden/${slug}`

/** A garden may be named by its slug or by its whole name. */
export const slugIn = (named: string): string => /^stigmem:\/\/[^/]+\/garden\/([^/]+)$/u.exec(named)?.[1] ?? named
