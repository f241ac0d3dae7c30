import { nextInstant } from '../core/time/instants.js'
import type { Clock } from '../ports/clock.js'

/** Wall-clock time that strictly increases unless the system clock is set back; continues during sleep. */
export function createSystemClock(): Clock {
  let last = 0
  return {
    now() {
      last = nextInstant(Date.now() * 1000, last + 1)
      return last
    },
  }
}
