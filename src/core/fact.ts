import type { Json, JsonObject } from './json.js'

/** Epoch microseconds: exact in a double until the year 2255, and fine enough that no two writes share one. */
export type Instant = number

/** `active`, `candidate`, `contested` and `stale` are current; the others have ended and carry `validUntil`. */
export const FACT_STATUSES = ['active', 'candidate', 'contested', 'stale', 'outdated', 'superseded', 'retracted', 'archived'] as const
export type FactStatus = (typeof FACT_STATUSES)[number]

/** Who may see a fact inside its owner. */
export type Scope = 'local' | 'team' | 'company' | 'public'

/** One statement worth remembering. */
export interface Fact {
  readonly id: string
  readonly owner: string
  readonly text: string
  readonly kind: string
  /** What the fact is about, as the reader would name it; the target of subject links. */
  readonly title: string | null
  /** Structured statement: subject (an entity URI or name), predicate, typed value. */
  readonly subject: string | null
  readonly predicate: string | null
  readonly value: Json
  /** Who said it, in the conversation it came from. */
  readonly author: string | null
  /** Facts of one session are neighbours, in the order they were recorded. */
  readonly session: string | null
  /** When it was said, as written by the client; indexed as words. */
  readonly date: string | null
  readonly scope: Scope
  readonly garden: string | null
  readonly status: FactStatus
  readonly confidence: number
  readonly importance: number
  /** Which client or principal recorded it. */
  readonly source: string
  readonly reason: string | null
  readonly eventAt: Instant
  readonly validFrom: Instant
  readonly validUntil: Instant | null
  readonly recordedAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant | null
  readonly ttlDays: number | null
  readonly supersededBy: string | null
  readonly derivedFrom: readonly string[]
  readonly metadata: JsonObject
  /** False keeps every automatic link away, now and in later repairs. */
  readonly autoLink: boolean
  readonly dedupAt: Instant | null
  /** Starts at 1 and grows by one with each change. */
  readonly version: number
}
