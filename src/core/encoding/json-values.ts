const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const BRACKET = 91
const BRACE = 123

/** Whether JSON text holds more values than `most`, by the commas and openings outside its strings. */
export function hasMoreValuesThan(json: Uint8Array, most: number): boolean {
  if (json.length <= most) return false
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfString(json, at)
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > most) return true
  }
  return false
}

/** The position of the quotation mark that closes the string, or the end of the text. */
function endOfString(json: Uint8Array, from: number): number {
  let at = json.indexOf(QUOTE, from + 1)
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf(QUOTE, at + 1)
  return at < 0 ? json.length : at
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}
