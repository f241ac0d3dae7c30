import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ingestWeb } from '../../src/engine/substrate/evidence/ingest.js'
import { createSystemClock } from '../../src/open/system-clock.js'
import { isPrivateAddress } from '../../src/readers/documents/address-guard.js'
import { createDocumentReader } from '../../src/readers/documents/document-reader.js'
import { createDocumentThreads } from '../../src/readers/documents/document-thread.js'
import { plainHtml } from '../../src/readers/documents/plain-html.js'
import type { Opened } from '../opened.js'
import { allSegments, CALL, head, openEvidence, removeTemporaryFolders } from './workbench.js'

const WORKER = new URL('../../dist/readers/documents/document-worker.js', import.meta.url)

const ARTICLE = `<!doctype html><html><head><title>On Lighthouses</title><script>var secret = 1</script></head><body>
<nav><a href="/x">Menu</a></nav><main><article><h1>On Lighthouses</h1>
${'<p>A lighthouse is a tower that guides ships with its light, and keepers once lived in it all year round.</p>'.repeat(8)}
<h2>Figures</h2><table><thead><tr><th>Name</th><th>Height</th></tr></thead><tbody><tr><td>Alpha</td><td>40 m</td></tr></tbody></table>
<pre><code class="language-sh">echo # light</code></pre></article></main></body></html>`

const html = { 'content-type': 'text/html; charset=utf-8' }

const pages: Readonly<Record<string, RequestListener>> = {
  '/article': (_, response) => void response.writeHead(200, html).end(ARTICLE),
  '/gzip': (_, response) => void response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(ARTICLE)),
  '/br': (_, response) => void response.writeHead(200, { ...html, 'content-encoding': 'br' }).end(brotliCompressSync(ARTICLE)),
  '/bomb': (_, response) =>
    void response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(30_000_000, 'a'))),
  '/latin': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from('caf\xe9 na\xefve', 'latin1')),
  '/wrong': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(Buffer.from('caf\xe9', 'latin1')),
  '/strange': (_, response) => void response.writeHead(200, { 'content-type': 'text/plain; charset=klingon' }).end('hello'),
  '/meta': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(Buffer.from('<html><head><meta charset="windows-1252"><title>\x80</title></head><body><p>\x80 5</p></body>', 'latin1')),
  '/json': (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"light": "on"}'),
  '/picture': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  '/broken': (_, response) => void response.writeHead(500).end('no'),
  '/gone': (_, response) => void response.writeHead(404).end('no'),
  '/hanging': () => undefined,
  '/slow-body': (_, response) => void response.writeHead(200, html).write('<p>'),
  '/endless': (_, response) => {
    response.writeHead(200, html)
    const more = (): boolean => response.write('x'.repeat(65_536))
    response.on('drain', more)
    more()
  },
  '/deep': (_, response) =>
    void response.writeHead(200, html).end(`<title>Deep</title>${'<div>'.repeat(20_000)}words at the bottom${'</div>'.repeat(20_000)}`),
  '/metadata': (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/elsewhere': (_, response) => void response.writeHead(302, { location: 'ftp://example.com/' }).end(),
}

let server: Server
let base: string
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    const hops = /^\/hop\/(\d+)$/.exec(path)?.[1]
    if (hops !== undefined) response.writeHead(302, { location: hops === '1' ? '/article' : `/hop/${Number(hops) - 1}` }).end()
    else pages[path]?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  removeTemporaryFolders()
})

let world: Opened | undefined
afterEach(async () => {
  await world?.engine.close()
  world = undefined
})

const SIGNAL = { maskSecrets: true, signal: new AbortController().signal }
const reader = (limits: { readonly limitMs?: number; readonly maxBytes?: number } = {}, threadMs = 10_000) =>
  createDocumentReader({
    clock: createSystemClock(),
    roots: [],
    needsRoots: false,
    allowPrivate: true,
    fetchLimits: limits,
    threads: createDocumentThreads({ limitMs: threadMs, workerUrl: WORKER }),
  })

