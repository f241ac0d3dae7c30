/** One element of a large JSON document: of the array at the top, or of an array (or value) under a key at the top. */
interface JsonItem {
  /** The key it was found under; empty for the elements of an array at the top. */
  readonly key: string
  /** Place in its array; -1 for a value that is none. */
  readonly index: number
  /** Undefined where `problem` says why. */
  readonly value: unknown
  readonly problem?: string
}

/** A single element beyond this is skipped: it would have to be held in memory as a whole. */
const MAX_ITEM_BYTES = 32 * 1024 * 1024
const MAX_KEY_BYTES = 64 * 1024
/** Deeper nesting would exhaust the stack of JSON.parse. */
const MAX_DEPTH = 500

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c
const COLON = 0x3a

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Parses JSON, with `NaN` and infinities (which Python writes) read as null. Undefined when it is not JSON. */
export function parseLoose(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    if (!/\b(?:NaN|Infinity)\b/.test(text)) return undefined
  }
  try {
    return { value: JSON.parse(withoutNaN(text)) }
  } catch {
    return undefined
  }
}

/** Replaces NaN and infinities outside of strings. */
const withoutNaN = (text: string): string =>
  text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs, (found) => (found.startsWith('"') ? found : 'null'))

/** What the scanner is inside of. */
type Container = 'none' | 'array' | 'object'

/**
 * Reads a JSON document of any size piece by piece. Only one element is held at a time. What follows a document that
 * breaks off is reported as an element with a problem.
 */
export async function* jsonItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonItem> {
  const scanner = new ItemScanner()
  for await (const chunk of chunks) yield* scanner.feed(chunk)
  yield* scanner.end()
}

class ItemScanner {
  #root: Container = 'none'
  #ended = false
  #key = ''
  /** An array directly under a key of the object at the top is read element by element. */
  #inList = false
  #index = 0
  #expectsKey = false
  #parts: Uint8Array[] = []
  #size = 0
  #tooLong = false
  #depth = 0
  #deepest = 0
  #inString = false
  #escaped = false
  #scalar = false

  get #isInside(): boolean {
    return this.#inString || this.#scalar || this.#depth > 0
  }

  *feed(chunk: Uint8Array): Generator<JsonItem> {
    let start = this.#isInside ? 0 : -1
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (byte === BACKSLASH) this.#escaped = true
        else if (byte === QUOTE) {
          this.#inString = false
          if (this.#depth === 0) {
            this.#keep(chunk, start, at + 1)
            start = -1
            yield* this.#close()
          }
        }
        continue
      }
      if (this.#scalar) {
        if (!(isSpace(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)) continue
        this.#keep(chunk, start, at)
        start = -1
        this.#scalar = false
        yield* this.#close()
      }
      if (this.#depth > 0) {
        if (byte === QUOTE) this.#inString = true
        else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#deepest = Math.max(this.#deepest, ++this.#depth)
        else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && --this.#depth === 0) {
          this.#keep(chunk, start, at + 1)
          start = -1
          yield* this.#close()
        }
        continue
      }
      if (isSpace(byte) || this.#ended) continue
      if (this.#opensContainer(byte)) continue
      if (this.#closesContainer(byte) || byte === COMMA || byte === COLON) continue
      start = at
      this.#begin(byte)
    }
    if (start >= 0) this.#keep(chunk, start, chunk.length)
  }

  *end(): Generator<JsonItem> {
    if (this.#scalar) {
      this.#scalar = false
      yield* this.#close()
    }
    if (this.#isInside || (this.#root !== 'none' && !this.#ended))
      yield { key: this.#key, index: this.#index, value: undefined, problem: 'the file breaks off here' }
  }

  #begin(byte: number): void {
    this.#parts = []
    this.#size = 0
    this.#tooLong = false
    this.#deepest = 0
    if (byte === QUOTE) this.#inString = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#depth = this.#deepest = 1
    else this.#scalar = true
  }

  #opensContainer(byte: number): boolean {
    if (this.#root === 'none' && (byte === OPEN_ARRAY || byte === OPEN_OBJECT)) {
      this.#root = byte === OPEN_ARRAY ? 'array' : 'object'
      this.#expectsKey = byte === OPEN_OBJECT
      return true
    }
    if (this.#root === 'object' && !this.#expectsKey && !this.#inList && byte === OPEN_ARRAY) {
      this.#inList = true
      this.#index = 0
      return true
    }
    return false
  }

  #closesContainer(byte: number): boolean {
    if (byte !== CLOSE_ARRAY && byte !== CLOSE_OBJECT) return false
    if (this.#inList) {
      this.#inList = false
      this.#expectsKey = true
    } else this.#ended = true
    return true
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    if (start < 0 || end <= start) return
    this.#size += end - start
    const most = this.#expectsKey ? MAX_KEY_BYTES : MAX_ITEM_BYTES
    if (this.#size > most) {
      this.#tooLong = true
      this.#parts = []
    } else this.#parts.push(chunk.slice(start, end))
  }

  *#close(): Generator<JsonItem> {
    const text = this.#tooLong ? '' : new TextDecoder().decode(Buffer.concat(this.#parts))
    this.#parts = []
    if (this.#expectsKey) {
      const name = parseLoose(text)?.value
      this.#key = typeof name === 'string' ? name : ''
      this.#expectsKey = false
      this.#index = 0
      return
    }
    const isElement = this.#root === 'array' || this.#inList
    const place = { key: this.#key, index: isElement ? this.#index++ : -1 }
    if (this.#root === 'object' && !this.#inList) this.#expectsKey = true
    yield { ...place, ...this.#valueOf(text) }
  }

  #valueOf(text: string): { readonly value: unknown; readonly problem?: string } {
    if (this.#tooLong) return { value: undefined, problem: `it is larger than ${MAX_ITEM_BYTES / 1024 / 1024} MB` }
    if (this.#deepest > MAX_DEPTH) return { value: undefined, problem: `it is nested more than ${MAX_DEPTH} levels deep` }
    const parsed = parseLoose(text)
    return parsed === undefined ? { value: undefined, problem: 'it is not valid JSON' } : { value: parsed.value }
  }
}
