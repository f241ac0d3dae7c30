/** A run of digits and separators, as long as possible: its surroundings decide whether it is a number. */
const NUMBER_RUN = /\d+(?:[.,'’\u00a0\u2009\u202f :/-]\d+)*/g
const HAS_GROUPS = /\d[.,'’\u00a0\u2009\u202f ]\d{3}(?!\d)/
/** Longer runs are data, not amounts. */
const MAX_CHARACTERS = 64

/** Groups of three after one to three digits, with one separator, and decimals after another. */
const GROUPED_NUMBER = /^([1-9]\d{0,2}([.,'’\u00a0\u2009\u202f])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,]\d+)?$/
const SPACED_NUMBER = /^([1-9]\d{0,2}(?: \d{3})+)(?:[.,]\d+)?$/
const NO_DIGIT = /\D/g

/** A name in front (`v1.250`, `node-1.250`) or letters after it (`1.250rc1`, `1.250-beta`, `1.250.x`) make it a version. */
const VERSION_PREFIX = /[\p{L}\p{N}_][-._/:@#]?$|[/.]$/u
const CONTINUATION = /^[-.+]?[\p{L}\p{N}_]/u
const MONEY_BEFORE = /\p{Sc}\s?$/u
const MONEY_BEHIND = /^\s?\p{Sc}/u

/** The text directly before and after a run. */
interface SurroundingText {
  readonly before: string
  readonly behind: string
}

/**
 * Numbers written in groups of three digits (`1,310`, `1.250,00`, `12'500`), without separators and decimals. Versions, dates, times and
 * addresses are excluded. With plain spaces, two groups make a number, and one next to a currency sign does: "room 12 500 people" contains
 * two.
 */
export function groupedNumbers(text: string): readonly string[] {
  if (!HAS_GROUPS.test(text)) return []
  const found: string[] = []
  for (const { 0: stretch, index } of text.matchAll(NUMBER_RUN)) {
    if (stretch.length < 5) continue
    const end = index + stretch.length
    const around = { before: text.slice(Math.max(0, index - 2), index), behind: text.slice(end, end + 2) }
    const spaced = spacedNumber(stretch, around)
    if (spaced !== undefined) found.push(spaced)
    else for (const number of numbersBetweenSpaces(stretch, around)) found.push(number)
  }
  return found
}

function spacedNumber(stretch: string, { before, behind }: SurroundingText): string | undefined {
  const digits = stretch.length > MAX_CHARACTERS ? undefined : SPACED_NUMBER.exec(stretch)?.[1]
  if (digits === undefined || VERSION_PREFIX.test(before)) return undefined
  const isClear = digits.indexOf(' ') !== digits.lastIndexOf(' ') || MONEY_BEFORE.test(before) || MONEY_BEHIND.test(behind)
  return isClear ? digits.replace(NO_DIGIT, '') : undefined
}

function numbersBetweenSpaces(stretch: string, { before, behind }: SurroundingText): readonly string[] {
  const parts = stretch.split(' ')
  return parts.flatMap((part, i) => numbersOf(part, { before: i === 0 ? before : ' ', behind: i === parts.length - 1 ? behind : ' ' }))
}

/** The number of a part, or both of a range (`1,000-2,000`, `500-1,000`). */
function numbersOf(part: string, around: SurroundingText): readonly string[] {
  if (part.length > MAX_CHARACTERS) return []
  const ends = part.split('-')
  const read = ends.map((end) => GROUPED_NUMBER.exec(end))
  const found = read.flatMap((match) => (match?.[1] === undefined ? [] : { digits: match[1], separator: match[2] }))
  const isPlain = (end: string, i: number): boolean => read[i] !== null || /^\d{1,3}$/.test(end)
  if (ends.length > 2 || !ends.every(isPlain)) return []
  // A point also occurs in versions and addresses, so the surroundings must be unambiguous.
  const pointed = found.some(({ separator }) => separator === '.')
  if (pointed && (found.length < ends.length || VERSION_PREFIX.test(around.before) || CONTINUATION.test(around.behind))) return []
  return found.filter(({ digits }) => !isAddress(digits)).map(({ digits }) => digits.replace(NO_DIGIT, ''))
}

/** Four bytes separated by points, such as 192.168.100.200. */
function isAddress(digits: string): boolean {
  const bytes = digits.split('.')
  return bytes.length === 4 && bytes.every((byte) => Number(byte) <= 255)
}
