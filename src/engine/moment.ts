import type { Instant } from '../core/fact.js'
import type { Moment } from '../core/validity.js'
import type { Clock } from '../ports/clock.js'

/** The moment a caller asks about: the instant it names, if that is past; otherwise from now on. */
export function momentOf(clock: Clock, asOf?: Instant): Moment {
  const now = clock.now()
  return asOf !== undefined && asOf < now ? { at: asOf } : { at: asOf ?? now, present: true }
}
