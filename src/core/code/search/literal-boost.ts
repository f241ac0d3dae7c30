import { type Literal, type LiteralMatch, matchLiteral } from './literals.js'
import type { LiteralWeights } from './recipe.js'

/** Addition to the score of a passage by the literals of a query. */
interface LiteralBoost {
  readonly value: number
  /** True if a literal decides the order. */
  readonly decides: boolean
  /** Line of the match, counted from 0 in the passage; undefined for prose that is not in a string. */
  readonly line: number | undefined
}

/** Minimum matched share of a message whose remaining words are values filled in by a program. */
const NEARLY_WHOLE = 0.9
/** Minimum weight of the words of a quoted part that decides the order alone. */
const LONG_PART_WEIGHT = 4

/** The best boost of a text; undefined without a match. */
export function boostLiterals(literals: readonly Literal[], text: string, weights: LiteralWeights): LiteralBoost | undefined {
  let best: LiteralBoost | undefined
  for (const literal of literals) {
    const match = matchLiteral(literal, text)
    const boost = match === undefined ? undefined : boostOf(literal, match, text, weights)
    if (boost !== undefined && boost.value > (best?.value ?? 0)) best = boost
  }
  return best
}

function boostOf(literal: Literal, match: LiteralMatch, text: string, weights: LiteralWeights): LiteralBoost | undefined {
  const share = match.share * literal.share
  const weight = literal.words.reduce((sum, word) => sum + word.weight, 0)
  const isLongPart = literal.isMarked && match.share >= NEARLY_WHOLE && weight >= LONG_PART_WEIGHT
  const decides = share >= (literal.isMarked ? weights.marked : weights.plain) || isLongPart
  const line = literal.isMarked || match.startsString ? text.slice(0, match.offset).split('\n').length - 1 : undefined
  const extra = (match.isExact ? weights.exact : 0) + (match.isWhole ? weights.whole : 0)
  if (decides) return { value: weights.boost + match.share + extra, decides, line }
  if (!literal.isMarked || match.share < NEARLY_WHOLE) return undefined
  return { value: weights.part * Math.min(1, weight / LONG_PART_WEIGHT) * (match.isExact ? 1 : 0.5), decides, line }
}
