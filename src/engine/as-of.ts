import type { Instant } from '../core/facts/fact.js'
import type { AsOf } from '../core/facts/validity.js'
import type { Clock } from '../ports/clock.js'

/** The moment a caller asks about: the instant it names, if that is past; otherwise from now on. */
export function resolveAsOf(clock: Clock, asOf?: Instant): AsOf {
  const now = clock.now()
  return asOf !== undefined && asOf < now ? { at: asOf } : { at: asOf ?? now, present: true }
}
