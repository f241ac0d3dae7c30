import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type ConnectOptions, connect } from '../../src/client/connect.js'
import type { MemoryClient } from '../../src/client/memory-client.js'
import { removeTemporaryFolders, runProgram, temporaryFolder } from '../wire/program.js'
import { openHttp } from '../wire/wire.js'

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function stub(
  handler: Handler,
): Promise<{ readonly url: string; readonly bodies: string[]; client(options?: ConnectOptions): MemoryClient }> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks).toString())
    handler(request, response, bodies.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port }: AddressInfo = addressOf(server.address())
  const url = `http://127.0.0.1:${port}`
  return { url, bodies, client: (options) => connect(url, options) }
}

function addressOf(address: ReturnType<ReturnType<typeof createServer>['address']>): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('no address')
  return address
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
}

describe('a server that is absent, wrong or not mneme', () => {
  it('is reported with the cause if nothing listens', async () => {
    const { url } = await stub(() => undefined)
    await closers.pop()?.()
    await expect(connect(url, { retries: 1 }).recall('x')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it.each([
    ['nonsense', 'Invalid URL'],
    ['ftp://127.0.0.1', 'Invalid URL'],
    ['http://127.0.0.1:1/mcp', 'ends in /mcp'],
    ['http://127.0.0.1:1/v1/', 'ends in /v1'],
    ['http://ann:pass@127.0.0.1:1', 'no user'],
  ])('is rejected by its URL %s', (url, message) => {
    expect(() => connect(url)).toThrow(message)
  })

  it('is recognised by its response: pages, redirects, oversized and broken answers', async () => {
    const page = await stub((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in</h1>'))
    await expect(page.client().recall('x')).rejects.toMatchObject({
      reason: 'not_json',
      message: expect.stringContaining('<h1>Sign in</h1>'),
    })
    await expect(page.client().events().next()).rejects.toMatchObject({ reason: 'not_json' })
    const moved = await stub((_, response) => response.writeHead(307, { Location: 'http://elsewhere.invalid/' }).end())
    await expect(moved.client({ key: 'secret' }).recall('x')).rejects.toMatchObject({
      reason: 'redirected',
      message: expect.stringContaining('elsewhere'),
    })
    const huge = await stub((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const more = (): boolean => response.write('"'.padEnd(65_536, 'x'), () => response.destroyed || more())
      more()
    })
    await expect(huge.client({ maxAnswerBytes: 1_000_000 }).recall('x')).rejects.toMatchObject({ code: 'too_large' })
    const declared = await stub((_, response) => response.writeHead(200, { 'Content-Length': '100000000' }).flushHeaders())
    await expect(declared.client().recall('x')).rejects.toMatchObject({ code: 'too_large' })
    const cut = await stub((_, response) => response.writeHead(200, { 'Content-Length': '10' }).write('{', () => response.destroy()))
    await expect(cut.client({ retries: 0 }).recall('x')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('times out, and ends with the signal of the call', async () => {
    const silent = await stub(() => undefined)
    await expect(silent.client({ timeoutMs: 50 }).recall('x')).rejects.toMatchObject({ code: 'timeout' })
    const controller = new AbortController()
    const cancelling = await stub(() => controller.abort())
    await expect(cancelling.client().recall('x', { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('is reported with both versions if it lacks a tool', async () => {
    const old = await stub((request, response) => {
      if (request.url === '/healthz') json(response, 200, { version: '0.0.9' })
      else json(response, 404, { error: { code: 'not_found', message: 'There is no tool memory/recall.' } })
    })
    await expect(old.client().recall('x')).rejects.toMatchObject({
      reason: 'unknown_tool',
      hint: expect.stringContaining('the server 0.0.9'),
    })
    await expect(old.client().get('some-id')).rejects.toMatchObject({ reason: 'unknown_tool' })
  })
})

describe('a call that failed in the network', () => {
  it('is repeated with one key for all attempts if that is safe, after the delay that the server asks for', async () => {
    const busy = await stub((_, response, count) => {
      if (count === 1) json(response, 503, { error: { code: 'unavailable', message: 'busy' } }, { 'Retry-After': '0' })
      else if (count === 2) response.destroy()
      else json(response, 200, { id: 'stored' })
    })
    expect(await busy.client().add('x')).toEqual([{ id: 'stored', text: 'x' }])
    const keys = busy.bodies.map((body) => JSON.parse(body).idempotency_key)
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
  })

  it('is not repeated if the server would run it twice, or rejected it', async () => {
    const down = await stub((_, response) => json(response, 503, { error: { code: 'unavailable', message: 'down' } }))
    await expect(down.client().call('stigmem', 'decay_scope', { scope: 'local' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(down.bodies).toHaveLength(1)
    const refusing = await stub((_, response) => json(response, 422, { detail: 'Not so' }))
    await expect(refusing.client().recall('x')).rejects.toMatchObject({ code: 'unprocessable', message: 'Not so' })
    expect(refusing.bodies).toHaveLength(1)
  })

  it('fails with the delay if the server asks for a long one', async () => {
    const limited = await stub((_, response) =>
      json(response, 429, { error: { code: 'rate_limited', message: 'Too many', hint: 'Wait' } }, { 'Retry-After': '3600' }),
    )
    await expect(limited.client().recall('x')).rejects.toMatchObject({ code: 'rate_limited', hint: 'Wait', retryAfterSeconds: 3600 })
    expect(limited.bodies).toHaveLength(1)
  })
})

it('reports a wrong key, and rejects a key that a header cannot carry', async () => {
  expect(() => connect('http://127.0.0.1:1', { key: 'a\nb' })).toThrow('Invalid key')
  const dataDir = temporaryFolder()
  await runProgram(['keys', 'create', '--owner', 'ann', '--entity', 'user:ann', '--data-dir', dataDir])
  const server = await openHttp(['--data-dir', dataDir, '--embedder', 'hash', '--auth', 'required'])
  closers.push(async () => {
    await server.close()
    removeTemporaryFolders()
  })
  await expect(connect(server.url).recall('x')).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(connect(server.url, { key: 'mneme_wrong' }).recall('x')).rejects.toMatchObject({
    code: 'unauthenticated',
    hint: expect.any(String),
  })
})

it('rejects input that JSON cannot carry before it sends anything', async () => {
  const { bodies, client } = await stub((_request, response) => response.end('{}'))
  const circle: Record<string, unknown> = {}
  circle.self = circle
  for (const metadata of [{ count: 1n }, circle])
    await expect(client().add('A note.', { metadata })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('BigInt'),
    })
  expect(bodies).toEqual([])
})
