import type { Definition, FileOutline } from '../core/code-outline.js'

interface Heading {
  readonly level: number
  readonly title: string
  readonly line: number
  readonly offset: number
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Sections by heading; lines inside fenced code and front matter are no headings. */
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

/** For each heading, the index of the next one that is not below it. */
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
    const atx = ATX.exec(line)
    if (atx !== null) {
      const title = plain(atx[2] ?? '')
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

const plain = (title: string): string =>
  title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]+/g, (marks) => (marks === '_' ? '_' : ''))
    .trim()
    .slice(0, 200)
