import { z } from 'zod'
import { sha256 } from '../../core/encoding/hash.js'
import type { JsonObject } from '../../core/encoding/json.js'
import type { Fact } from '../../core/facts/fact.js'
import { formatInstant } from '../../core/input/input.js'
import { MemoryError } from '../../errors.js'
import { isRecord } from '../wire-schema.js'

type Row = Readonly<Record<string, unknown>>

/** Metadata key for fields that mem0 has and mneme lacks. */
const OWN_CLIENT = 'mem0'

export const id = z.union([z.string(), z.number().transform(String)]).nullish()
export const ids = { user_id: id, agent_id: id, app_id: id, run_id: id }
export const metadata = z.record(z.string(), z.json()).nullish().meta({ wire: 'object' })

export const memory = z.looseObject({
  id: z.string(),
  memory: z.string(),
  hash: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})

/** The owner is the user; an agent or app without a user has an owner of its own. */
export function ownerIn({ user_id, agent_id, app_id }: Row): string | undefined {
  if (typeof user_id === 'string') return user_id
  if (typeof agent_id === 'string') return `agent:${agent_id}`
  return typeof app_id === 'string' ? `app:${app_id}` : undefined
}

/** The metadata of a stored fact. */
export const storedMetadata = (
  metadata: JsonObject | null | undefined,
  own: Readonly<Record<string, string | null | undefined>>,
): JsonObject => ({
  ...metadata,
  [OWN_CLIENT]: Object.fromEntries(Object.entries(own).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
})

const ownOf = ({ metadata: stored }: Fact): Row => (isRecord(stored[OWN_CLIENT]) ? stored[OWN_CLIENT] : {})

export const userMetadata = ({ metadata: stored }: Fact): Row =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => name !== OWN_CLIENT))

/** Keeps the mem0 fields of a fact when its metadata is replaced. */
export const withMetadata = (fact: Fact, metadata: JsonObject): JsonObject => ({
  ...metadata,
  ...(fact.metadata[OWN_CLIENT] === undefined ? {} : { [OWN_CLIENT]: fact.metadata[OWN_CLIENT] }),
})

export function idsOf(fact: Fact): Row {
  const { agent_id, app_id, run_id } = ownOf(fact)
  const forUser = ownerIn({ agent_id, app_id }) !== fact.owner
  return {
    ...(forUser ? { user_id: fact.owner } : {}),
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(app_id === undefined ? {} : { app_id }),
    ...(run_id === undefined ? {} : { run_id }),
  }
}

export function toMemory(fact: Fact, score?: number): z.input<typeof memory> {
  const metadata = userMetadata(fact)
  const { actor_id, role } = ownOf(fact)
  return {
    id: fact.id,
    memory: fact.text,
    hash: sha256(fact.text).slice(0, 32),
    ...idsOf(fact),
    ...(actor_id === undefined ? {} : { actor_id }),
    ...(role === undefined ? {} : { role }),
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
    categories: Array.isArray(metadata.categories) ? metadata.categories : [],
    created_at: formatInstant(fact.recordedAt),
    updated_at: formatInstant(fact.updatedAt),
    ...(fact.expiresAt === null ? {} : { expiration_date: formatInstant(fact.expiresAt).slice(0, 10) }),
    ...(score === undefined ? {} : { score }),
  }
}

export const unknownMemory = (id: string): MemoryError => new MemoryError('not_found', `Memory not found: ${id}`)

const SECOND_US = 1e6

/** Times are seconds since 1970 or ISO 8601. */
export const instantOf = (instant: string | number | null | undefined, parse: (text: string) => number): number | undefined => {
  if (instant === null || instant === undefined) return undefined
  return typeof instant === 'number' ? Math.round(instant * SECOND_US) : parse(instant)
}
