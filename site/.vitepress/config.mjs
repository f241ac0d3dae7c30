import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { SECTIONS } from '../pages.mjs'

/** Where scripts/site.mjs gathers the documents. */
const pages = join(dirname(dirname(fileURLToPath(import.meta.url))), '.pages')

const staged = (path) => path.replace(/README\.md$/, 'index.md')
const textOf = (path) => readFileSync(join(pages, path), 'utf8')
const titleOf = (path) => /^# (.+)$/m.exec(textOf(staged(path)))?.[1] ?? path
const linkOf = (path) => `/${path.replace(/README\.md$/, '').replace(/\.md$/, '')}`

const sidebar = SECTIONS.map(([text, paths]) => ({
  text,
  items: paths.filter((path) => existsSync(join(pages, staged(path)))).map((path) => ({ text: titleOf(path), link: linkOf(path) })),
}))

/** The first words of a page, for search engines. */
const beginningOf = (text) =>
  text
    .replace(/^#.*$/m, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 155)

/** A header cell without words is no header to a screen reader. */
function withoutEmptyHeaders(markdown) {
  markdown.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue
      token.tag = 'td'
      tokens[index + 2].tag = 'td'
    }
  })
}

export default defineConfig({
  title: 'mneme',
  description: 'Memory for AI agents in one file: typed clients, four contracts, no key and no cloud service',
  lang: 'en',
  srcDir: '.pages',
  outDir: './dist',
  cacheDir: './.cache',
  cleanUrls: true,
  lastUpdated: false,
  // Written by the benchmarks, and absent before they have run.
  ignoreDeadLinks: [/bench\/REPORT/],
  // Text of the documents is text: nothing in it is a template.
  markdown: {
    html: false,
    attrs: { disable: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: withoutEmptyHeaders,
  },
  transformPageData(page) {
    page.description = beginningOf(textOf(page.filePath)) || page.title
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'Clients', link: '/docs/clients' },
      { text: 'Programs', link: '/docs/client' },
      { text: 'Reference', link: '/docs/reference' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})
