// Classes of UTF-16 units below 128.
const SEPARATOR = 0
const SYMBOL = 1
const LOWER = 2
const UPPER = 3
const DIGIT = 4

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32 || code === 127) return SEPARATOR
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  return code >= 48 && code <= 57 ? DIGIT : SYMBOL
})

const MAX_WORD_CHARS = 100
const MAX_CACHED_WORDS = 100_000

const CAMEL_BOUNDARY = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g
const ACCENT = /\p{Mn}/gu
const CONTROL = /[\p{Cc}\p{Cf}\ufffd]/gu
const SPACE = /\s/
// A symbol or ideograph is a word; everything else up to white space is one word.
const GENERAL_WORD = /[\p{P}$+<=>^`|~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\p{P}$+<=>^`|~\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/gu

interface StaticTokeniser {
  /** Writes the ids of the first tokens to `into` and returns their number. */
  fill(text: string, into: Int32Array): number
}

/** WordPiece over lower-cased words, with identifiers split at capitals. */
export function createStaticTokeniser(vocabulary: ReadonlyMap<string, number>, unknown: number): StaticTokeniser {
  const known = new Map<string, readonly number[]>()

  const split = (word: string): readonly number[] => {
    if (word.length > MAX_WORD_CHARS) return [unknown]
    const pieces: number[] = []
    for (let start = 0; start < word.length; ) {
      let end = word.length
      let id: number | undefined
      for (; end > start; end--) {
        id = vocabulary.get(start === 0 ? word.slice(0, end) : `##${word.slice(start, end)}`)
        if (id !== undefined) break
      }
      if (id === undefined) return [unknown]
      pieces.push(id)
      start = end
    }
    return pieces
  }

  const piecesOf = (word: string): readonly number[] => {
    const cached = known.get(word)
    if (cached !== undefined) return cached
    const pieces = split(word)
    if (known.size >= MAX_CACHED_WORDS) known.clear()
    known.set(word, pieces)
    return pieces
  }

  const put = (word: string, into: Int32Array, count: number): number => {
    let filled = count
    for (const piece of piecesOf(word)) {
      if (filled >= into.length) break
      into[filled++] = piece
    }
    return filled
  }

  const fillGeneral = (text: string, into: Int32Array, count: number): number => {
    // One unit more than a token can cover would suffice; the margin is for accents and white space.
    const plain = text
      .slice(0, (into.length - count) * (MAX_WORD_CHARS + 1))
      .replace(CAMEL_BOUNDARY, ' ')
      .toLowerCase()
      .normalize('NFD')
      .replace(ACCENT, '')
      .replace(CONTROL, (unit) => (SPACE.test(unit) ? ' ' : ''))
    let filled = count
    for (const [word] of plain.matchAll(GENERAL_WORD)) {
      if (filled >= into.length) break
      filled = put(word, into, filled)
    }
    return filled
  }

  return {
    fill(text, into) {
      let count = 0
      let start = -1
      let previous = SEPARATOR
      for (let offset = 0; offset < text.length; offset++) {
        if (count >= into.length) return count
        const code = text.charCodeAt(offset)
        // From the first character outside ASCII, the rest uses the slower general path, starting at the word.
        if (code > 127) return fillGeneral(text.slice(start >= 0 ? start : offset), into, count)
        const kind = KINDS[code] ?? SEPARATOR
        const ends = kind <= SYMBOL || (kind === UPPER && start >= 0 && isCamelBoundary(text, offset, previous))
        if (ends && start >= 0) {
          count = put(text.slice(start, offset).toLowerCase(), into, count)
          start = -1
        }
        if (kind === SYMBOL) count = put(text.charAt(offset), into, count)
        else if (kind !== SEPARATOR && start < 0) start = offset
        previous = kind
      }
      return start >= 0 ? put(text.slice(start).toLowerCase(), into, count) : count
    },
  }
}

/** True if a capital starts a word, as in `fileName`, `utf8Text` or before the last capital of `HTTPServer`. */
function isCamelBoundary(text: string, offset: number, previous: number): boolean {
  if (previous !== UPPER) return true
  return KINDS[text.charCodeAt(offset + 1)] === LOWER
}
