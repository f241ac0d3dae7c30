/** Character classes as bits; a set combines several. */
const LOWER = 1
const UPPER = 2
const DIGIT = 4
const LINE = 8
const MARK = 16
const BASE64 = 32

export const HEX = 64
export const ALNUM = LOWER | UPPER | DIGIT
export const CAPITALS = UPPER | DIGIT
export const LOWERCASE = LOWER | DIGIT
/** Letters, digits, `_` and `-`. */
export const WORD = ALNUM | LINE
/** With `+`, `/` and `=`. */
export const PADDED = WORD | BASE64
/** With `.` and `~`. */
export const OPEN = PADDED | MARK
/** Word characters, `.` and `~`. */
export const DOTTED = WORD | MARK
export const LETTERS = LOWER | UPPER
export const DIGITS = DIGIT

const TABLE = new Uint8Array(128)
const mark = (from: string, to: string, bit: number): void => {
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) TABLE[code] = (TABLE[code] ?? 0) | bit
}
mark('a', 'z', LOWER)
mark('A', 'Z', UPPER)
mark('0', '9', DIGIT | HEX)
mark('a', 'f', HEX)
mark('A', 'F', HEX)
for (const character of '_-') mark(character, character, LINE)
for (const character of '.~') mark(character, character, MARK)
for (const character of '+/=') mark(character, character, BASE64)

export const isIn = (code: number, set: number): boolean => code < 128 && ((TABLE[code] ?? 0) & set) !== 0

/** End of the run of characters of a set that starts at `from`. */
export function endOfRun(text: string, from: number, set: number): number {
  let at = from
  while (isIn(text.charCodeAt(at), set)) at++
  return at
}
