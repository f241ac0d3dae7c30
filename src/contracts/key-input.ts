import { z } from 'zod'
import { KEY_RIGHTS } from '../core/access/access-filter.js'
import { GARDEN_ROLES, type GardenRole } from '../core/access/garden.js'
import { SCOPES } from '../core/facts/fact.js'
import { formatInstant } from '../core/input/input.js'
import type { ListedKey } from '../engine/access/keys.js'
import { MemoryError } from '../errors.js'

/** Accepts both `a,b` and `a` `b`. */
const split = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.flatMap((word) =>
        typeof word === 'string'
          ? word
              .split(',')
              .map((part) => part.trim())
              .filter(Boolean)
          : [word],
      )
    : value

export const rights = z.preprocess(split, z.array(z.enum(KEY_RIGHTS)).min(1)).meta({ wire: 'array' })
export const scopes = z.preprocess(split, z.array(z.enum(SCOPES)).min(1)).meta({ wire: 'array' })
/** Each as `slug:role`. */
export const gardenRoles = z.preprocess(split, z.array(z.string())).meta({ wire: 'array' })

/** Parses `slug:role`; a role may contain a colon. */
export function rolesIn(words: readonly string[]): Readonly<Record<string, GardenRole>> {
  return Object.fromEntries(
    words.map((word): [string, GardenRole] => {
      const at = word.indexOf(':')
      const role = GARDEN_ROLES.find((known) => known === (at < 0 ? 'reader' : word.slice(at + 1)))
      if (role === undefined)
        throw new MemoryError('unprocessable', `Invalid garden "${word}": its role must be one of ${GARDEN_ROLES.join(', ')}`, {
          reason: 'invalid_input',
          hint: 'Write it as slug:role.',
        })
      return [at < 0 ? word : word.slice(0, at), role]
    }),
  )
}

export const keyShape = z.object({
  id: z.string(),
  owner: z.string(),
  entity: z.string(),
  sources: z.array(z.string()),
  scopes: z.array(z.string()),
  gardens: z.record(z.string(), z.string()),
  rights: z.array(z.string()),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
})

/** A key without its secret. */
export const toKey = ({
  id,
  owner,
  entity,
  sources,
  scopes,
  gardens,
  rights: may,
  createdAt,
  revokedAt,
}: ListedKey): z.input<typeof keyShape> => ({
  id,
  owner,
  entity,
  sources: [...sources],
  scopes: scopes === 'all' ? [...SCOPES] : [...scopes],
  gardens: { ...gardens },
  rights: [...may],
  created_at: formatInstant(createdAt),
  revoked_at: revokedAt === null ? null : formatInstant(revokedAt),
})

/** The default speaker of an owner. */
export const entityOf = (owner: string, entity: string | undefined): string =>
  entity ?? `user:${owner === '*' ? 'anyone' : owner.toLowerCase()}`

/** All existing scopes include future ones. */
export const scopesOf = (scopes: readonly string[] | undefined): readonly string[] | 'all' =>
  scopes === undefined || SCOPES.every((scope) => scopes.includes(scope)) ? 'all' : scopes
