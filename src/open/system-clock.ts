import { nextInstant } from '../core/time/instants.js'
import type { Clock } from '../ports/clock.js'

/** Wall time that never stands still, nor goes back unless it is set back; it survives the machine's sleep. */
export function createSystemClock(): Clock {
  let last = 0
  return {
    now() {
      last = nextInstant(Date.now() * 1000, last + 1)
      return last
    },
  }
}
