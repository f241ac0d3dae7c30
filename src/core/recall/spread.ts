import type { Scored } from './candidate.js'
import { byScore, longShare } from './fuse.js'
import type { Recipe } from './recipe.js'

/** Questions of up to so many terms ask for one thing, from the other on they tell of much. */
const TELLING = { noneTo: 8, fullFrom: 16 } as const
/** Share of long texts among the candidates from which on they count as long altogether. */
const LONG_FROM = 1 / 6

/**
 * A long question touches several matters, and each message of a long talk says something about most of them: the tenth
 * message of one session tells less than the first of another. Each further one of a session counts a little less. Short
 * questions and short turns keep their order. `scored` comes and goes best first.
 */
export function spreadSessions(scored: Scored[], terms: number, { spread, weights }: Recipe): void {
  const telling = Math.max(0, Math.min(1, (terms - TELLING.noneTo) / (TELLING.fullFrom - TELLING.noneTo)))
  const step = weights === null ? spread * telling * Math.min(1, longShare(scored) / LONG_FROM) : 0
  if (step === 0) return
  const before = new Map<string, number>()
  for (const one of scored) {
    const { session } = one.sketch
    if (session === null) continue
    const count = before.get(session) ?? 0
    before.set(session, count + 1)
    one.score *= (1 - step) ** count
  }
  scored.sort(byScore)
}
