import { STOP_WORDS } from '../../text/text.js'

/** A literal text in a query: an error message, constant, flag, URL or header value. */
export interface Literal {
  /** As written, without the name of the error before it. */
  readonly text: string
  readonly words: readonly LiteralWord[]
  /** Share of the weight of the whole query, 0 to 1. */
  readonly share: number
  /** Whether it differs from prose: quoted, or with signs that prose does not have. */
  readonly isMarked: boolean
}

interface LiteralWord {
  readonly word: string
  readonly weight: number
  /** Where it starts and ends in the text it was read from. */
  readonly start: number
  readonly end: number
}

/** How well a text holds a literal. */
export interface LiteralMatch {
  /** Matched share of the literal, 0 to 1. */
  readonly share: number
  /** The literal occurs character by character. */
  readonly isExact: boolean
  /** The occurrence is a whole string of the code, or the name that is assigned. */
  readonly isWhole: boolean
  /** It starts a string of the code, not a doc string. */
  readonly startsString: boolean
  /** Offset of the first character of the line that holds most of it. */
  readonly offset: number
}

const MAX_LITERALS = 8
const MAX_WORDS = 64
const MAX_TEXT_CHARS = 8_000
/** A trace or report states its message within these characters. */
const MAX_QUERY_CHARS = 4_000

/** Numbers joined by signs are one value: an address, a version, a date. */
const WORD = /\p{N}+(?:[.:/-]\p{N}+){1,8}(?![\p{L}_$])|[\p{L}\p{N}_$]+/gu
/** A value that a program filled in, such as a number, weighs less than the words of its message. */
const NUMBER = /^[\p{N}.:/-]+$/u
const COMPOUND_NAME = /_|\p{Ll}\p{Lu}|\p{Lu}{4}|\p{L}\p{N}|\p{N}\p{L}/u
const WEIGHTS = { stop: 0.4, number: 0.4, plain: 1, compound: 2 } as const

function weightOf(written: string): number {
  if (STOP_WORDS.has(written.toLowerCase())) return WEIGHTS.stop
  if (NUMBER.test(written)) return WEIGHTS.number
  return COMPOUND_NAME.test(written) ? WEIGHTS.compound : WEIGHTS.plain
}

/** Quoted parts, paths and addresses within a message are likely to be values. */
const VALUE = /'[^'\n]{1,200}'|"[^"\n]{1,200}"|[^\s'"]{0,100}[\p{L}\p{N}][./@][\p{L}\p{N}][^\s'"]{0,200}/gu
const VALUE_SHARE = 0.5

/** The words of a literal, values with less weight. */
function wordsOfLiteral(text: string): readonly LiteralWord[] {
  const values = [...text.matchAll(VALUE)].map((match) => ({ from: match.index, to: match.index + match[0].length }))
  return wordsOf(text, MAX_WORDS).map((word) =>
    values.some(({ from, to }) => word.start >= from && word.end <= to) ? { ...word, weight: word.weight * VALUE_SHARE } : word,
  )
}

function wordsOf(text: string, most: number): readonly LiteralWord[] {
  const found: LiteralWord[] = []
  for (const match of text.matchAll(WORD)) {
    if (found.length >= most) break
    const [written] = match
    found.push({ word: written.toLowerCase(), weight: weightOf(written), start: match.index, end: match.index + written.length })
  }
  return found
}

const weightOfAll = (words: readonly LiteralWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0)

/** `(node:12) SomeWarning: ` and `package.SomeError: ` name a class; the message follows. */
const ERROR_NAME =
  /^(?:\(\w{1,20}:\d{1,10}\) )?(?:(?:uncaught|unhandled|fatal|panic|caused by|exception in thread "[^"\n]{1,80}")[:\s]\s?)?[\w.$:]{0,120}?(?:error|exception|warning|fault|failure|panic)(?: \[\w{1,60}\])?: /iu

/** Quoted parts. An apostrophe within a word is no quote. */
const QUOTED_PART = /`([^`\n]{2,300})`|"([^"\n]{2,300})"|(?<![\p{L}\p{N}])'([^'\n]{2,300})'(?![\p{L}\p{N}])/gu
/** URLs, flags, constants, and names joined by signs that contain a digit, a capital or several joints. */
const MARKED_PART =
  /https?:\/\/[^\s"'`<>]{3,300}|(?<![\w-])--?[A-Za-z][\w-]{1,60}|\b[A-Z][A-Z\d]{0,40}(?:_[A-Z\d]{1,40}){1,10}\b|\b[\w$]{1,60}(?:[-.:/][\w$]{1,60}){1,12}/gu
const IS_URL_OR_FLAG = /^(?:https?:|--?\p{L})/u
const IS_NAME = /[_\p{Lu}\p{N}]|[-.:/].*[-.:/]/u

