import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { type House, openHouse } from './house.js'

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tester', version: '1' } },
}
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
const BOTH = 'application/json, text/event-stream'

describe('a session of MCP over HTTP', () => {
  let house: House
  beforeEach(async () => {
    house = await openHouse()
  })
  afterEach(() => house.close())

  const post = (key: string, body: unknown, session?: string) =>
    house.ask('POST', '/mcp', { key, body, headers: { accept: BOTH, ...(session === undefined ? {} : { 'mcp-session-id': session }) } })
  const open = async (key: string): Promise<string> => (await post(key, INITIALIZE)).headers.get('mcp-session-id') ?? ''
  const get = (key: string, session: string, more: Record<string, string> = {}) =>
    house.app.fetch(
      new Request('http://127.0.0.1/mcp', {
        headers: { host: '127.0.0.1', accept: 'text/event-stream', authorization: `Bearer ${key}`, 'mcp-session-id': session, ...more },
      }),
      Buffer.alloc(0),
    )

  it('is unknown to another key, and continues for its own', async () => {
    const [mine, other] = [await house.key({}), await house.key({})]
    const session = await open(mine.key)
    expect(session).not.toBe('')
    const made = await post(other.key, LIST, 'no-such-session')
    for (const [what, answer] of Object.entries({
      'asks on it': await post(other.key, LIST, session),
      'starts again on it': await post(other.key, INITIALIZE, session),
      'ends it': await house.ask('DELETE', '/mcp', { key: other.key, headers: { 'mcp-session-id': session } }),
    }))
      expect([what, answer.status, answer.text]).toEqual([what, 404, made.text])
    const stream = await get(other.key, session)
    const resumed = await get(other.key, session, { 'last-event-id': '1' })
    expect([stream.status, resumed.status]).toEqual([404, 404])
    expect((await post(mine.key, LIST, session)).status).toBe(200)
    expect((await house.ask('DELETE', '/mcp', { key: mine.key, headers: { 'mcp-session-id': session } })).status).toBe(200)
    expect((await post(mine.key, LIST, session)).status).toBe(404)
    // One contract's session is none of another's.
    const graph = await house.ask('POST', '/mcp/graph', { key: mine.key, body: INITIALIZE, headers: { accept: BOTH } })
    expect((await post(mine.key, LIST, graph.headers.get('mcp-session-id') ?? '')).status).toBe(404)
  })

  it('ends with its key, and so does its idle stream', async () => {
    const { id, key } = await house.key({})
    const session = await open(key)
    const stream = await get(key, session)
    expect(stream.status).toBe(200)
    let ended = false
    const reading = (async () => {
      for await (const _ of stream.body ?? []);
      ended = true
    })()
    await house.revoke(id)
    expect((await post(key, LIST, session)).status).toBe(401)
    await expect.poll(() => ended, EVENTUALLY).toBe(true)
    await reading
    const next = await house.key({})
    expect((await post(next.key, LIST, session)).status).toBe(404)
  })

  it('the stream of the stateless revision ends with its key', async () => {
    const { id, key } = await house.key({})
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    }
    const headers = {
      ...{ host: '127.0.0.1', accept: BOTH, 'content-type': 'application/json', authorization: `Bearer ${key}` },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    }
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers })
    const stream = await house.app.fetch(request, Buffer.from(JSON.stringify(body)))
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    let ended = false
    const reading = (async () => {
      for await (const _ of stream.body ?? []);
    })()
      .catch(() => undefined)
      .then(() => {
        ended = true
      })
    await house.revoke(id)
    await expect.poll(() => ended, EVENTUALLY).toBe(true)
    await reading
  })

  it('has the current access of its key, not that of its beginning', async () => {
    const ann = (await house.key({})).key
    const bob = (await house.key({ entity: 'user:bob' })).key
    await house.ask('POST', '/v1/gardens', { key: ann, body: { slug: 'den', name: 'Den', scope: 'team' } })
    const said = { entity: 'user:x', relation: 'memory:plan', value: { type: 'text', v: 'treasure' }, garden_id: 'den' }
    await house.ask('POST', '/v1/facts', { key: ann, body: said })
    const members = '/v1/gardens/den/members'
    await house.ask('POST', members, { key: ann, body: { entity_uri: 'user:bob' } })
    const headers = { accept: BOTH }
    const begun = await house.ask('POST', '/mcp/stigmem', { key: bob, body: INITIALIZE, headers })
    const session = begun.headers.get('mcp-session-id') ?? ''
    const query = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'query_facts', arguments: {} } }
    const ask = async () =>
      (await house.ask('POST', '/mcp/stigmem', { key: bob, body: query, headers: { ...headers, 'mcp-session-id': session } })).text
    expect(await ask()).toContain('treasure')
    await house.ask('DELETE', `${members}/user:bob`, { key: ann })
    expect(await ask()).not.toContain('treasure')
  })
})
