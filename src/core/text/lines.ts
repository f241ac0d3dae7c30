const NEWLINE = 10
const LAST_ASCII_SPACE = 32
const LAST_ASCII = 127

/**
 * Calls `take` with the start and end of each line until it returns true; returns true if it did. Copies no line, so a file of a million
 * blank lines takes no longer than one of as many letters.
 */
export function someLine(text: string, take: (start: number, end: number) => boolean): boolean {
  let start = 0
  for (let offset = 0; offset < text.length; offset++) {
    if (text.charCodeAt(offset) !== NEWLINE) continue
    if (take(start, offset)) return true
    start = offset + 1
  }
  return take(start, text.length)
}

const isSpace = (code: number): boolean => code <= LAST_ASCII_SPACE || (code > LAST_ASCII && String.fromCharCode(code).trim() === '')

/** Where the text of a line begins; its end if it is blank. */
export function beginOfText(text: string, start: number, end: number): number {
  let offset = start
  while (offset < end && isSpace(text.charCodeAt(offset))) offset++
  return offset
}