/** Signs that messages and code have and questions do not. */
const LITERAL_SIGNS = /[`"{}=<>\\#$%&|_]|\p{N}|\p{L}[.:/]\p{L}|^-|: |\.$|\p{Ll}\p{Lu}/u
const IS_QUESTION = /\?\s*$|^(?:where|which|what|who|how|why|when|is there|does|do|can|could|should|i|we|if)\b/iu
/** Words of a query up to which it may be a literal as a whole. */
const MAX_WHOLE_WORDS = 48
const MIN_PLAIN_WORDS = 4

/** Literals that a query contains or is. */
export function literalsInQuery(query: string): readonly Literal[] {
  const trimmed = query.trim().slice(0, MAX_QUERY_CHARS)
  const total = Math.max(1e-9, weightOfAll(wordsOfLiteral(withoutErrorName(trimmed))))
  const found = new Map<string, Literal>()
  const add = (text: string, isMarked: boolean): void => {
    const words = wordsOfLiteral(text)
    if (words.length === 0 || found.has(text) || found.size >= MAX_LITERALS) return
    found.set(text, { text, words, share: Math.min(1, weightOfAll(words) / total), isMarked })
  }
  const lines = trimmed.split('\n').map((line) => line.trim())
  const messages = lines.filter((line) => ERROR_NAME.test(line))
  // The last line of a trace states the error.
  for (const line of messages.reverse()) add(withoutErrorName(line), true)
  if (lines.length === 1 && messages.length === 0) {
    const count = wordsOf(trimmed, MAX_WHOLE_WORDS + 1).length
    const isMarked = (LITERAL_SIGNS.test(trimmed) && !IS_QUESTION.test(trimmed)) || (count === 1 && COMPOUND_NAME.test(trimmed))
    if (count <= MAX_WHOLE_WORDS && (isMarked || count >= MIN_PLAIN_WORDS || IS_URL_OR_FLAG.test(trimmed))) add(trimmed, isMarked)
  }
  const stated = lines.map(withoutErrorName).join('\n')
  for (const [, ...groups] of stated.matchAll(QUOTED_PART)) add((groups.find((group) => group !== undefined) ?? '').trim(), true)
  for (const [text] of stated.matchAll(MARKED_PART))
    if (IS_URL_OR_FLAG.test(text) || IS_NAME.test(text)) add(text.replace(/[.:/]+$/u, ''), true)
  return [...found.values()]
}

const withoutErrorName = (line: string): string => line.replace(ERROR_NAME, '').trim()

/** What a gap costs: values in the literal, and placeholders or operators in the code. */
const GAP = { literal: 0.25, code: 0.2 } as const
/** Share of the words after a placeholder that still count: the program filled them in. */
const AFTER_PLACEHOLDER = 0.2
/** `%s`, `{name}`, `${name}`, `" + name`, or the end of the format string before a comma. */
const PLACEHOLDER = /^[^\p{L}\p{N}\n]{0,4}(?:%[-\w]|\$?\{|["'`]\s*(?:[+,.&]|<<|%))/u
/** Of the distinct words of a literal, by weight: with less in common no alignment is computed. */
const MIN_COMMON = 0.4

/** The best alignment of a literal with a text; undefined if they have too little in common. */
export function matchLiteral(literal: Literal, text: string): LiteralMatch | undefined {
  const clipped = text.slice(0, MAX_TEXT_CHARS)
  const words = wordsOf(clipped, clipped.length)
  const there = new Set(words.map(({ word }) => word))
  const total = weightOfAll(literal.words)
  const common = weightOfAll(literal.words.filter(({ word }) => there.has(word)))
  if (common < MIN_COMMON * total) return undefined
  const at = exactOffset(literal.text, clipped)
  if (at >= 0) {
    const end = at + literal.text.length
    return {
      share: 1,
      isExact: true,
      isWhole: isWholeString(clipped, at, end),
      startsString: startsString(clipped, at),
      offset: lineStart(clipped, at),
    }
  }
  const aligned = align(literal.words, words)
  if (aligned === undefined) return undefined
  const { score, last, lastInLiteral, pairs } = aligned
  const rest = weightOfAll(literal.words.slice(lastInLiteral + 1))
  const isFilled = PLACEHOLDER.test(clipped.slice(words[last]?.end ?? 0, (words[last]?.end ?? 0) + 12))
  const share = Math.min(1, score / Math.max(1e-9, total - (isFilled ? (1 - AFTER_PLACEHOLDER) * rest : 0)))
  const [first] = pairs
  const start = words[first ?? 0]?.start ?? 0
  return {
    share,
    isExact: false,
    isWhole: isWholeString(clipped, start, words[last]?.end ?? start),
    startsString: startsString(clipped, start),
    offset: bestLine(clipped, pairs, words),
  }
}

/** Case matters; a name is not found within a longer one. */
function exactOffset(literal: string, text: string): number {
  const isWordEnd = /[\p{L}\p{N}_$]$/u.test(literal)
  const isWordStart = /^[\p{L}\p{N}_$]/u.test(literal)
  let at = text.indexOf(literal)
  for (let tries = 0; at >= 0 && tries < 50; tries++) {
    const before = text[at - 1] ?? ' '
    const after = text[at + literal.length] ?? ' '
    if (!(isWordStart && /[\p{L}\p{N}_$]/u.test(before)) && !(isWordEnd && /[\p{L}\p{N}_$]/u.test(after)))
      return preferred(literal, text, at)
    at = text.indexOf(literal, at + 1)
  }
  return -1
}

/** Of several occurrences, one in code rather than in a comment, and a whole string or an assigned name rather than a part. */
function preferred(literal: string, text: string, first: number): number {
  let best = first
  let most = -1
  let at = first
  for (let tries = 0; at >= 0 && tries < 20; tries++) {
    const rank = (isInComment(text, at) ? 0 : 2) + (isWholeString(text, at, at + literal.length) ? 1 : 0)
    if (rank > most) {
      most = rank
      best = at
    }
    at = text.indexOf(literal, at + literal.length)
  }
  return best
}

const isInComment = (text: string, offset: number): boolean =>
  /^\s*(?:\/\/|\/?\*|#(?!define)|--)/.test(text.slice(lineStart(text, offset), offset))

const QUOTES = new Set(['"', "'", '`'])
const ASSIGNMENT = /^\s{0,8}(?::\s{0,2}[\w.<>[\]| ]{1,40})?\s{0,8}(?:=(?![=>])|:=)/u

function isWholeString(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? ''
  if (QUOTES.has(before) && QUOTES.has(text[end] ?? '')) return true
  if (/[\p{L}\p{N}_$.]/u.test(before)) return false
  return (
    ASSIGNMENT.test(text.slice(end, end + 60)) ||
    /(?:#define|const|let|var|final|static)\s{1,8}$/u.test(text.slice(Math.max(0, start - 20), start))
  )
}

const startsString = (text: string, start: number): boolean => QUOTES.has(text[start - 1] ?? '') && !QUOTES.has(text[start - 2] ?? '')

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

interface Alignment {
  readonly score: number
  /** Words of the text that are matched, in order. */
  readonly pairs: readonly number[]
  readonly last: number
  readonly lastInLiteral: number
}

/** Local alignment of words: the best-scoring run of both, in which either may have gaps. */
function align(literal: readonly LiteralWord[], text: readonly LiteralWord[]): Alignment | undefined {
  const columns = literal.length + 1
  const scores = new Float32Array((text.length + 1) * columns)
  const steps = new Uint8Array(scores.length)
  let best = 0
  let bestAt = 0
  for (let row = 1; row <= text.length; row++) {
    const written = text[row - 1]?.word
    for (let column = 1; column < columns; column++) {
      const cell = literal[column - 1]
      const here = row * columns + column
      const matched = cell?.word === written ? (scores[here - columns - 1] ?? 0) + (cell?.weight ?? 0) : 0
      const skippedCode = (scores[here - columns] ?? 0) - GAP.code
      const skippedWord = (scores[here - 1] ?? 0) - GAP.literal
      const score = Math.max(0, matched, skippedCode, skippedWord)
      scores[here] = score
      steps[here] = score === 0 ? 0 : score === matched ? 1 : score === skippedCode ? 2 : 3
      if (score > best) {
        best = score
        bestAt = here
      }
    }
  }
  if (best === 0) return undefined
  const pairs: number[] = []
  for (let at = bestAt; (steps[at] ?? 0) > 0; ) {
    const step = steps[at]
    if (step === 1) pairs.push(Math.floor(at / columns) - 1)
    at -= step === 1 ? columns + 1 : step === 2 ? columns : 1
  }
  pairs.reverse()
  return { score: best, pairs, last: pairs.at(-1) ?? 0, lastInLiteral: (bestAt % columns) - 1 }
}

/** The start of the line with the greatest matched weight. */
function bestLine(text: string, pairs: readonly number[], words: readonly LiteralWord[]): number {
  const weights = new Map<number, number>()
  for (const pair of pairs) {
    const { start = 0, weight = 0 } = words[pair] ?? {}
    const line = lineStart(text, start)
    weights.set(line, (weights.get(line) ?? 0) + weight)
  }
  let best = 0
  let most = -1
  for (const [line, weight] of weights) {
    if (weight <= most) continue
    most = weight
    best = line
  }
  return best
}
