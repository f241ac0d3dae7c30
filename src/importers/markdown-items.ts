/** A list item, paragraph or table of a Markdown text, with the headings it is under. */
interface MarkdownItem {
  readonly text: string
  readonly headings: readonly string[]
  readonly line: number
  readonly isListItem: boolean
}

const MIN_CHARS = 3
const HEADING = /^(#{1,6})[ \t]+(.*?)[ \t]*#*$/
const LIST_ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const FENCE = /^[ \t]*(```|~~~)/

/** Cuts a Markdown text into what can be remembered one by one. Nested items belong to the item above them. */
export function markdownItems(text: string, offset = 0): readonly MarkdownItem[] {
  const items: MarkdownItem[] = []
  const headings: string[] = []
  let open: { lines: string[]; line: number; isListItem: boolean; indent: number } | undefined
  let fence: string | undefined
  let blank = false
  const close = (): void => {
    const said = open?.lines.join('\n').trim() ?? ''
    if (open !== undefined && said.length >= MIN_CHARS)
      items.push({ text: said, headings: headings.filter((heading) => heading !== ''), line: open.line, isListItem: open.isListItem })
    open = undefined
  }
  withoutComments(text)
    .split('\n')
    .forEach((raw, index) => {
      const number = index + 1 + offset
      const mark = FENCE.exec(raw)?.[1]
      if (fence !== undefined || mark !== undefined) {
        if (fence === undefined) fence = mark
        else if (mark === fence) fence = undefined
        open ??= { lines: [], line: number, isListItem: false, indent: 0 }
        open.lines.push(raw)
        blank = false
        return
      }
      if (raw.trim() === '') {
        blank = true
        if (open?.isListItem === false) close()
        return
      }
      const heading = HEADING.exec(raw)
      if (heading !== null) {
        close()
        const depth = heading[1]?.length ?? 1
        headings.length = Math.min(headings.length, depth - 1)
        while (headings.length < depth - 1) headings.push('')
        headings.push(plainHeading(heading[2] ?? ''))
        blank = false
        return
      }
      if (/^[ \t]*(?:---+|\*\*\*+|___+)[ \t]*$/.test(raw)) {
        close()
        return
      }
      const item = LIST_ITEM.exec(raw)
      const indent = item?.[1]?.replaceAll('\t', '    ').length ?? 0
      if (item !== null && (open === undefined || !open.isListItem || indent <= open.indent)) {
        close()
        open = { lines: [item[2] ?? ''], line: number, isListItem: true, indent }
      } else if (open?.isListItem === true && (item !== null || /^[ \t]/.test(raw) || !blank)) open.lines.push(raw.trimEnd())
      else {
        if (open?.isListItem === true) close()
        open ??= { lines: [], line: number, isListItem: false, indent: 0 }
        open.lines.push(raw.trimEnd())
      }
      blank = false
    })
  close()
  return items
}

const plainHeading = (text: string): string => text.replaceAll(/[*_`]/g, '').trim()

/** Lines stay where they are, so that line numbers are right. */
function withoutComments(text: string): string {
  let kept = ''
  let at = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    kept += text.slice(at, start) + text.slice(start, end + 3).replaceAll(/[^\n]/g, '')
    at = end + 3
  }
  return kept + text.slice(at)
}
