import type { Definition, FileOutline } from '../core/code/chunks/outline.js'

interface Heading {
  readonly level: number
  readonly title: string
  readonly line: number
  readonly offset: number
}

/** The opening only: a pattern that includes closing signs would try each space before them. */
const ATX_HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Sections by heading; lines inside fences and front matter are not headings. */
export function outlineMarkdown(text: string): FileOutline {
  const lines = text.split('\n')
  const lineCount = text.endsWith('\n') ? lines.length - 1 : lines.length
  const headings = headingsOf(lines)
  const ends = sectionEnds(headings)
  const definitions: Definition[] = []
  const open: { readonly index: number; readonly level: number }[] = []
  headings.forEach((heading, order) => {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
    const next = headings[ends[order] ?? headings.length]
    const parent = open.at(-1)?.index ?? -1
    definitions.push({
      name: heading.title,
      kind: 'other',
      scope: open.flatMap(({ index }) => definitions[index]?.name ?? []),
      parent,
      signature: `${'#'.repeat(heading.level)} ${heading.title}`,
      doc: '',
      start: heading.offset,
      end: next?.offset ?? text.length,
      startLine: heading.line,
      endLine: next === undefined ? lineCount : next.line - 1,
    })
    open.push({ index: definitions.length - 1, level: heading.level })
  })
  return { parsed: true, definitions, references: [] }
}

/** The index of the next heading at the same or a higher level. */
function sectionEnds(headings: readonly Heading[]): readonly number[] {
  const ends = headings.map(() => headings.length)
  const open: number[] = []
  headings.forEach((heading, index) => {
    for (let last = open.at(-1); last !== undefined && (headings[last]?.level ?? 0) >= heading.level; last = open.at(-1)) {
      ends[last] = index
      open.pop()
    }
    open.push(index)
  })
  return ends
}

function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = []
  let fence: string | null = null
  let frontMatter = lines[0]?.trimEnd() === '---'
  let offset = 0
  let previous = ''
  lines.forEach((raw, index) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const at = offset
    offset += raw.length + 1
    const above = previous
    previous = ''
    if (frontMatter) {
      if (index > 0 && line.trimEnd() === '---') frontMatter = false
      return
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null
      return
    }
    if (mark !== undefined) {
      fence = mark
      return
    }
    const atx = ATX_HEADING.exec(line)
    if (atx !== null) {
      const title = plain(withoutClosing(line.slice(atx[0].length)))
      if (title !== '') headings.push({ level: atx[1]?.length ?? 1, title, line: index + 1, offset: at })
      return
    }
    if (above !== '' && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) {
      const start = at - (lines[index - 1]?.length ?? 0) - 1
      headings.push({ level: line.includes('=') ? 1 : 2, title: plain(above), line: index, offset: start })
      return
    }
    // Only a paragraph line can be underlined: lists, quotes, tables and indented code cannot.
    previous = /^ {0,3}(?![\s>*+|-])(?!\d+[.)])\S/.test(line) ? line : ''
  })
  return headings
}

/** Removes closing signs after a space. */
function withoutClosing(content: string): string {
  const title = content.trimEnd()
  let end = title.length
  while (title[end - 1] === '#') end--
  return end === 0 || title[end - 1] === ' ' || title[end - 1] === '\t' ? title.slice(0, end) : title
}

const MAX_TITLE_CHARS = 200
/** Includes marks and link targets. */
const MAX_HEADING_CHARS = 2_000

const plain = (title: string): string =>
  withoutLinks(title.trim().slice(0, MAX_HEADING_CHARS))
    .replace(/[*_`]+/g, (marks) => (marks === '_' ? '_' : ''))
    .trim()
    .slice(0, MAX_TITLE_CHARS)

/** Replaces links and images by their text, in one pass: unclosed brackets must not be searched repeatedly. */
function withoutLinks(title: string): string {
  const parts: string[] = []
  let kept = 0
  let close = -1
  let end = -1
  for (let open = title.indexOf('['); open >= 0; open = title.indexOf('[', open + 1)) {
    if (close < open) close = title.indexOf(']', open)
    if (close < 0) break
    if (title[close + 1] !== '(') continue
    if (end < close) end = title.indexOf(')', close)
    if (end < 0) break
    parts.push(title.slice(kept, title[open - 1] === '!' && open > kept ? open - 1 : open), title.slice(open + 1, close))
    kept = end + 1
    open = end
  }
  return kept === 0 ? title : [...parts, title.slice(kept)].join('')
}
