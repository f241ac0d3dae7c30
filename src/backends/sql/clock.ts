import type { Instant } from '../../core/fact.js'
import { EVERYONE } from './owners.js'
import { first, number, type Plan } from './plan.js'

/** What the last commit took: its time, by the clock of whoever made it, and its place in the order of all commits. */
export interface StoreClock {
  readonly time: Instant
  readonly order: number
}

/** Every commit reads it first and writes it last, with the places of its owners (`notePlaces`). */
export function* readClock(): Plan<StoreClock> {
  const row = yield* first(`SELECT at, place FROM owners WHERE owner = ?`, EVERYONE)
  return row === undefined ? { time: 0, order: 0 } : { time: number(row, 'at'), order: number(row, 'place') }
}
