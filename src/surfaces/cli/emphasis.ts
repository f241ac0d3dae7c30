import { EMPHASIS } from '../../contracts/plain-text.js'

const CODES: Readonly<Record<string, string>> = {
  [EMPHASIS.strong]: '\u001b[1m',
  [EMPHASIS.faint]: '\u001b[2m',
  [EMPHASIS.end]: '\u001b[0m',
}
const MARKS = /[\uFDD0-\uFDD2]/gu

/** Replaces emphasis marks by terminal codes, or removes them. Runs last, because output is escaped before. */
export const showEmphasis = (text: string, colours: boolean): string => text.replace(MARKS, (mark) => (colours ? (CODES[mark] ?? '') : ''))
