import type { Instant } from '../../core/fact.js'
import { first, type Plan, run, text } from './plan.js'

/** What the last commit took: its time, by the clock of whoever made it, and its place in the order of all commits. */
export interface StoreClock {
  readonly time: Instant
  readonly order: number
}

/** One row for both, because every commit reads and writes it. Before layout 3 it held one number, which was both. */
export function* readClock(): Plan<StoreClock> {
  const row = yield* first(`SELECT value FROM meta WHERE key = 'clock'`)
  const [time = 0, order = time] = row === undefined ? [] : text(row, 'value').split(' ').map(Number)
  return { time, order }
}

export function* writeClock({ time, order }: StoreClock): Plan<void> {
  yield* run(`INSERT INTO meta (key, value) VALUES ('clock', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, `${time} ${order}`)
}
