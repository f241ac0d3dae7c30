import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { adminContract, fakeContract, fakeHost, memoryLog } from '../../../test/surfaces/fake-host.js'
import { MAX_BODY_BYTES } from './body.js'
import type { HttpOptions, HttpServer } from './server.js'
import { openHttpServer } from './server.js'

const servers: HttpServer[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(options: Pick<HttpOptions, 'limits' | 'mostSessions'> = {}) {
  const log = memoryLog()
  const server = await openHttpServer({
    host: fakeHost([fakeContract, adminContract]),
    log,
    contracts: [fakeContract],
    port: 0,
    access: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] },
    announce: () => undefined,
    ...options,
  })
  servers.push(server)
  return { url: server.url, log }
}

/** A plain connection, and everything that came over it until the server closed it. */
function connect(url: string) {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  return {
    socket,
    text: () => text,
    async saw(part: string) {
      while (!text.includes(part)) {
        if (socket.closed) throw new Error(`The connection ended without "${part}": ${text}`)
        await Promise.race([once(socket, 'data'), closed])
      }
    },
    closed: () => closed,
    write: (data: string | Buffer) => new Promise<void>((done) => void socket.write(data, () => done())),
  }
}

const HEAD = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\n'
const post = (path: string, ...headers: readonly string[]): string =>
  `POST ${path} HTTP/1.1\r\n${HEAD}${headers.map((header) => `${header}\r\n`).join('')}\r\n`
const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x61), Buffer.from('\r\n')])

describe('repair 15: a body over the limit', () => {
  it('is rejected in chunks without a length, even if the client reads only after it has sent all', async () => {
    const { url, log } = await start()
    const wire = connect(url)
    wire.socket.pause()
    await wire.write(post('/v1/fake/echo', 'Transfer-Encoding: chunked'))
    for (let sent = 0; sent < 2 * MAX_BODY_BYTES; sent += 0x100000) await wire.write(chunk)
    await wire.write('0\r\n\r\n')
    wire.socket.resume()
    await wire.saw('"code":"too_large"')
    expect(wire.text()).toMatch(/^HTTP\/1\.1 413 /)
    expect(log.lines).toEqual([])
  })

  it('is rejected with a declared length, before and while it is sent', async () => {
    const { url } = await start()
    const wire = connect(url)
    await wire.write(post('/mcp', `Content-Length: ${2 * MAX_BODY_BYTES}`, 'Accept: application/json, text/event-stream'))
    await wire.saw('larger than')
    expect(wire.text()).toMatch(/^HTTP\/1\.1 413 /)
    expect(wire.text()).toContain('"jsonrpc":"2.0"')
    // The connection still takes what the client goes on sending.
    for (let sent = 0; sent < 2 * MAX_BODY_BYTES; sent += 0x100000) await wire.write(Buffer.alloc(0x100000, 0x61))
    // And then the next request.
    await wire.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
    await wire.closed()
    expect(wire.text()).toContain('HTTP/1.1 200 ')
  })

  it('is sent whole before anything is read, by a client that requests a closed connection', async () => {
    const { url } = await start()
    for (const length of [`Content-Length: ${2 * MAX_BODY_BYTES}`, 'Transfer-Encoding: chunked']) {
      const wire = connect(url)
      const failures: Error[] = []
      wire.socket.on('error', (error) => failures.push(error))
      wire.socket.pause()
      await wire.write(post('/v1/fake/echo', length, 'Connection: close'))
      const part = length.startsWith('Content') ? Buffer.alloc(0x100000, 0x61) : chunk
      for (let sent = 0; sent < 2 * MAX_BODY_BYTES; sent += 0x100000) await wire.write(part)
      if (part === chunk) await wire.write('0\r\n\r\n')
      wire.socket.resume()
      await wire.closed()
      expect(failures).toEqual([])
      expect(wire.text()).toMatch(/^HTTP\/1\.1 413 /)
    }
  })

  it('is answered before the body to a client that expects 100-continue', async () => {
    const { url } = await start()
    const wire = connect(url)
    await wire.write(post('/v1/fake/echo', `Content-Length: ${2 * MAX_BODY_BYTES}`, 'Expect: 100-continue'))
    await wire.saw('too_large')
    expect(wire.text()).toMatch(/^HTTP\/1\.1 413 /)
    const small = connect(url)
    await small.write(post('/v1/fake/echo', 'Content-Length: 12', 'Expect: 100-continue', 'Connection: close'))
    await small.saw('100 Continue')
    await small.write('{"text":"a"}')
    await small.closed()
    expect(small.text()).toContain('"said":"a"')
  })

  it('does not close the connection of a body within the limit', async () => {
    const { url } = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (const text of ['a', 'b']) {
      const call = request(`${url}/v1/fake/echo`, { agent, method: 'POST', headers: { 'Content-Type': 'application/json' } })
      call.on('socket', (socket) => socket.once('ready', () => ports.add(socket.localPort)))
      call.end(JSON.stringify({ text }))
      const [response] = await once(call, 'response')
      response.resume()
      await once(response, 'end')
      expect(response.statusCode).toBe(200)
    }
    expect(ports.size).toBe(1)
    agent.destroy()
  })
})

