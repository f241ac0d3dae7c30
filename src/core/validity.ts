import type { Fact, FactStatus, Instant } from './fact.js'

export const CURRENT_STATUSES: readonly FactStatus[] = ['active', 'candidate', 'contested', 'stale']
const CURRENT: ReadonlySet<FactStatus> = new Set(CURRENT_STATUSES)

export const isCurrentStatus = (status: FactStatus): boolean => CURRENT.has(status)

/**
 * When a question asks: as of an instant, where windows alone decide, or now. Whatever was stored has begun and whatever
 * was ended is over for everyone who asks afterwards, whichever clock dated it: that order the store knows for certain.
 */
export interface Moment {
  readonly at: Instant
  readonly present?: boolean
}

type Window = Pick<Fact, 'validFrom' | 'validUntil' | 'expiresAt' | 'recordedAt' | 'status'>

/** It holds since it was stored, and its author named no other time. */
export const beganAtCommit = (fact: Pick<Fact, 'validFrom' | 'recordedAt'>): boolean => fact.validFrom === fact.recordedAt

/** What the search structures keep of a fact's window besides its instants. */
export const MARKS = { beganAtCommit: 1, over: 2 } as const

export const marksOf = (fact: Pick<Fact, 'validFrom' | 'recordedAt' | 'status'>): number =>
  (beganAtCommit(fact) ? MARKS.beganAtCommit : 0) | (isCurrentStatus(fact.status) ? 0 : MARKS.over)

/** The one rule of validity, in numbers: the window is half open, and expiry ends it like `validUntil` does. `Infinity` is never. */
export const holds = (from: Instant, until: Instant, expires: Instant, marks: number, { at, present }: Moment): boolean =>
  (from <= at || (present === true && (marks & MARKS.beganAtCommit) !== 0)) &&
  until > at &&
  expires > at &&
  !(present === true && (marks & MARKS.over) !== 0)

/** True in the world at that moment. */
export const isValidAt = (fact: Window, moment: Moment): boolean =>
  holds(fact.validFrom, fact.validUntil ?? Number.POSITIVE_INFINITY, fact.expiresAt ?? Number.POSITIVE_INFINITY, marksOf(fact), moment)

/** A fact that leaves the current statuses ends now; one that comes back is open again. */
export function withStatus(fact: Fact, status: FactStatus, at: Instant): Fact {
  if (isCurrentStatus(status)) {
    const reopened = !isCurrentStatus(fact.status) && fact.validUntil !== null && fact.validUntil <= Math.max(at, fact.validFrom)
    return {
      ...fact,
      status,
      validUntil: reopened ? null : fact.validUntil,
      supersededBy: isCurrentStatus(fact.status) ? fact.supersededBy : null,
    }
  }
  const ended = fact.validUntil !== null && fact.validUntil <= at
  return { ...fact, status, validUntil: ended ? fact.validUntil : Math.max(at, fact.validFrom) }
}

/** When a fact ends, by its window or by its lifetime; null when nobody knows. */
export function endOf({ validUntil, expiresAt }: Pick<Fact, 'validUntil' | 'expiresAt'>): Instant | null {
  return validUntil === null ? expiresAt : expiresAt === null ? validUntil : Math.min(validUntil, expiresAt)
}
