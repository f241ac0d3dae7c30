import { MemoryError } from '../errors.js'

type Row = Readonly<Record<string, unknown>>

/** A stored memory. */
export interface Memory {
  readonly id: string
  readonly text: string
  readonly kind: string
  /** Null for the default owner. */
  readonly owner: string | null
  readonly createdAt: Date
  readonly eventAt: Date
  readonly validFrom: Date
  /** Null while it is current. */
  readonly validUntil: Date | null
  readonly importance: number
  readonly version: number
  readonly subject: string | null
  readonly predicate: string | null
  readonly metadata: Row
  /** Ended, or superseded. */
  readonly stale: boolean
  readonly supersededBy: string | null
}

/** A result of a search. */
export interface Recalled {
  readonly id: string
  readonly text: string
  readonly score: number
  /** Probability that it helps to answer; null if only one index was searched. */
  readonly relevance: number | null
  /** Date of the event: a day, or an instant. */
  readonly date: string | null
  readonly author: string | null
  readonly owner: string | null
  /** A newer memory states something else about the same thing. */
  readonly stale: boolean
  readonly supersededBy: string | null
  /** Warning about the text, such as instructions in it. */
  readonly caution: string | null
}

/** The state of a memory before one change. */
export interface Version {
  readonly id: string
  readonly text: string | null
  readonly changedAt: Date | null
  readonly changedBy: string | null
  readonly operation: string | null
  readonly reason: string | null
  readonly metadata: Row | null
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Ids are text, or the object form of the memory contract. */
function idOf(value: unknown): string {
  if (isRow(value) && isRow(value.id)) return textOf(value.id.String) ?? ''
  return textOf(value) ?? ''
}

const dateOf = (value: unknown): Date => new Date(typeof value === 'number' || typeof value === 'string' ? value : 0)

export function toMemory(row: Row): Memory {
  const supersededBy = textOf(row.superseded_by)
  const validUntil = row.valid_until === null || row.valid_until === undefined ? null : dateOf(row.valid_until)
  return {
    id: idOf(row.id),
    text: textOf(row.content) ?? '',
    kind: textOf(row.memory_type) ?? 'semantic',
    owner: textOf(row.user_id),
    createdAt: dateOf(row.ingestion_time),
    eventAt: dateOf(row.event_time),
    validFrom: dateOf(row.valid_from),
    validUntil,
    importance: numberOf(row.importance_score),
    version: numberOf(row.version),
    subject: textOf(row.subject),
    predicate: textOf(row.predicate),
    metadata: isRow(row.metadata) ? row.metadata : {},
    stale: supersededBy !== null || (validUntil !== null && validUntil.getTime() <= Date.now()),
    supersededBy,
  }
}

export function toRecalled(row: Row): Recalled {
  const supersededBy = textOf(row.superseded_by_newer)
  return {
    id: idOf(row.id),
    text: textOf(row.content) ?? '',
    score: numberOf(row.score),
    relevance: typeof row.relevance === 'number' ? row.relevance : null,
    date: textOf(row.date),
    author: textOf(row.author),
    owner: textOf(row.user_id),
    stale: supersededBy !== null,
    supersededBy,
    caution: textOf(row.caution),
  }
}

export const toVersion = (row: Row): Version => ({
  id: textOf(row.version_id) ?? '',
  text: textOf(row.text),
  changedAt: row.version_timestamp === null || row.version_timestamp === undefined ? null : dateOf(row.version_timestamp),
  changedBy: textOf(row.changed_by),
  operation: textOf(row.operation),
  reason: textOf(row.reason),
  metadata: isRow(row.metadata) ? row.metadata : null,
})

export function instantText(instant: Date | string | undefined): string | undefined {
  if (!(instant instanceof Date)) return instant
  if (Number.isNaN(instant.getTime())) throw new MemoryError('invalid_input', 'Invalid date: the Date object has no valid time.')
  return instant.toISOString()
}
