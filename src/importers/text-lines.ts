/** A line of a file; `text` is undefined when it is longer than `MAX_LINE_BYTES`. */
interface TextLine {
  readonly number: number
  readonly text: string | undefined
}

/** Longer lines are skipped by number: a line has to be held in memory as a whole. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024

const NEWLINE = 0x0a

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** The encoding a byte order mark states; UTF-8 without one. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** Bytes as UTF-8, whatever encoding their byte order mark states. The mark itself is removed. */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let first = true
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    if (first) {
      first = false
      const encoding = encodingOf(chunk)
      if (encoding !== 'utf-8') decoder = new TextDecoder(encoding)
      else if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
        yield chunk.subarray(3)
        continue
      }
    }
    yield decoder === undefined ? chunk : new TextEncoder().encode(decoder.decode(chunk, { stream: true }))
  }
}

/** The lines of a text, without their line ends. Invalid bytes become U+FFFD. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let parts: Uint8Array[] = []
  let size = 0
  let number = 0
  const take = (): TextLine => {
    number++
    const text = size > MAX_LINE_BYTES ? undefined : decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts)).replace(/\r$/, '')
    parts = []
    size = 0
    return { number, text }
  }
  const keep = (part: Uint8Array): void => {
    size += part.length
    if (size > MAX_LINE_BYTES) parts = []
    else parts.push(part)
  }
  for await (const chunk of toUtf8(chunks)) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end))
      yield take()
      start = end + 1
    }
    if (start < chunk.length) keep(chunk.slice(start))
  }
  if (size > 0) yield take()
}

/** A whole text of at most `maxBytes`; undefined when it is longer. */
export async function wholeText(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of toUtf8(chunks)) {
    size += chunk.length
    if (size > maxBytes) return undefined
    parts.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(parts)).replaceAll('\r\n', '\n')
}
