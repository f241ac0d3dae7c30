import { type Span, type TextUnit, unitsOf } from '../../text/pieces.js'
import { terms as termsOf } from '../../text/text.js'

/** A piece of a long text with its cosine to the query, if it has a vector. */
interface ScoredSpan extends Span {
  readonly cosine: number | null
}

/** Share of the cosine in the score of a piece; the rest is the share of matched terms. */
const MEANING_SHARE = 0.65

/** A text of at most this many pieces has one excerpt: the best piece overlaps most of the others. */
const SINGLE_EXCERPT_PIECES = 2

/**
 * The best pieces by meaning and query terms, each relative to the best piece; at most `most`, and one for a text of few
 * pieces.
 */
export function selectExcerpts(text: string, pieces: readonly ScoredSpan[], terms: readonly string[], most: number): readonly Span[] {
  const held = pieces.map(({ start, end }) => {
    const own = new Set(termsOf(text.slice(start, end)))
    return terms.filter((term) => own.has(term)).length
  })
  const cosines = pieces.map(({ cosine }) => cosine ?? 0)
  const [least, nearest] = [Math.min(...cosines), Math.max(...cosines)]
  const fullest = Math.max(1, ...held)
  const scored = pieces.map(({ start, end }, i) => {
    const meaning = nearest > least ? ((cosines[i] ?? 0) - least) / (nearest - least) : 0
    return { span: { start, end }, score: MEANING_SHARE * meaning + (1 - MEANING_SHARE) * ((held[i] ?? 0) / fullest) }
  })
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, pieces.length > SINGLE_EXCERPT_PIECES ? most : 1)
    .map(({ span }) => span)
}

/** Input of the reranker for one memory: a window of text, and the text before and after it. */
interface RerankWindow {
  readonly text: string
  readonly before: string | null
  readonly after: string | null
}

/** Tokens of the window, as in the training data of the reranker, and characters of context on each side. */
const WINDOW_TOKENS = 100
const CONTEXT_CHARS = 400

/** The part of a text with most query terms; the beginning if there are none. */
export function selectRerankWindow(text: string, { start, end }: Span, terms: readonly string[]): RerankWindow {
  const units = unitsOf(text.slice(start, end), WINDOW_TOKENS / 4)
  const asked = new Set(terms)
  const held = units.map((unit) => termsOf(text.slice(start + unit.start, start + unit.end)).filter((term) => asked.has(term)))
  let best = { first: 0, next: units.length, words: -1 }
  for (let first = 0; first < units.length; first++) {
    const next = findWindowEnd(units, first)
    const words = new Set(held.slice(first, next).flat()).size
    if (words > best.words) best = { first, next, words }
    if (next === units.length) break
  }
  const from = start + (units[best.first]?.start ?? 0)
  const to = start + (units[best.next - 1]?.end ?? end - start)
  const before = text.slice(Math.max(0, from - CONTEXT_CHARS), from).trim()
  const after = text.slice(to, to + CONTEXT_CHARS).trim()
  return { text: text.slice(from, to).trim(), before: before === '' ? null : before, after: after === '' ? null : after }
}

/** Index after the last unit that fits, starting at a given unit. */
function findWindowEnd(units: readonly TextUnit[], first: number): number {
  let tokens = 0
  let next = first
  for (; next < units.length; next++) {
    tokens += units[next]?.tokens ?? 0
    if (tokens > WINDOW_TOKENS && next > first) break
  }
  return next
}
