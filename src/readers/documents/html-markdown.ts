import { gfm } from '@joplin/turndown-plugin-gfm'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import type { ReadPage } from './plain-html.js'

/** A shorter article is ignored, and the whole page is used. */
const MIN_ARTICLE = 200

/** The article of a page, or the whole page without one, as Markdown. */
export function htmlToMarkdown(html: string): ReadPage {
  const { document } = parseHTML(html)
  const title = document.title.trim()
  const whole = bodyOf(html)
  const article = new Readability(document).parse()
  const content = article?.content ?? ''
  const isArticle = (article?.textContent ?? '').trim().length >= MIN_ARTICLE
  const text = toMarkdown(isArticle ? content : whole)
  return { title: (article?.title ?? '').trim() || title, text }
}

/** Elements without readable text. */
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
