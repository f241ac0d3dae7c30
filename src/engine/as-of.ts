import type { Instant } from '../core/facts/fact.js'
import type { AsOf } from '../core/facts/validity.js'
import type { Clock } from '../ports/clock.js'

/** Resolves the instant of a query: a past one as given, otherwise the present. */
export function resolveAsOf(clock: Clock, asOf?: Instant): AsOf {
  const now = clock.now()
  return asOf !== undefined && asOf < now ? { at: asOf } : { at: asOf ?? now, present: true }
}
