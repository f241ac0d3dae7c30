import { decodeText, decodeWindows } from '../text-encoding.js'

const WINDOWS_1252_NAMES = new Set(['windows-1252', 'iso-8859-1', 'latin1', 'latin-1', 'us-ascii', 'ascii', 'cp1252', 'x-cp1252'])
/** A declared encoding is near the beginning. */
const META = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})/i
const META_BYTES = 4096

interface PageText {
  readonly text: string
  readonly warnings: readonly string[]
}

/** The text of a page: by its byte order mark, its declared encoding, otherwise UTF-8 if valid. Null if it is not text. */
export function decodePage(bytes: Buffer, declared: string | undefined): PageText | null {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const charset = marked ? undefined : (declared ?? META.exec(bytes.subarray(0, META_BYTES).toString('latin1'))?.[1]?.toLowerCase())
  if (charset === undefined) return withoutWarnings(decodeText(bytes))
  const decoded = decodeAs(bytes, charset)
  if (decoded !== null) return withoutWarnings(decoded)
  const guessed = decodeText(bytes)
  return guessed === null ? null : { text: guessed, warnings: [`The page is not in the encoding that it declares (${charset}).`] }
}

const withoutWarnings = (text: string | null): PageText | null => (text === null ? null : { text, warnings: [] })

function decodeAs(bytes: Buffer, charset: string): string | null {
  if (WINDOWS_1252_NAMES.has(charset)) return bytes.includes(0) ? null : decodeWindows(bytes)
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch (failure) {
    // An unknown encoding, or bytes that are invalid in it.
    if (failure instanceof TypeError || failure instanceof RangeError) return null
    throw failure
  }
}
