// The documents as plain text for language models: a list of the pages, and all of them in one file.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECTIONS } from '../site/pages.mjs'

const read = (root, path) => readFileSync(join(root, path), 'utf8')
const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1] ?? ''

/** The first paragraph after the title, without markup. */
const summaryOf = (text) =>
  text
    .replace(/^# .+$/m, '')
    .trim()
    .split('\n\n')[0]
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .slice(0, 200)

const pagesOf = (root) =>
  SECTIONS.map(([section, paths]) => [
    section,
    paths.filter((path) => existsSync(join(root, path))).map((path) => ({ path, text: read(root, path) })),
  ])

export function llmsList(root) {
  const lines = [
    '# mneme',
    '',
    '> Memory for AI agents in one file or on PostgreSQL, over MCP, HTTP, the command line and typed clients.',
    '',
  ]
  for (const [section, pages] of pagesOf(root)) {
    lines.push(`## ${section}`, '')
    for (const { path, text } of pages)
      lines.push(`- [${titleOf(text)}](/${path.replace(/README\.md$/, '').replace(/\.md$/, '')}): ${summaryOf(text)}`)
    lines.push('')
  }
  return lines.join('\n')
}

export const llmsFull = (root) =>
  pagesOf(root)
    .flatMap(([, pages]) => pages.map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}\n`))
    .join('\n')
