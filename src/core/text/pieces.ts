/** A range of a text, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Estimated tokens. A text longer than `whole` is also embedded in pieces, which overlap by a quarter. */
const TOKENS = { whole: 250, piece: 200, longestPiece: 440 } as const
const OVERLAP = 0.25
/** A text that needs more has longer pieces, up to the input limit of the model. The rest is found by keyword only. */
export const MAX_PIECES = 64
/** Characters after this cannot be part of a piece. */
const MAX_CHARACTERS = 400_000
/** A shorter text is never long, because a token has at least one character. */
export const MIN_LONG = TOKENS.whole

const SPACE = 0
const LETTER = 1
const DIGIT = 2
const SIGN = 3

function kindOf(code: number): number {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTER
  if (code >= 48 && code <= 57) return DIGIT
  if (code === 32 || (code >= 9 && code <= 13)) return SPACE
  return code > 127 && String.fromCharCode(code).trim() === '' ? SPACE : SIGN
}

const tokensOfRun = (length: number): number => (length <= 7 ? 1 : Math.ceil(length / 5))

/**
 * Estimates the word-piece tokens of a text, independent of the model: runs of letters, runs of digits, and every other sign. Counts
 * without a regular expression, because long texts are counted often.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let run = 0
  let before = SPACE
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = kindOf(code)
    if (kind === before && (kind === LETTER || kind === DIGIT)) {
      run++
      continue
    }
    if (run > 0) tokens += tokensOfRun(run)
    run = kind === LETTER || kind === DIGIT ? 1 : 0
    // The second half of a surrogate pair does not count.
    if (kind === SIGN && !isSecondHalf(text, i, code)) tokens++
    before = kind
  }
  return run > 0 ? tokens + tokensOfRun(run) : tokens
}

const isSecondHalf = (text: string, index: number, code: number): boolean =>
  code >= 0xdc00 && code <= 0xdfff && index > 0 && text.charCodeAt(index - 1) >= 0xd800 && text.charCodeAt(index - 1) <= 0xdbff

/** Ends of lines and sentences, or of words. */
const UNIT = /[^\n.!?…。！？]*(?:[\n.!?…。！？]+["')\]”’]*\s*|$)/gu
const WORDS = /\S{1,200}\s*/gu

export interface TextUnit extends Span {
  readonly tokens: number
}

/** Sentences and lines with their token counts; longer ones are split into words. */
export function unitsOf(text: string, max: number): readonly TextUnit[] {
  const units: TextUnit[] = []
  const add = (start: number, end: number): void => {
    if (end > start) units.push({ start, end, tokens: estimateTokens(text.slice(start, end)) })
  }
  for (const match of text.matchAll(UNIT)) {
    const tokens = estimateTokens(match[0])
    if (tokens <= max) add(match.index, match.index + match[0].length)
    else for (const word of match[0].matchAll(WORDS)) add(match.index + word.index, match.index + word.index + word[0].length)
  }
  return units
}

/** The overlapping pieces of a long text, in order; none for a text that fits one vector. */
export function piecesOf(text: string): readonly Span[] {
  if (text.length < MIN_LONG) return []
  const read = text.slice(0, MAX_CHARACTERS)
  const total = estimateTokens(read)
  if (total <= TOKENS.whole) return []
  const size = Math.min(TOKENS.longestPiece, Math.max(TOKENS.piece, Math.ceil(total / (MAX_PIECES * (1 - OVERLAP) - 6))))
  const units = unitsOf(read, size / 4)
  const pieces: Span[] = []
  for (let first = 0; first < units.length && pieces.length < MAX_PIECES; ) {
    const next = packed(units, first, size)
    pieces.push({ start: units[first]?.start ?? 0, end: units[next - 1]?.end ?? 0 })
    if (next >= units.length) break
    first = Math.max(first + 1, backed(units, next, size * OVERLAP))
  }
  return pieces
}

/** The index after the last unit that fits. */
function packed(units: readonly TextUnit[], first: number, size: number): number {
  let tokens = 0
  let index = first
  for (; index < units.length; index++) {
    tokens += units[index]?.tokens ?? 0
    if (tokens > size && index > first) break
  }
  return index
}

/** The unit from which about `tokens` tokens lead up to `before`. */
function backed(units: readonly TextUnit[], before: number, tokens: number): number {
  let index = before
  for (let statement = 0; index > 0; index--) {
    statement += units[index - 1]?.tokens ?? 0
    if (statement > tokens) break
  }
  return index
}
