import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, afterEach, expect, it } from 'vitest'
import { ingestFile } from '../../src/engine/substrate/evidence/ingest.js'
import { createSystemClock } from '../../src/open/system-clock.js'
import { createDocumentReader } from '../../src/readers/documents/document-reader.js'
import { createDocumentThreads } from '../../src/readers/documents/document-thread.js'
import { inflatesBeyond } from '../../src/readers/documents/pdf-inflated-size.js'
import type { Opened } from '../opened.js'
import { makePdf } from './make-pdf.js'
import { allSegments, CALL, head, openEvidence, removeTemporaryFolders, temporaryFolder } from './workbench.js'

const WORKER = new URL('../../dist/readers/documents/document-worker.js', import.meta.url)

let world: Opened | undefined
afterEach(async () => {
  await world?.engine.close()
  world = undefined
})
afterAll(removeTemporaryFolders)

const file = (name: string): string => join(temporaryFolder('pdf'), name)
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

it('a PDF of 120 pages is captured page by page', async () => {
  world = await openEvidence()
  const path = file('book.pdf')
  await makePdf(
    path,
    Array.from({ length: 120 }, (_, i) => `Page ${i + 1} of the book.\n\nIt tells of lighthouse number ${i + 1}.`),
    { info: { Title: 'The Book' } },
  )
  const captured = await ingestFile(world.engine.context(), CALL, { path, mode: 'pdf' })
  expect(captured).toMatchObject({ status: 'completed', segmentCount: 120, warnings: [], source: { kind: 'pdf', title: 'The Book' } })
  const segments = await allSegments(world, captured.source.id)
  for (const [index, { segmentId, locator, excerpt, hash }] of segments.entries()) {
    expect([segmentId, locator.page, locator.chunk_kind]).toEqual([`${index + 1}-page-${index + 1}`, index + 1, 'page'])
    expect(excerpt).toContain(`Page ${index + 1} of the book.`)
    expect(sha(excerpt)).toBe(hash)
  }
  const before = await head(world)
  expect(await ingestFile(world.engine.context(), CALL, { path, mode: 'pdf' })).toMatchObject({ status: 'noop' })
  expect(await head(world)).toBe(before)
})

it('an encrypted, a broken and a scanned one become stubs with the reason', async () => {
  world = await openEvidence()
  const [locked, scanned, broken, text] = [file('locked.pdf'), file('scanned.pdf'), file('broken.pdf'), file('text.pdf')]
  await makePdf(locked, ['secret'], { userPassword: 'x', ownerPassword: 'y' })
  await makePdf(scanned, ['', ''])
  writeFileSync(broken, `%PDF-1.7\n${'garbage '.repeat(100)}`)
  writeFileSync(text, 'no PDF at all')
  const reasons: [string, string][] = [
    [locked, 'the PDF is encrypted'],
    [scanned, 'the PDF has no text; its pages are pictures'],
    [broken, 'the PDF cannot be read'],
    [text, 'the PDF cannot be read'],
  ]
  for (const [path, reason] of reasons) {
    const { source, warnings, segmentCount } = await ingestFile(world.engine.context(), CALL, { path, mode: 'pdf' })
    expect(segmentCount).toBe(0)
    expect(warnings).toEqual([expect.stringContaining(reason)])
    expect(source.metadata).toMatchObject({
      payload: { stub: expect.stringContaining(reason), sha256: source.fingerprint, byte_count: expect.any(Number) },
      adapter: { declared_transformations: ['binary_stub'] },
    })
    expect(await ingestFile(world.engine.context(), CALL, { path, mode: 'pdf' })).toMatchObject({ status: 'noop' })
  }
  // The same bytes, read as something else, say something else.
  expect(await ingestFile(world.engine.context(), CALL, { path: text, mode: 'file' })).toMatchObject({
    status: 'completed',
    segmentCount: 1,
  })
})

it('is read in a thread of its own, and abandoned when a page takes too long', async () => {
  const path = file('book.pdf')
  await makePdf(path, ['One page.'])
  const reader = (limitMs: number) =>
    createDocumentReader({
      clock: createSystemClock(),
      roots: [],
      needsRoots: false,
      allowPrivate: false,
      threads: createDocumentThreads({ limitMs, workerUrl: WORKER }),
    })
  const options = { maskSecrets: true, signal: new AbortController().signal }
  const patient = reader(60_000)
  // The same thread processes several documents.
  for (let i = 0; i < 3; i++)
    expect(await patient.file(path, 'pdf', options)).toMatchObject({ stub: null, chunks: [{ text: 'One page.' }] })
  await patient.close()
  expect(await reader(1).file(path, 'pdf', options)).toMatchObject({ stub: expect.stringContaining('longer than'), chunks: [] })
})

/** A PDF whose one page is a stream that inflates to `size` bytes, compressed `layers` times. */
function bomb(path: string, bytes: number, layers = 1, filters = '/FlateDecode '.repeat(layers)): void {
  let stream = deflateSync(Buffer.alloc(bytes, ' '))
  for (let layer = 1; layer < layers; layer++) stream = deflateSync(stream)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
  ]
  const head = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  const begin = `4 0 obj\n<< /Length ${stream.length} /Filter [${filters}] >>\nstream\n`
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from(`%PDF-1.7\n${head}${begin}`),
      stream,
      Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 5 >>\n'),
    ]),
  )
}

it.each([
  ['once', 1],
  ['twice', 2],
])('repair 28: a small PDF that inflates to hundreds of megabytes, compressed %s, is captured without its text', async (_, layers) => {
  world = await openEvidence()
  const path = file('bomb.pdf')
  bomb(path, 260 * 1024 * 1024, layers)
  expect(statSync(path).size).toBeLessThan(400_000)
  const captured = await ingestFile(world.engine.context(), CALL, { path, mode: 'pdf' })
  expect(captured.warnings).toEqual([expect.stringContaining('its streams hold more than 64 MB')])
})

it('the size of streams is counted by their filters', async () => {
  const read = (path: string) => inflatesBeyond(readFileSync(path))
  const [large, small, lzw] = [file('large.pdf'), file('small.pdf'), file('lzw.pdf')]
  bomb(large, 65 * 1024 * 1024)
  bomb(small, 60 * 1024 * 1024)
  bomb(lzw, 50 * 1024 * 1024, 1, '/LZWDecode')
  expect([await read(large), await read(small), await read(lzw)]).toEqual([true, false, true])
})

it('one document of a caller is read at a time', async () => {
  world = await openEvidence()
  const paths = ['a', 'b', 'c', 'd'].map((name) => file(`${name}.pdf`))
  for (const path of paths) await makePdf(path, [`The page of ${path}`])
  const { documents } = world.environment
  const read = documents.file
  let [running, most] = [0, 0]
  const counted: typeof read = async (...given) => {
    most = Math.max(most, ++running)
    return read(...given).finally(() => running--)
  }
  Object.assign(documents, { file: counted })
  const { engine } = world
  await Promise.all(paths.map((path) => ingestFile(engine.context(), CALL, { path, mode: 'pdf' })))
  expect(most).toBe(1)
})
