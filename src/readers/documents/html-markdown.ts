import { gfm } from '@joplin/turndown-plugin-gfm'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'

export interface ReadPage {
  readonly title: string
  readonly text: string
}

/** Less than this much of a page is no article: then the whole of it is taken. */
const LEAST_ARTICLE = 200

/** The article of a page, or all of it where there is none, as Markdown. */
export function htmlToMarkdown(html: string): ReadPage {
  const { document } = parseHTML(html)
  const title = document.title.trim()
  const whole = bodyOf(html)
  const article = new Readability(document).parse()
  const content = article?.content ?? ''
  const isArticle = (article?.textContent ?? '').trim().length >= LEAST_ARTICLE
  const text = toMarkdown(isArticle ? content : whole)
  return { title: (article?.title ?? '').trim() || title, text }
}

/** What is no text for people. */
const LEFT_OUT = 'script, style, noscript, template, svg, iframe, object, embed, nav, form'

function bodyOf(html: string): string {
  const { document } = parseHTML(html)
  for (const element of document.querySelectorAll(LEFT_OUT)) element.remove()
  return document.body.innerHTML === '' ? document.toString() : document.body.innerHTML
}

function toMarkdown(html: string): string {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  service.use(gfm)
  service.remove(['script', 'style'])
  return service.turndown(html)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'svg'])
const BREAKS = new Set(
  'address article aside blockquote br dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td th tr ul'.split(
    ' ',
  ),
)

/** The words of a page, in one pass over it, whatever its tags do. */
export function plainHtml(html: string): ReadPage {
  const parts: string[] = []
  let title = ''
  let hidden = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const end = open < 0 ? html.length : open
    if (hidden === '' && end > at) parts.push(html.slice(at, end))
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
    else if (hidden === '' && slash === '' && HIDDEN.has(tag) && html[close - 1] !== '/') hidden = tag
    else if (BREAKS.has(tag)) parts.push('\n')
    at = close + (comment ? 3 : 1)
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
