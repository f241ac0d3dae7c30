import type { Fact, Instant } from '../facts/fact.js'
import { lifetimeOf } from '../facts/lifecycle.js'
import { beganAtCommit, isCurrentStatus } from '../facts/validity.js'

/** The maximum lead of a synchronised clock, in microseconds. A store that is further ahead was written under a wrong clock. */
const MAX_LEAD = 0.1e6

/**
 * The instant for a commit, from the wall clock and the next unused instant: instants are unique and follow the journal order. If the two
 * are far apart a clock was wrong, and the wall clock alone counts, so that one wrong clock does not affect later instants.
 */
export const nextInstant = (now: Instant, next: Instant): Instant => (next - now > MAX_LEAD ? now : Math.max(now, next))

/** Clamps instants of clocks that ran ahead to the time of the read. */
export const noLaterThan = (instant: Instant, now: Instant): Instant => Math.min(instant, now)

/** A fact as shown at `now`. Instants stated by its author stay; those set by a commit are not after the read. */
export function clampToNow(fact: Fact, now: Instant): Fact {
  const own = (instant: Instant): Instant => (instant === fact.recordedAt ? noLaterThan(instant, now) : instant)
  const over = fact.validUntil !== null && !isCurrentStatus(fact.status)
  return {
    ...fact,
    eventAt: own(fact.eventAt),
    validFrom: beganAtCommit(fact) ? noLaterThan(fact.validFrom, now) : fact.validFrom,
    validUntil: over && fact.validUntil !== null ? noLaterThan(fact.validUntil, now) : fact.validUntil,
    recordedAt: noLaterThan(fact.recordedAt, now),
    updatedAt: noLaterThan(fact.updatedAt, now),
    dedupAt: fact.dedupAt === null ? null : noLaterThan(fact.dedupAt, now),
  }
}

/** Later than any synchronised clock would have stamped. */
export const toFutureThreshold = (now: Instant): Instant => now + MAX_LEAD

/** A lifetime starts when it was set; one set in the future starts now. */
const mendedExpiry = ({ ttlDays, expiresAt }: Pick<Fact, 'ttlDays' | 'expiresAt'>, input: Instant, now: Instant): Instant | null => {
  if (ttlDays === null || expiresAt === null) return expiresAt
  const lifetime = lifetimeOf(ttlDays)
  return expiresAt - lifetime > now ? input + lifetime : expiresAt
}

/** Repairs a future-dated fact from its journal, which records when it was created and last changed. Instants stated by its author stay. */
export function repairTimestamps(fact: Fact, made: Instant, changed: Instant, now: Instant): Fact {
  const recordedAt = fact.recordedAt > now ? noLaterThan(made, now) : fact.recordedAt
  const own = (instant: Instant): Instant => (instant === fact.recordedAt ? recordedAt : instant)
  const validFrom = own(fact.validFrom)
  const over = fact.validUntil !== null && !isCurrentStatus(fact.status)
  return {
    ...fact,
    recordedAt,
    validFrom,
    eventAt: own(fact.eventAt),
    validUntil: over && fact.validUntil !== null ? Math.min(fact.validUntil, Math.max(changed, validFrom)) : fact.validUntil,
    expiresAt: mendedExpiry(fact, noLaterThan(changed, now), now),
    dedupAt: fact.dedupAt === null ? null : noLaterThan(fact.dedupAt, now),
  }
}

/** Latest plausible end of any lease, by the end of a new one. A lease that ends later was taken under a clock that ran ahead. */
export const longestLease = (until: Instant): Instant => until + 3600e6
