import { once } from 'node:events'
import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { adminContract, fakeContract, fakeHost, memoryLog, otherContract, slowCalls } from '../../../test/surfaces/fake-host.js'
import type { HttpServer } from './server.js'
import { openHttpServer } from './server.js'

const servers: HttpServer[] = []
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))))

async function start(options: { port?: number; host?: string; allowedHosts?: string[]; allowedOrigins?: string[] } = {}) {
  const host = fakeHost([fakeContract, adminContract])
  const announced: string[] = []
  const log = memoryLog()
  const server = await openHttpServer({
    host,
    log,
    contracts: [fakeContract, otherContract, adminContract],
    port: options.port ?? 0,
    access: { host: options.host ?? '127.0.0.1', allowedHosts: options.allowedHosts ?? [], allowedOrigins: options.allowedOrigins ?? [] },
    announce: (line) => void announced.push(line),
  })
  servers.push(server)
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { server, host, log, announced, post }
}

/** `fetch` does not allow a custom Host header. */
function withHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}/healthz`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

/** `fetch` always sends a length. */
function rawPost(url: string, headers: Readonly<Record<string, string>>): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve([response.statusCode, Buffer.concat(chunks).toString()]))
    })
    if (headers['Transfer-Encoding'] === undefined) call.useChunkedEncodingByDefault = false
    call.on('error', reject).end()
  })
}

describe('the HTTP server', () => {
  it('announces its URL, its health and its contents', async () => {
    const { server, announced } = await start()
    expect(announced).toEqual([`mneme 1.2.3 listening on ${server.url}`])
    const health = await fetch(`${server.url}/healthz`)
    expect(health.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await health.json()).toEqual({ status: 'ok', version: '1.2.3', store: 'open' })
    expect(await (await fetch(`${server.url}/`)).json()).toMatchObject({ mcp: ['/mcp', '/mcp/fake', '/mcp/other'] })
  })

  it('keeps running and reports it if the store cannot be opened', async () => {
    const { server, host, post } = await start()
    host.broken = true
    expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ status: 'degraded', store: 'unavailable' })
    const refused = await post('/v1/fake/echo', { text: 'a' })
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { detail: expect.any(String), error: { code: 'unavailable', message: expect.any(String), hint: expect.any(String) } },
    ])
  })

  it('serves every operation as a POST', async () => {
    const { post } = await start()
    const answer = await post('/v1/other/echo', { text: 'hi' })
    expect([answer.status, await answer.json()]).toMatchObject([200, { said: 'hi', actor: 'http' }])
    expect((await post('/v1/fake/fail', {})).status).toBe(404)
    expect((await post('/v1/fake/echo', { text: 1 })).status).toBe(400)
    expect(await (await post('/v1/fake/fail', { how: 'bug' })).json()).toMatchObject({
      error: { code: 'internal', message: 'Internal error.' },
    })
  })

  it('formats a failure as its contract defines', async () => {
    const { post } = await start({ allowedOrigins: ['https://app.example'] })
    const answer = await post('/v1/other/refuse', {}, { Origin: 'https://app.example' })
    expect([answer.status, await answer.json()]).toMatchObject([404, { error_type: 'not_found' }])
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(answer.headers.get('content-type')).toContain('application/json')
  })

  it.each([
    ['/v1/fake/nothing', '{}', {}, 404],
    ['/v1/admin/say_it', '{"text":"a"}', {}, 404],
    ['/mcp/admin', '{}', {}, 404],
    ['/v1/fake/echo', '{"text":', {}, 400],
    ['/mcp', '{"jsonrpc":', {}, 400],
    ['/v1/fake/echo', '{"text":"a"}', { 'Content-Type': 'text/plain' }, 415],
    ['/v1/fake/echo', `{"text":"${'a'.repeat(16 * 1024 * 1024)}"}`, {}, 413],
    ['/v1/fake/echo', '{"text":"a"}', { Origin: 'https://evil.example' }, 403],
    ['/v1/fake/echo', '{"text":"a"}', { Origin: 'null' }, 403],
    ['/v1/fake/echo', '{"text":"a"}', { Origin: 'http://localhost:3000' }, 200],
    ['/v1/fake/echo', '{"text":"a"}', { Origin: 'https://app.example' }, 200],
  ])('%s', async (path, body, headers, status) => {
    const { post } = await start({ allowedOrigins: ['https://app.example'] })
    expect((await post(path, body, headers)).status).toBe(status)
  })

  it('treats a POST without a body as a call without arguments, whatever its headers', async () => {
    const { server } = await start()
    for (const headers of [{}, { 'Content-Type': 'text/plain' }, { 'Transfer-Encoding': 'chunked' }]) {
      const [status, body] = await rawPost(`${server.url}/v1/fake/fail`, headers)
      expect([status, body]).toEqual([404, expect.stringContaining('Memory not found: x')])
    }
    expect(await rawPost(`${server.url}/v1/fake/echo`, {})).toEqual([400, expect.stringContaining('Missing text')])
    expect((await rawPost(`${server.url}/mcp`, {}))[0]).toBe(400)
  })

  it('names the method of a tool in a 405', async () => {
    const { server } = await start({ allowedOrigins: ['https://app.example'] })
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
      const refused = await fetch(`${server.url}/v1/fake/echo`, { method })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect((await fetch(`${server.url}/v1/fake/nothing`)).status).toBe(404)
    expect((await fetch(`${server.url}/v1/fake/echo`, { method: 'OPTIONS', headers: { Origin: 'https://app.example' } })).status).toBe(204)
  })

  it('rejects a body that is not UTF-8 instead of changing it', async () => {
    const { server } = await start()
    const broken = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
    const post = (path: string, body: Buffer) =>
      fetch(server.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: new Uint8Array(body) })
    const refused = await post('/v1/fake/echo', broken)
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { message: 'The request body is not valid UTF-8.' } }])
    const overMcp = await post('/mcp', broken)
    expect([overMcp.status, await overMcp.json()]).toMatchObject([400, { error: { code: -32700 } }])
    expect((await post('/v1/fake/echo', Buffer.from('\ufeff{"text":"é"}'))).status).toBe(200)
  })

  it('allows cross-origin reads for configured origins only', async () => {
    const { server } = await start({ allowedOrigins: ['https://app.example'] })
    const from = (origin: string, method = 'GET') => fetch(`${server.url}/healthz`, { method, headers: { Origin: origin } })
    expect((await from('https://app.example')).headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect((await from('https://app.example', 'OPTIONS')).status).toBe(204)
    expect((await from('http://localhost:9')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('answers only requests for known host names', async () => {
    const { server } = await start({ allowedHosts: ['memory.lan'] })
    const status = (name: string) => withHost(server.url, name)
    expect(
      await Promise.all(['localhost:1', '127.0.0.1', '[::1]:5', 'MEMORY.lan:80', 'evil.example', 'memory.lan.evil.example'].map(status)),
    ).toEqual([200, 200, 200, 200, 403, 403])
  })

  it('describes its routes, but not the local ones', async () => {
    const { server } = await start()
    const description: unknown = await (await fetch(`${server.url}/v1/openapi.json`)).json()
    expect(description).toMatchObject({
      openapi: '3.1.0',
      paths: { '/v1/fake/echo': { post: { requestBody: { content: { 'application/json': { schema: { required: ['text'] } } } } } } },
    })
    expect(JSON.stringify(description)).not.toContain('say_it')
  })

  it('reports a port in use', async () => {
    const { server } = await start()
    await expect(start({ port: Number(new URL(server.url).port) })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('already in use'),
    })
  })

  it('on closing finishes a running request, ends open streams and closes the store', async () => {
    const { server, host, post } = await start()
    const client = new Client({ name: 'tester', version: '0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    const progressed = new Promise<void>((resolve) => {
      void client.callTool({ name: 'slow', arguments: { ms: 60_000 } }, { onprogress: () => resolve() }).catch(() => undefined)
    })
    await progressed
    const begun = once(slowCalls, 'begun')
    const running = post('/v1/fake/slow', { ms: 200 })
    await begun
    await server.close()
    expect((await running).status).toBe(200)
    expect(host.closed).toBe(1)
  })
})

describe('MCP over HTTP', () => {
  it('serves the profile at /mcp and each contract alone, with a session that is the connection', async () => {
    const { server } = await start()
    const client = new Client({ name: 'tester', version: '0' })
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`))
    await client.connect(transport)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'slow'])
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
    expect(transport.sessionId).toBeDefined()
    expect(result.structuredContent).toMatchObject({ actor: 'mcp:tester', connection: transport.sessionId })
    const seen: unknown[] = []
    await client.callTool({ name: 'slow', arguments: { ms: 1 } }, { onprogress: (progress) => void seen.push(progress) })
    expect(seen).toHaveLength(1)
    const other = new Client({ name: 'tester', version: '0' })
    await other.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/other`)))
    expect((await other.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'refuse'])
    await Promise.all([client.close(), other.close()])
  })

  const accept = { Accept: 'application/json, text/event-stream' }

  it('answers a lone request without a handshake, null arguments included', async () => {
    const { post } = await start()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fail', arguments: null } }
    const response = await post('/mcp', call, accept)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Memory not found: x')
  })

  it('answers the stateless revision', async () => {
    const { post } = await start()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hi' }, _meta } }
    const response = await post('/mcp', call, {
      ...accept,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'echo',
    })
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { result: { structuredContent: { said: 'hi', actor: 'mcp:new' } } },
    ])
  })

  it('requires a new handshake for an unknown session', async () => {
    const { post } = await start()
    expect((await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { ...accept, 'Mcp-Session-Id': 'gone' })).status).toBe(404)
  })
})
