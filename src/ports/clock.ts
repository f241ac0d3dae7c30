import type { Instant } from '../core/facts/fact.js'

/** Wall time. Instants of a store never decrease, unless its own time is more than a day ahead of this clock. */
export interface Clock {
  now(): Instant
}
