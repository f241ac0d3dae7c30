const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const BRACKET = 91
const BRACE = 123

const CLOSING_BRACKET = 93
const CLOSING_BRACE = 125

interface JsonLimits {
  /** Values in the whole text. */
  readonly values: number
  /** Members of one object. Different names cost a hundred times their length when they are parsed. */
  readonly members: number
}

/** The limit that JSON text exceeds, by the commas and openings outside its strings. */
export function exceededLimit(json: Uint8Array, limits: JsonLimits): keyof JsonLimits | undefined {
  if (json.length <= limits.values && json.length <= limits.members) return undefined
  let values = 1
  /** Members of each open object; negative infinity for an array. */
  const open: number[] = []
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) open.pop()
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      if (++values > limits.values) return 'values'
      if (byte !== COMMA) open.push(byte === BRACE ? 1 : Number.NEGATIVE_INFINITY)
      else if (open.length > 0) {
        const members = (open[open.length - 1] ?? 0) + 1
        open[open.length - 1] = members
        if (members > limits.members) return 'members'
      }
    }
  }
  return undefined
}

/** Whether JSON text holds more values than `most`. */
export const hasMoreValuesThan = (json: Uint8Array, most: number): boolean =>
  exceededLimit(json, { values: most, members: Number.POSITIVE_INFINITY }) !== undefined

/** The position of the quotation mark that closes the string, or the end of the text. */
function endOfString(json: Uint8Array, from: number): number {
  let at = json.indexOf(QUOTE, from + 1)
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf(QUOTE, at + 1)
  return at < 0 ? json.length : at
}

function isEscaped(json: Uint8Array, offset: number): boolean {
  let backslashes = 0
  while (json[offset - 1 - backslashes] === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
