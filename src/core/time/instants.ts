import type { Fact, Instant } from '../facts/fact.js'
import { lifetimeOf } from '../facts/lifecycle.js'
import { beganAtCommit, isCurrentStatus } from '../facts/validity.js'

/** Clocks that are kept right differ by less. A store that is further ahead was written under a wrong one. */
const MAX_LEAD = 0.1e6

/**
 * The time where the wall says `now` and `next` is the first instant that is still free: no instant comes twice, and a
 * list by time has the order of the journal. Where the two are far apart a clock was set, and the wall alone counts: one
 * wrong clock must not date everything after it.
 */
export const nextInstant = (now: Instant, next: Instant): Instant => (next - now > MAX_LEAD ? now : Math.max(now, next))

/** Nothing was stored in the future: an instant of a clock that ran ahead is shown as the moment it is read. */
export const noLaterThan = (instant: Instant, now: Instant): Instant => Math.min(instant, now)

/** A fact as it is shown at `now`. Instants that its author named stay; those that a commit gave lie before the reading. */
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

/** Later than any clock that is kept right would have dated it. */
export const toFutureThreshold = (now: Instant): Instant => now + MAX_LEAD

/** A lifetime counts from when it was given: one given in the future is given now. */
const mendedExpiry = ({ ttlDays, expiresAt }: Pick<Fact, 'ttlDays' | 'expiresAt'>, given: Instant, now: Instant): Instant | null => {
  if (ttlDays === null || expiresAt === null) return expiresAt
  const lifetime = lifetimeOf(ttlDays)
  return expiresAt - lifetime > now ? given + lifetime : expiresAt
}

/**
 * A fact whose commits were dated ahead, dated by what is known of them: when its journal says that it was made and last
 * changed. Instants that its author named stay as they are.
 */
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

/** Leases last seconds or minutes: one that ends an hour after a new one would was taken under a clock that ran ahead. */
export const longestLease = (until: Instant): Instant => until + 3600e6
