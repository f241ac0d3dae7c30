import type { Span } from '../pieces.js'
import { terms as termsOf } from '../text.js'

/** A piece of a long text and how near it is to the question, where that is known. */
export interface Placed extends Span {
  readonly cosine: number | null
}

/** Shares of meaning and of words, as in the ranking. */
const MEANING = 0.65

/** The piece that answers best: meaning and the question's words, each measured against the best of the pieces. */
export function tellingPiece(text: string, pieces: readonly Placed[], terms: readonly string[]): Span | null {
  const held = pieces.map(({ start, end }) => {
    const own = new Set(termsOf(text.slice(start, end)))
    return terms.filter((term) => own.has(term)).length
  })
  const cosines = pieces.map(({ cosine }) => cosine ?? 0)
  const [least, nearest] = [Math.min(...cosines), Math.max(...cosines)]
  const most = Math.max(1, ...held)
  let best: Span | null = null
  let bestScore = -1
  pieces.forEach(({ start, end }, i) => {
    const meaning = nearest > least ? ((cosines[i] ?? 0) - least) / (nearest - least) : 0
    const score = MEANING * meaning + (1 - MEANING) * ((held[i] ?? 0) / most)
    if (score <= bestScore) return
    bestScore = score
    best = { start, end }
  })
  return best
}
