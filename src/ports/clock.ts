import type { Instant } from '../core/fact.js'

/** Wall time. A store never hands out the same or an earlier instant twice, whatever this says. */
export interface Clock {
  now(): Instant
}
