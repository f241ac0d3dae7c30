import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { llmsFull, llmsList } from '../../scripts/llms.mjs'
import { SECTIONS } from '../../site/pages.mjs'
import { anchorsOf, pagePaths, read } from './documents.js'

const LINK = /!?\[[^\]\n]*\]\(([^)\s]+)\)/g
/** Written by the benchmarks. */
const LATER = new Set(['bench/REPORT.md'])

describe('the documents', () => {
  it('link to existing files and headings', () => {
    const dead: string[] = []
    for (const page of pagePaths()) {
      const prose = read(page).replace(/^```[\s\S]*?^```$/gm, '')
      for (const [, href = ''] of prose.matchAll(LINK)) {
        if (/^[a-z]+:/i.test(href)) continue
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path))
        if (LATER.has(target)) continue
        if (!existsSync(target)) dead.push(`${page}: ${href}`)
        else if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)) dead.push(`${page}: ${href}`)
      }
    }
    expect(dead).toEqual([])
  })

  it('stay within the lengths that a reader has time for', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(120)
    for (const [page, most] of [
      ['DESIGN.md', 2500],
      ['docs/recall.md', 1500],
    ] as const)
      expect(read(page).split(/\s+/u).length, page).toBeLessThanOrEqual(most)
    const { scripts }: { scripts: object } = JSON.parse(read('package.json'))
    expect(Object.keys(scripts).length).toBeLessThan(15)
  })

  it('have one title each, and alternative texts for their images', () => {
    for (const page of pagePaths().filter((path) => path.startsWith('docs/') || path === 'README.md')) {
      const prose = read(page).replace(/^```[\s\S]*?^```$/gm, '')
      expect(prose.match(/^# /gm), page).toHaveLength(1)
      for (const [image] of prose.matchAll(/!\[[^\]]*\]/g)) expect(image.length, `${page}: ${image}`).toBeGreaterThan(6)
    }
  })

  it('are all in the navigation of the site, decisions aside, and in the texts for language models', () => {
    const named = new Set(SECTIONS.flatMap(([, pages]) => [...pages]))
    const missing = pagePaths().filter((path) => /^docs\/[^/]+\.md$/.test(path) && !named.has(path))
    expect(missing).toEqual([])
    expect(llmsList('.')).toContain('- [Start in a minute](/docs/start): mneme needs Node')
    const whole = llmsFull('.')
    for (const page of named) if (existsSync(join('.', page))) expect(whole).toContain(`<!-- ${page} -->`)
  })
})

describe('troubleshooting', () => {
  it('quotes errors that the program can give', () => {
    const sources = walkSources()
    const quoted = [...read('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = '']) => text)
    expect(quoted.length).toBeGreaterThan(20)
    const unknown = quoted.filter((text) => text !== 'ECONNREFUSED' && !sources.some((source) => source.includes(text)))
    expect(unknown).toEqual([])
  })
})

const walkSources = (): readonly string[] => ['src', 'scripts'].flatMap(filesIn).map(read)

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => join(folder, path))
