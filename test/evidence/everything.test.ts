import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { conversationText } from '../../src/core/evidence/capture.js'
import { readLines } from '../../src/core/evidence/chunks.js'
import type { Segment } from '../../src/core/evidence/segments.js'
import { shortenLines } from '../../src/core/files/generated-files.js'
import { maskText } from '../../src/core/secrets/mask.js'
import { ingestConversation, ingestFile, ingestWeb } from '../../src/engine/substrate/evidence/ingest.js'
import { ingestRepo } from '../../src/engine/substrate/evidence/ingest-repo.js'
import { htmlToMarkdown } from '../../src/readers/documents/html-markdown.js'
import { readPdf } from '../../src/readers/documents/pdf-pages.js'
import type { Opened } from '../opened.js'
import { makePdf } from './make-pdf.js'
import { allSegments, CALL, head, openEvidence, removeTemporaryFolders, temporaryFolder } from './workbench.js'

const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const REPO = { ...CALL, progress: () => undefined }

const PAGE_SIZE = `<html><head><title>Harbour</title></head><body><article><h1>Harbour</h1>${'<p>The harbour has a light at its mouth, and another at the end of the pier, which is green.</p>'.repeat(20)}<h2>Depth</h2><p>Six metres at low tide, says the harbour master, who measured it in spring.</p></article></body></html>`

let world: Opened
let server: Server
let url: string
beforeAll(async () => {
  world = await openEvidence({ ingestAllowPrivate: true })
  server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE_SIZE))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  url = `http://127.0.0.1:${address.port}/`
})
afterAll(async () => {
  server.close()
  await world.engine.close()
  removeTemporaryFolders()
})

/** WHOLE_REPOSITORY=1 includes tests, benches and assets, which takes three times as long. */
const PARTS = process.env.WHOLE_REPOSITORY === '1' ? ['.'] : ['src', 'docs', 'scripts', 'README.md', 'DESIGN.md', 'package.json']

/** The tracked files of this repository, in a separate folder. */
function copyOfThisRepository(): string {
  const root = join(temporaryFolder('repository'), 'mneme')
  const files = execFileSync('git', ['ls-files', '-z', '--', ...PARTS], { encoding: 'utf8' }).split('\0')
  for (const file of files.filter((path) => path !== '' && existsSync(path))) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    cpSync(file, join(root, file))
  }
  return root
}

const inLines = (text: string, { locator }: Segment): string =>
  readLines(text, {
    startLine: Number(locator.line_start),
    endLine: Number(locator.line_end),
    ...(typeof locator.char_start === 'number' ? { characters: { start: locator.char_start, end: Number(locator.char_end) } } : {}),
  })

/** The text at the locator begins with the excerpt and has the hash. */
function expectReadBack(text: string, segment: Segment): void {
  const found = inLines(text, segment)
  expect([found.slice(0, 1600), sha(found)]).toEqual([segment.excerpt, segment.hash])
}

it('this repository: every segment equals its part of the file; the second run writes nothing; only a changed file is read', async () => {
  const path = copyOfThisRepository()
  const input = { path, include: [], exclude: [], force: false }
  const first = await ingestRepo(world.engine.context(), REPO, input)
  expect(first.status).toBe('completed')
  const segments = await allSegments(world, first.source.id)
  const cited = new Set(segments.map(({ locator }) => String(locator.path)))
  for (const kept of ['src/main.ts', 'scripts/build.mjs', 'README.md', 'docs/substrate.md']) expect(cited).toContain(kept)
  expect(cited.size).toBeGreaterThan(PARTS.length === 1 ? 1000 : 500)
  expect(new Set(segments.map(({ segmentId }) => segmentId)).size).toBe(segments.length)
  for (const segment of segments) {
    const bytes = readFileSync(join(path, String(segment.locator.path)))
    // As stored: secrets are masked, and embedded data is shortened.
    const text = maskText(shortenLines(bytes.toString('utf8')), [])
    if (segment.locator.kind === 'code_file') expect([text.trim().slice(0, 1600), sha(bytes)]).toEqual([segment.excerpt, segment.hash])
    else expectReadBack(text, segment)
  }
  const before = await head(world)
  expect(await ingestRepo(world.engine.context(), REPO, input)).toMatchObject({ status: 'noop', touched: [] })
  expect(await head(world)).toBe(before)
  appendFileSync(join(path, 'src/main.ts'), '\n// one more line\n')
  const again = await ingestRepo(world.engine.context(), REPO, input)
  expect(again.status).toBe('completed')
  expect(again.touched).toEqual(expect.arrayContaining([first.source.id]))
  const revised = await world.backend.store.journal({ owner: 'default', target: first.source.id, newestFirst: true, limit: 2 })
  expect(revised.map(({ after }) => after?.files)).toEqual([0, 1])
})

it('a PDF of 120 pages, a web page and 2,000 messages: all segments exist and name their origin', async () => {
  const pdf = join(temporaryFolder('pdf'), 'book.pdf')
  await makePdf(
    pdf,
    Array.from({ length: 120 }, (_, i) => `Chapter ${i + 1}.\n\nThe light of page ${i + 1} is seen from afar.`),
  )
  const messages = Array.from({ length: 2000 }, (_, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: `Message number ${i}.` }))
  const talk = { title: 'A long talk', messages }
  const runs = () =>
    Promise.all([
      ingestFile(world.engine.context(), CALL, { path: pdf, mode: 'pdf' }),
      ingestWeb(world.engine.context(), CALL, url),
      ingestConversation(world.engine.context(), CALL, talk),
    ])
  const [book, page, statement] = await runs()
  const pages = await allSegments(world, book.source.id)
  expect(pages.map(({ locator }) => locator.page)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1))
  const web = await allSegments(world, page.source.id)
  expect(web.length).toBeGreaterThan(1)
  const texts = await readPdf(readFileSync(pdf), () => undefined)
  for (const segment of pages) expectReadBack(texts.pages[Number(segment.locator.page) - 1] ?? '', segment)
  for (const segment of web) expectReadBack(htmlToMarkdown(PAGE_SIZE).text, segment)
  const turns = await allSegments(world, statement.source.id)
  expect(turns).toHaveLength(2000)
  const text = conversationText(messages)
  for (const segment of turns) expectReadBack(text, segment)
  const before = await head(world)
  expect((await runs()).map(({ status }) => status)).toEqual(['noop', 'noop', 'noop'])
  expect(await head(world)).toBe(before)
})