describe('repair 24: members of a body are counted before they are read', () => {
  const membersOf = (number: number): string => `{${Array.from({ length: number }, (_, i) => `"k${i}":1`).join(',')}}`
  const send = async (body: string) => {
    const { url } = await start()
    const response = await fetch(`${url}/v1/fake/echo`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    return { status: response.status, text: await response.text() }
  }

  it('more than a million unknown ones are refused by their number', async () => {
    for (const number of [21_000, 1_100_000]) {
      const { status, text } = await send(membersOf(number))
      expect([status, text]).toEqual([413, expect.stringContaining('holds an object of more than 20,000 members')])
    }
    const { status, text } = await send(`{"text":[${'1,'.repeat(250_000)}1]}`)
    expect([status, text]).toEqual([413, expect.stringContaining('more than 250,000 values')])
  })

  it('thousands are refused, and the first few are named', async () => {
    const { status, text } = await send(membersOf(5000))
    expect(status).toBe(400)
    expect(text).toContain('k0, k1')
    expect(text).toContain('and 4990 more')
    expect(text.length).toBeLessThan(1000)
  })
})

describe('a client that breaks off', () => {
  it.each([
    ['in its body', post('/v1/fake/echo', 'Content-Length: 1000'), '{"text":'],
    ['in a chunk', post('/mcp', 'Transfer-Encoding: chunked'), '5\r\n{"a'],
    ['in its headers', 'POST /mcp HTTP/1.1\r\nHost: 127', ''],
  ])('%s is no error, and the server goes on', async (_, head, part) => {
    const { url, log } = await start()
    const wire = connect(url)
    await wire.write(head + part)
    wire.socket.resetAndDestroy()
    await wire.closed()
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(log.lines).toEqual([])
  })
})

describe('a client that is slow', () => {
  it.each([
    ['its headers', 'POST /v1/fake/echo HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Sl'],
    ['its body', `${post('/v1/fake/echo', 'Content-Length: 1000')}{"te`],
  ])('with %s gets an error and is disconnected', async (_, sent) => {
    const { url, log } = await start({ limits: { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 } })
    const wire = connect(url)
    await wire.write(sent)
    await wire.closed()
    expect(wire.text()).toMatch(/^HTTP\/1\.1 408 /)
    expect(wire.text()).toContain('took too long')
    expect(log.lines).toEqual([])
  })

  it.each([
    ['is not HTTP', 'HELO there\r\n\r\n', 400],
    ['has headers without end', `GET / HTTP/1.1\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
    ['names an impossible host', 'GET / HTTP/1.1\r\nHost: x.local:99999\r\nConnection: close\r\n\r\n', 400],
  ])('receives the common error shape if it %s', async (_, sent, status) => {
    const { url } = await start()
    const wire = connect(url)
    await wire.write(sent)
    await wire.closed()
    expect(wire.text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(wire.text().split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { message: expect.any(String) } })
  })
})

it.each(['xn--a', 'a b', '[::1', '%00', 'x:99999'])('repair 37: the host name %j is refused with 400, without a key', async (host) => {
  const { url } = await start()
  const wire = connect(url)
  await wire.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  await wire.closed()
  expect(wire.text()).toMatch(/^HTTP\/1.1 400 /)
})

describe('new sessions do not push out those in use', () => {
  const accept = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'many', version: '1' } }
  const send = (url: string, message: object, session?: string) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...accept, ...(session === undefined ? {} : { 'Mcp-Session-Id': session }) },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const open = async (url: string): Promise<Response> => {
    const response = await send(url, { id: 1, method: 'initialize', params: hello })
    await response.text()
    return response
  }
  const list = async (url: string, session: string): Promise<number> => {
    const response = await send(url, { id: 2, method: 'tools/list' }, session)
    await response.text()
    return response.status
  }

  it('a client that has called keeps its session through a thousand others', async () => {
    const { url } = await start()
    const client = new Client({ name: 'tester', version: '0' })
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`))
    await client.connect(transport)
    await client.listTools()
    for (let i = 0; i < 1100; i += 50) await Promise.all(Array.from({ length: 50 }, () => open(url)))
    expect(await list(url, transport.sessionId ?? '')).toBe(200)
    await client.close()
  }, 120_000)

  it('an open stream and a call under way keep theirs; where all are in use a new one gets a Retry-After', async () => {
    const { url } = await start({ mostSessions: 3 })
    const streaming = (await open(url)).headers.get('mcp-session-id') ?? ''
    const ended = new AbortController()
    await fetch(`${url}/mcp`, { headers: { Accept: 'text/event-stream', 'Mcp-Session-Id': streaming }, signal: ended.signal })
    const calling = (await open(url)).headers.get('mcp-session-id') ?? ''
    expect(await list(url, calling)).toBe(200)
    const unused = (await open(url)).headers.get('mcp-session-id') ?? ''
    // The one that has asked for nothing yet makes room.
    const newest = (await open(url)).headers.get('mcp-session-id') ?? ''
    expect(await list(url, unused)).toBe(404)
    expect(await list(url, newest)).toBe(200)
    const refused = await send(url, { id: 1, method: 'initialize', params: hello })
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000, message: expect.stringContaining('in use') } })
    for (const session of [streaming, calling, newest]) expect(await list(url, session)).toBe(200)
    ended.abort()
  })
})
