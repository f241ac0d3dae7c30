export interface ReadPage {
  readonly title: string
  readonly text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const HIDDEN_TAGS = new Set(['script', 'style', 'noscript', 'template', 'svg'])
const LINE_BREAK_TAGS = new Set(
  'address article aside blockquote br dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td th tr ul'.split(
    ' ',
  ),
)

/** The words of a page, in one pass, whatever its tags. */
export function plainHtml(html: string): ReadPage {
  const parts: string[] = []
  let title = ''
  let hidden = ''
  let offset = 0
  while (offset < html.length) {
    const open = html.indexOf('<', offset)
    const end = open < 0 ? html.length : open
    if (hidden === '' && end > offset) parts.push(html.slice(offset, end))
    if (open < 0) break
    const comment = html.startsWith('<!--', open)
    const close = comment ? html.indexOf('-->', open + 4) : html.indexOf('>', open)
    if (close < 0) break
    const [, slash = '', name = ''] = comment ? [] : (/^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open, open + 40)) ?? [])
    const tag = name.toLowerCase()
    if (tag === 'title' && slash === '' && title === '') {
      const last = html.indexOf('<', close)
      title = decodeEntities(html.slice(close + 1, last < 0 ? close + 1 : last)).trim()
    }
    if (hidden !== '' && slash !== '' && tag === hidden) hidden = ''
    else if (hidden === '' && slash === '' && HIDDEN_TAGS.has(tag) && html[close - 1] !== '/') hidden = tag
    else if (LINE_BREAK_TAGS.has(tag)) parts.push('\n')
    offset = close + (comment ? 3 : 1)
  }
  return {
    title,
    text: decodeEntities(parts.join(''))
      .replace(/[ \t]+/g, ' ')
      .replace(/\n[ \n]*\n/g, '\n\n'),
  }
}

const decodeEntities = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
