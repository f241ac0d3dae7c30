import type { Fact, FactStatus, Instant } from './fact.js'

export const CURRENT_STATUSES: readonly FactStatus[] = ['active', 'candidate', 'contested', 'stale']
const CURRENT: ReadonlySet<FactStatus> = new Set(CURRENT_STATUSES)

export const isCurrentStatus = (status: FactStatus): boolean => CURRENT.has(status)

type Window = Pick<Fact, 'validFrom' | 'validUntil' | 'expiresAt'>

/** True in the world at that instant: the window is half open, and expiry ends it like `validUntil` does. */
export const isValidAt = (fact: Window, at: Instant): boolean =>
  fact.validFrom <= at && (fact.validUntil === null || fact.validUntil > at) && (fact.expiresAt === null || fact.expiresAt > at)

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
