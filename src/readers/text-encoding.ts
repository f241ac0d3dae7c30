import { isUtf8 } from 'node:buffer'

/** Bytes that no text contains, in any encoding based on ASCII. */
const isControl = (byte: number): boolean =>
  byte < 32 && byte !== 9 && byte !== 10 && byte !== 11 && byte !== 12 && byte !== 13 && byte !== 27

/**
 * The text of a file without its byte order mark, or null if it is binary. Without a mark, invalid UTF-8 is read as windows-1252: wrong
 * letters in the comments of another old encoding are better than no file.
 */
export function decodeText(bytes: Buffer): string | null {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  if (wide !== null) return decodeWide(bytes, wide)
  if (bytes.includes(0)) return null
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  return bytes.some(isControl) ? null : decodeWindows(bytes)
}

/** The characters of windows-1252 at 0x80 to 0x9f; five are unassigned. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

/** Decoded here, because TextDecoder of this Node treats windows-1252 as latin-1. */
export const decodeWindows = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009F]/g, (code) => WINDOWS_1252[code.charCodeAt(0) - 0x80] ?? code)

function decodeWide(bytes: Buffer, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch (failure) {
    if (failure instanceof TypeError) return null
    throw failure
  }
}
