import type { Accepts } from './glob.js'

type Range = readonly [from: number, to: number]

const DIGITS: Range = [0x30, 0x39]
const UPPER_CASE: Range = [0x41, 0x5a]
const LOWER_CASE: Range = [0x61, 0x7a]
const PUNCTUATION: readonly Range[] = [
  [0x21, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0x7e],
]

/** As in C for ASCII. */
const NAMED_CLASSES: ReadonlyMap<string, readonly Range[]> = new Map(
  Object.entries({
    alnum: [DIGITS, UPPER_CASE, LOWER_CASE],
    alpha: [UPPER_CASE, LOWER_CASE],
    blank: pointsOf(' \t'),
    cntrl: [[0, 0x1f] as const, [0x7f, 0x7f] as const],
    digit: [DIGITS],
    graph: [[0x21, 0x7e] as const],
    lower: [LOWER_CASE],
    print: [[0x20, 0x7e] as const],
    punct: PUNCTUATION,
    space: pointsOf(' \t\n\r\v\f'),
    upper: [UPPER_CASE],
    xdigit: [DIGITS, [0x41, 0x46] as const, [0x61, 0x66] as const],
  }),
)

function pointsOf(text: string): readonly Range[] {
  return [...text].map((sign) => [sign.charCodeAt(0), sign.charCodeAt(0)])
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

/** The class that begins with the bracket at `from`, and its end; null if it is not closed or names an unknown class. */
export function parseClass(points: readonly string[], from: number): { readonly accepts: Accepts; readonly last: number } | null {
  const ranges: Range[] = []
  let index = from + 1
  const negated = points[index] === '!' || points[index] === '^'
  if (negated) index++
  /** The character that a following hyphen would turn into a range. */
  let before: string | undefined
  /** The next closing bracket, searched once. */
  let closing = 0
  // A bracket in the first position is a literal.
  for (let first = true; first || points[index] !== ']'; first = false, index++) {
    const point = points[index]
    if (point === undefined) return null
    const next = points[index + 1]
    if (point === '-' && before !== undefined && next !== undefined && next !== ']') {
      index += next === '\\' ? 2 : 1
      const to = points[index]
      if (to === undefined) return null
      ranges.push([codeOf(before), codeOf(to)])
      before = undefined
      continue
    }
    if (point === '[' && next === ':') {
      if (closing < index + 2) closing = points.indexOf(']', index + 2)
      if (closing < 0) return null
      if (closing > index + 2 && points[closing - 1] === ':') {
        const named = NAMED_CLASSES.get(points.slice(index + 2, closing - 1).join(''))
        if (named === undefined) return null
        ranges.push(...named)
        before = undefined
        index = closing
        continue
      }
    }
    before = point === '\\' ? points[++index] : point
    if (before === undefined) return null
    ranges.push([codeOf(before), codeOf(before)])
  }
  return { last: index, accepts: (point) => ranges.some(([low, high]) => point >= low && point <= high) !== negated }
}
