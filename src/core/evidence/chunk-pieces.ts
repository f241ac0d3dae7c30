/** As published in the payload of a source. */
export const CHUNKING = { strategy: 'document_chunker.v1', max_chars: 1600, overlap_lines: 2 } as const

/** Fences up to this size are not split. A limit, because one that is never closed would make one chunk of a book. */
const MAX_CHARS = 8 * CHUNKING.max_chars
/** Lines longer than this are split. */
const LONG_LINE = 4 * CHUNKING.max_chars

/** Lines inside a fence, by index. */
export interface Fences {
  has(line: number): boolean
}

/** Lines of a chunk by index, the end exclusive, with their text. */
export interface LineSpan {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly characters?: { readonly start: number; readonly end: number }
}

interface Range {
  readonly start: number
  readonly end: number
}

export const pieceOfLine = (line: string, { start, end }: Range): string => line.slice(start, end).trim()

/** Splits lines into pieces of bounded size, each beginning with the last lines of the one before. */
export function piecesOf(lines: readonly string[], { start, end }: Range, fences: Fences): readonly LineSpan[] {
  const pieces: LineSpan[] = []
  let from = start
  while (from < end) {
    if ((lines[from]?.length ?? 0) > LONG_LINE) {
      pieces.push(...piecesOfLine(lines[from] ?? '', from))
      from++
      continue
    }
    const to = cutAfter(lines, { start: from, end }, fences)
    const piece = spanOf(lines, from, to)
    if (piece !== undefined) pieces.push(piece)
    if (to >= end) break
    const nextIsLong = (lines[to]?.length ?? 0) > LONG_LINE
    from = nextIsLong ? to : Math.max(from + 1, overlapFrom(lines, to))
  }
  return pieces
}

/** The index after the last line of the piece that starts there. */
function cutAfter(lines: readonly string[], { start, end }: Range, fences: Fences): number {
  let chars = 0
  for (let index = start; index < end; index++) {
    const length = lines[index]?.length ?? 0
    if (index > start && length > LONG_LINE) return index
    chars += length + 1
    const within = fences.has(index) && fences.has(index + 1)
    if (chars >= MAX_CHARS || (chars >= CHUNKING.max_chars && !within)) return index + 1
  }
  return end
}

/** Where the overlap begins. Long lines are not repeated. */
function overlapFrom(lines: readonly string[], to: number): number {
  let from = to
  let chars = 0
  for (let back = 0; back < CHUNKING.overlap_lines; back++) {
    chars += lines[from - 1]?.length ?? 0
    if (chars > CHUNKING.max_chars / 4) break
    from--
  }
  return from
}

function spanOf(lines: readonly string[], from: number, to: number): LineSpan | undefined {
  let start = from
  let end = to
  while (start < end && lines[start]?.trim() === '') start++
  while (end > start && lines[end - 1]?.trim() === '') end--
  return start === end ? undefined : { start, end, text: lines.slice(start, end).join('\n').trim() }
}

function piecesOfLine(line: string, index: number): readonly LineSpan[] {
  const pieces: LineSpan[] = []
  for (let start = 0; start < line.length; ) {
    const characters = { start, end: Math.min(line.length, pairEnd(line, start + CHUNKING.max_chars)) }
    const text = pieceOfLine(line, characters)
    if (text !== '') pieces.push({ start: index, end: index + 1, text, characters })
    start = characters.end
  }
  return pieces
}

/** Does not split a surrogate pair. */
const pairEnd = (line: string, index: number): number => (/[\uDC00-\uDFFF]/.test(line[index] ?? '') ? index + 1 : index)
