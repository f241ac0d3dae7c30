import type { ScoredCandidate } from './candidate.js'
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
export function diversifySessions(scored: ScoredCandidate[], terms: number, { spread, weights }: Recipe): void {
  const telling = Math.max(0, Math.min(1, (terms - TELLING.noneTo) / (TELLING.fullFrom - TELLING.noneTo)))
  const step = weights === null ? spread * telling * Math.min(1, longShare(scored) / LONG_FROM) : 0
  if (step === 0) return
  const scores = scored.map(({ score }) => score)
  const before = new Map<string, number>()
  const weighed = scored.map((one) => {
    const { owner, session } = one.sketch
    const key = `${owner}\0${session}`
    const count = session === null ? 0 : (before.get(key) ?? 0)
    before.set(key, count + 1)
    return { one, value: one.score * (1 - step) ** count }
  })
  weighed.sort((a, b) => b.value - a.value || byScore(a.one, b.one))
  // Only places change hands: a message is no less relevant because others of its session are, too.
  weighed.forEach(({ one }, place) => {
    one.score = scores[place] ?? one.score
    scored[place] = one
  })
}
