import { z } from 'zod'
import type { Fact } from '../../core/facts/fact.js'
import { endOf } from '../../core/facts/validity.js'
import { formatInstant, isBlank, MEMORY_TYPES, parseInstant } from '../../core/input/input.js'
import { isProvisional } from '../../core/recall/provisional.js'
import { clampToNow } from '../../core/time/instants.js'
import type { Context } from '../../engine/context.js'

/** Checked in refinements, which add nothing to the listing. */
const notBlank = (text: string): boolean => !isBlank(text)

/** Accepts ids as text or as the object that reads return. */
export const idInput = z
  .union([z.string(), z.object({ tb: z.string(), id: z.object({ String: z.string() }) }).transform((thing) => thing.id.String)], {
    error: ({ input }) =>
      input === undefined ? 'an id is required' : 'expected an id as a string, or as {"tb": ..., "id": {"String": ...}}',
  })
  .refine(notBlank, { error: 'must not be empty' })
  .meta({ wire: 'string' })

export const memoryType = z.enum(MEMORY_TYPES, { error: `must be one of ${MEMORY_TYPES.join(', ')}` }).nullish()
/** Owner of code and of a new memory; the default owner if none is given. */
export const ownerOr = (context: Context, user: string | null | undefined): string => user ?? context.settings.defaultOwner

/** Owner of a query: all owners unless given or configured. */
export const ownerToSearch = (context: Context, user: string | null | undefined): string | undefined => user ?? context.settings.askedOwner

/** The same text in every tool; the instructions explain the default. */
export const userId = z.string().refine(notBlank, { error: 'must not be empty' }).nullish().describe('Owner')
export const query = z.string().refine(notBlank, { error: 'must not be empty' })
/** Any JSON object; the recursive JSON schema would cost tokens. */
export const metadata = z.record(z.string(), z.json()).nullish().meta({ wire: 'object' })

export const limitOf = (fallback: number, most: number) =>
  z
    .int({ error: `must be a whole number from 1 to ${most}` })
    .min(1, { error: `must be from 1 to ${most}` })
    .max(most, { error: `must be from 1 to ${most}` })
    .default(fallback)

export const INVALID_TIMESTAMP = 'Invalid timestamp format. Use ISO 8601'

export const instantOf = (text: string | null | undefined, field: string): number | undefined =>
  text === null || text === undefined
    ? undefined
    : parseInstant(text, `Invalid ${field}: ${INVALID_TIMESTAMP}`, (problem) => `Invalid ${field}: ${problem}`)

/** Absent and null are equivalent in this contract. */
export const nullToUndefined = <T>(value: T | null | undefined): T | undefined => value ?? undefined

const thing = z.object({ tb: z.string(), id: z.object({ String: z.string() }) })

export const memoryOutput = z.object({
  id: thing,
  content: z.string(),
  memory_type: z.string(),
  user_id: z.string().optional(),
  event_time: z.string(),
  ingestion_time: z.string(),
  valid_from: z.string(),
  valid_until: z.string().nullable(),
  importance_score: z.number(),
  invalidation_reason: z.string().optional(),
  superseded_by: z.string().optional(),
  version: z.int(),
  subject: z.string().optional(),
  predicate: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
})

/** Only `get_memory` lists the schema of a memory. */
export const sameAsGetMemory = z.looseObject({})

/** Rows of a response; a schema of their fields would cost tokens in every session. */
export const memoryList = z.array(z.record(z.string(), z.unknown()))

/** Kinds of other contracts are mapped to the closest one of this contract. */
export const toMemoryType = (kind: string): string => MEMORY_TYPES.find((type) => type === kind) ?? 'semantic'

/** The reader of a response: facts of its own owner omit the owner, and times are relative to its clock. */
export type Reader = Pick<Context, 'clock' | 'settings'>

export function toMemory(stored: Fact, { clock, settings }: Reader): z.input<typeof memoryOutput> & Record<string, unknown> {
  const fact = clampToNow(stored, clock.now())
  const ended = fact.status === 'outdated' || fact.status === 'superseded'
  const end = endOf(fact)
  return {
    id: { tb: 'memories', id: { String: fact.id } },
    content: fact.text,
    memory_type: toMemoryType(fact.kind),
    ...(fact.owner === settings.defaultOwner ? {} : { user_id: fact.owner }),
    event_time: formatInstant(fact.eventAt),
    ingestion_time: formatInstant(fact.recordedAt),
    valid_from: formatInstant(fact.validFrom),
    valid_until: end === null ? null : formatInstant(end),
    importance_score: fact.importance,
    ...(ended && fact.reason !== null ? { invalidation_reason: fact.reason } : {}),
    ...(fact.supersededBy === null ? {} : { superseded_by: fact.supersededBy }),
    version: fact.version,
    ...(isProvisional(fact) ? { status: fact.status } : {}),
    ...(fact.subject === null ? {} : { subject: fact.subject }),
    ...(fact.predicate === null ? {} : { predicate: fact.predicate }),
    metadata: { ...fact.metadata },
  }
}

export const round = (score: number): number => Math.round(score * 1e6) / 1e6