describe('web page', () => {
  it('becomes Markdown with tables, split into segments; unchanged, it writes nothing again', async () => {
    world = await openEvidence({ ingestAllowPrivate: true })
    const captured = await ingestWeb(world.engine.context(), CALL, `${base}/article#part`)
    expect(captured).toMatchObject({
      status: 'completed',
      source: {
        kind: 'web',
        title: 'On Lighthouses',
        origin: `${base}/article`,
        metadata: {
          content_type: 'markdown',
          origin: { url: `${base}/article`, final_url: `${base}/article`, fetched_at: expect.stringMatching(/\+00:00$/) },
          adapter: { mode: 'web', origin_classification: 'remote_url' },
        },
      },
    })
    const segments = await allSegments(world, captured.source.id)
    const text = segments.map(({ excerpt }) => excerpt).join('\n')
    expect(text).toContain('| Alpha | 40 m |')
    expect(text).toContain('```')
    expect(text).not.toContain('secret')
    expect(segments.at(-1)?.locator).toMatchObject({
      kind: 'source',
      ref: `${base}/article`,
      heading_path: expect.arrayContaining(['Figures']),
    })
    const before = await head(world)
    expect(await ingestWeb(world.engine.context(), CALL, `${base}/article`)).toMatchObject({ status: 'noop' })
    expect(await head(world)).toBe(before)
  })

  it('is read if compressed, redirected up to five times, and in any encoding', async () => {
    const read = async (path: string) => {
      const { title, warnings, chunks, origin } = await reader().web(`${base}${path}`, SIGNAL)
      return { title, warnings, text: chunks.map((chunk) => chunk.text).join('\n'), url: origin.final_url }
    }
    for (const path of ['/gzip', '/br']) expect(await read(path)).toMatchObject({ title: 'On Lighthouses', warnings: [] })
    expect(await read('/hop/5')).toMatchObject({ title: 'On Lighthouses', url: `${base}/article` })
    expect(await read('/latin')).toMatchObject({ text: 'café naïve', warnings: [] })
    expect(await read('/wrong')).toMatchObject({ text: 'café', warnings: ['The page is not in the encoding that it declares (utf-8).'] })
    expect(await read('/strange')).toMatchObject({ text: 'hello', warnings: [expect.stringContaining('klingon')] })
    expect(await read('/meta')).toMatchObject({ title: '€' })
    expect(await read('/json')).toMatchObject({ text: '{"light": "on"}' })
  })

  it.each([
    ['/hop/6', 'unavailable', 'more than 5 times'],
    ['/picture', 'invalid_input', 'image/png'],
    ['/broken', 'unavailable', 'status 500'],
    ['/gone', 'not_found', 'status 404'],
    ['/bomb', 'too_large', 'larger than'],
    ['/endless', 'too_large', 'larger than'],
    ['/elsewhere', 'invalid_input', 'not http or https'],
  ])('%s is refused', async (path, code, message) => {
    await expect(reader().web(`${base}${path}`, SIGNAL)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it.each(['/hanging', '/slow-body'])('%s is given up', async (path) => {
    await expect(reader({ limitMs: 300 }).web(`${base}${path}`, SIGNAL)).rejects.toMatchObject({ code: 'timeout' })
  })

  it('that ends early is rejected', async () => {
    const cut = createPlainServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\nshort'))
    })
    await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve))
    await expect(reader().web(`http://127.0.0.1:${(cut.address() as AddressInfo).port}/`, SIGNAL)).rejects.toMatchObject({
      code: 'unavailable',
    })
    cut.close()
  })

  it('whose layout takes too long or fails is captured as plain words', async () => {
    const read = await reader({}, 1_000).web(`${base}/deep`, SIGNAL)
    expect(read).toMatchObject({ title: 'Deep', contentType: 'text', warnings: [expect.stringContaining('plain text')] })
    expect(read.chunks.map(({ text }) => text).join('')).toContain('words at the bottom')
  })

  it('can be cancelled', async () => {
    const stop = new AbortController()
    const request = reader().web(`${base}/hanging`, { maskSecrets: true, signal: stop.signal })
    stop.abort()
    await expect(request).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('address', () => {
  it.each([
    ['no url at all', 'URL is not valid'],
    ['http://', 'URL is not valid'],
    ['file:///etc/passwd', 'URL is not http or https'],
    ['javascript:alert(1)', 'URL is not http or https'],
    ['https://me:hunter2@example.com/', 'URL contains a user name or password: https://example.com'],
    ['http://localhost/', 'private address'],
    ['http://127.0.0.1/', 'private address'],
    ['http://2130706433/', 'private address'],
    ['http://0x7f.1/', 'private address'],
    ['http://[::1]/', 'private address'],
    ['http://[::ffff:127.0.0.1]/', 'private address'],
    ['http://10.1.2.3/', 'private address'],
    ['http://169.254.169.254/latest', 'private address'],
  ])('%s is refused, and nothing is written', async (url, message) => {
    world = await openEvidence()
    await expect(ingestWeb(world.engine.context(), CALL, url)).rejects.toMatchObject({ message: expect.stringContaining(message) })
    expect(await head(world)).toBe(0)
  })

  it('that is private is not reached by a redirect or a name', async () => {
    const { fetchPage, parseAddress } = await import('../../src/readers/documents/web-fetch.js')
    // Treats this machine as the public network.
    const isPrivate = (address: string): boolean => address !== '127.0.0.1' && isPrivateAddress(address)
    const options = { allowPrivate: false, isPrivate, signal: SIGNAL.signal }
    expect(await fetchPage(parseAddress(`${base}/json`), options)).toMatchObject({ type: 'application/json' })
    await expect(fetchPage(parseAddress(`${base}/metadata`), options)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('169.254.169.254'),
    })
    const requested: string[] = []
    const never = (address: string): boolean => requested.push(address) > 0
    const named = parseAddress(base.replace('127.0.0.1', 'localhost'))
    await expect(fetchPage(named, { ...options, isPrivate: never })).rejects.toMatchObject({ code: 'forbidden' })
    expect(requested.length).toBeGreaterThan(0)
  })

  it('is private or not', () => {
    for (const address of [
      '0.0.0.0',
      '100.64.1.1',
      '172.31.0.1',
      '192.168.1.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:a00:1',
      'fe80::1%eth0',
      'fd00::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'nonsense',
    ])
      expect(isPrivateAddress(address), address).toBe(true)
    for (const address of ['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])
      expect(isPrivateAddress(address), address).toBe(false)
  })
})

it('reads the words of a page in one pass', () => {
  expect(
    plainHtml('<title>T &amp; U</title><p>a&nbsp;b<br>c</p><script>no</script><!-- no --><style>x</style>d &#8364; &unknown;'),
  ).toEqual({
    title: 'T & U',
    text: expect.stringMatching(/a b\nc\nd € &unknown;$/),
  })
  expect(plainHtml('<p>open').text.trim()).toBe('open')
  expect(plainHtml(`<${'<'.repeat(100_000)}`).text).toBe('')
})
