import type { Instant } from '../core/facts/fact.js'

/** Wall time. A store hands out no earlier instant than before, unless its own time is more than a day ahead of this. */
export interface Clock {
  now(): Instant
}
