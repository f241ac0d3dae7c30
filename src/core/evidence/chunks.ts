import { type Fences, type LineSpan, pieceOfLine, piecesOf } from './chunk-pieces.js'
import { slugify } from './object-id.js'

export { CHUNKING } from './chunk-pieces.js'
export const EXCERPT_CHARS = 1600

export type ChunkKind = 'frontmatter' | 'preamble' | 'section' | 'paragraph' | 'page' | 'message'

/** A bounded piece of a document. Lines are 1-based and inclusive; the text has no white space at its ends. */
export interface DocumentChunk {
  readonly kind: ChunkKind
  /** The title of its section. */
  readonly title: string
  readonly level: number
  /** Titles of the enclosing sections and its own; empty outside of sections. */
  readonly headingPath: readonly string[]
  readonly startLine: number
  readonly endLine: number
  /** Its range within the line, for a piece of a very long line. */
  readonly characters?: { readonly start: number; readonly end: number }
  readonly text: string
}

export const segmentId = (index: number, title: string): string => slugify(`${index}-${title}`)

/** Front matter must end within this many lines. */
const FRONTMATTER_LINES = 200

interface Section {
  readonly kind: ChunkKind
  readonly title: string
  readonly level: number
  readonly headingPath: readonly string[]
  /** Line indexes, the end exclusive. */
  readonly start: number
  end: number
}

export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/)

/** Front matter, the text before the first heading, and each heading with its section. */
export function chunkMarkdown(text: string): readonly DocumentChunk[] {
  const lines = linesOf(text)
  const fences = fencedLines(lines)
  return sectionsOf(lines, fences).flatMap((section) => chunksOf(section, piecesOf(lines, section, fences)))
}

/** Splits at blank lines. */
export function chunkPlainText(
  text: string,
  as: { readonly kind: ChunkKind; readonly title: string } = { kind: 'paragraph', title: 'paragraph' },
): readonly DocumentChunk[] {
  const lines = linesOf(text)
  const chunks: DocumentChunk[] = []
  for (let index = 0; index < lines.length; ) {
    if (isBlank(lines[index])) {
      index++
      continue
    }
    let end = index + 1
    while (end < lines.length && !isBlank(lines[end])) end++
    const section: Section = { ...as, level: 0, headingPath: [], start: index, end }
    chunks.push(...chunksOf(section, piecesOf(lines, section, NO_FENCES)))
    index = end
  }
  return chunks
}

/** A page, split only if it is too long. */
export function chunkPage(text: string, page: number): readonly DocumentChunk[] {
  const lines = linesOf(text)
  const section: Section = { kind: 'page', title: `page-${page}`, level: 0, headingPath: [], start: 0, end: lines.length }
  return chunksOf(section, piecesOf(lines, section, NO_FENCES))
}

const NO_FENCES: Fences = { has: () => false }

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

const chunksOf = ({ kind, title, level, headingPath }: Section, pieces: readonly LineSpan[]): readonly DocumentChunk[] =>
  pieces.map(({ start, end, text, characters }) => ({
    ...{ kind, title, level, headingPath, text },
    startLine: start + 1,
    endLine: end,
    ...(characters === undefined ? {} : { characters }),
  }))

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/

/** Lines of each fence. A fence that is never closed extends to the end. */
function fencedLines(lines: readonly string[]): Fences {
  const fenced = new Uint8Array(lines.length)
  let open: string | undefined
  lines.forEach((line, index) => {
    const [, mark = '', rest = ''] = line.length > 1000 ? [] : (FENCE.exec(line) ?? [])
    if (open === undefined) {
      // Backquotes later in the line make it an inline code span.
      if (mark === '' || (mark.startsWith('`') && rest.includes('`'))) return
      open = mark
      fenced[index] = 1
      return
    }
    fenced[index] = 1
    if (mark.startsWith(open) && rest.trim() === '') open = undefined
  })
  return { has: (index) => fenced[index] === 1 }
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/

function headingAt(line: string): { readonly level: number; readonly title: string } | undefined {
  if (!/^ {0,3}#/.test(line)) return undefined
  const [, marks = '', rest = ''] = HEADING.exec(line.slice(0, 2000)) ?? []
  if (marks === '') return undefined
  const title = withoutClosing(rest.trim())
  return { level: marks.length, title: title === '' ? 'Untitled' : title }
}

/** Removes closing marks: `## Title ##` is titled Title. */
function withoutClosing(title: string): string {
  let end = title.length
  while (title[end - 1] === '#') end--
  return end === 0 ? '' : end < title.length && /\s/.test(title[end - 1] ?? '') ? title.slice(0, end).trim() : title
}

function sectionsOf(lines: readonly string[], fences: Fences): readonly Section[] {
  const sections: Section[] = []
  const above: { readonly level: number; readonly title: string }[] = []
  const body = frontmatterEnd(lines)
  if (body > 0) sections.push({ kind: 'frontmatter', title: 'frontmatter', level: 0, headingPath: [], start: 0, end: body })
  let open: Section = { kind: 'preamble', title: 'preamble', level: 0, headingPath: [], start: body, end: lines.length }
  let headings = 0
  for (let index = body; index < lines.length; index++) {
    const heading = fences.has(index) ? undefined : headingAt(lines[index] ?? '')
    if (heading === undefined) continue
    headings++
    open.end = index
    sections.push(open)
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop()
    above.push(heading)
    open = { kind: 'section', ...heading, headingPath: above.map(({ title }) => title), start: index, end: lines.length }
  }
  sections.push(headings === 0 ? { ...open, kind: 'section', title: 'Document', headingPath: [] } : open)
  return sections
}

/** The index of the first line after the block; 0 without one. */
function frontmatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0
  for (let index = 1; index < Math.min(lines.length, FRONTMATTER_LINES); index++) {
    const line = lines[index]?.trimEnd()
    if (line === '---' || line === '...') return index + 1
  }
  return 0
}

/** Reads the lines of a locator from the text. */
export function readLines(
  text: string,
  { startLine, endLine, characters }: Pick<DocumentChunk, 'startLine' | 'endLine' | 'characters'>,
): string {
  const lines = linesOf(text).slice(startLine - 1, endLine)
  return characters === undefined ? lines.join('\n').trim() : pieceOfLine(lines[0] ?? '', characters)
}
