import type { Instant } from './fact.js'

/** Clocks of processes that share a store may differ by so much, but a store that is further ahead was opened with a wrong one. */
const MOST_LEAD = 86_400e6

/**
 * The time that counts where the wall says `now` and the store has handed out `last`: what was stored is never in the
 * future. Only a store whose own time is absurd is left to itself, or one wrong clock would date everything after it.
 */
export const presentTime = (now: Instant, last: Instant): Instant => (last - now > MOST_LEAD ? now : Math.max(now, last))
