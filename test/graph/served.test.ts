import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, temporaryFolder } from '../wire/program.js'
import { openHttp, openStdio, type Wire } from '../wire/wire.js'
import { GRAPH_TOOLS } from './tools.js'

// Real processes of dist/main.js.
afterAll(removeTemporaryFolders)

const initialize = {
  jsonrpc: '2.0',
  id: 'i',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'graph-test', version: '1' } },
} as const
const listing = z.object({ result: z.object({ tools: z.array(z.looseObject({ name: z.string() })) }) })
const called = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    structuredContent: z.record(z.string(), z.unknown()),
    content: z.array(z.object({ text: z.string() })),
  }),
})

async function tools(wire: Wire): Promise<readonly string[]> {
  await wire.send(initialize)
  await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return listing.parse(await wire.send({ jsonrpc: '2.0', id: 'l', method: 'tools/list' })).result.tools.map((tool) => tool.name)
}

let requested = 0
const call = async (wire: Wire, name: string, args: Record<string, unknown>) =>
  called.parse(await wire.send({ jsonrpc: '2.0', id: ++requested, method: 'tools/call', params: { name, arguments: args } })).result

it('repair 7: unreadable requests are rejected with the errors of the contract', async () => {
  const wire = await openHttp(['--profile', 'graph', '--embedder', 'none', '--data-dir', temporaryFolder()])
  try {
    const post = async (type: string, body: string) => {
      const response = await fetch(`${wire.url}/v1/graph/create_node`, { method: 'POST', headers: { 'Content-Type': type }, body })
      return [response.status, await response.json()] as const
    }
    const failure = { success: false, error: expect.any(String), code: expect.any(String), error_code: expect.any(String) }
    expect(await post('application/json', '{"text":')).toMatchObject([400, { ...failure, code: 'memory_validation_error' }])
    expect(await post('text/plain', '{}')).toMatchObject([415, failure])
    for (const [method, path, status] of [
      ['GET', '/v1/graph/search', 405],
      ['POST', '/v1/graph/serch', 404],
      ['POST', '/v1/graph/search/%ff', 400],
    ] as const) {
      const response = await fetch(`${wire.url}${path}`, { method })
      expect([response.status, await response.json()]).toMatchObject([status, failure])
    }
    const named = await post('application/json', '{"text": "Ada", "node_type": "Entity", "entity_type": "person"}')
    expect(named).toMatchObject([200, { success: true, node: { type: 'person' } }])
    const { id } = z.object({ node: z.object({ id: z.string() }) }).parse(named[1]).node
    const trace = await fetch(`${wire.url}/v1/graph/get_trace`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ from_id: id, to_id: id, max_depth: 6 }),
    })
    expect(await trace.json()).toMatchObject({ success: true })
    const document = z
      .object({
        servers: z.array(z.object({ url: z.string() })),
        paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) }))),
      })
      .parse(await (await fetch(`${wire.url}/v1/openapi.json`)).json())
    expect(document.servers).toHaveLength(1)
    // Bodies with required members are required, every status is declared, results are typed.
    expect(document.paths['/v1/graph/get_node']?.post).toMatchObject({ requestBody: { required: true } })
    expect(Object.keys(document.paths['/v1/facts']?.post?.responses ?? {})).toEqual(expect.arrayContaining(['200', '201', 'default']))
    expect(document.paths['/v1/memory/recall']?.post?.responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { results: { type: 'array', items: { type: 'object', properties: { content: { type: 'string' } } } } } },
        },
      },
    })
  } finally {
    await wire.close()
  }
})

describe.each([
  ['stdio', async (args: readonly string[]): Promise<Wire> => openStdio(args)],
  ['http', openHttp],
] as const)('the graph profile over %s', (_, open) => {
  it('lists its tools and returns failures in the form of the contract', async () => {
    const wire = await open(['--profile', 'graph', '--embedder', 'hash', '--data-dir', temporaryFolder()])
    try {
      expect(await tools(wire)).toEqual(GRAPH_TOOLS)
      const made = await call(wire, 'create_node', { text: 'Served over a wire.' })
      const { node } = z.object({ node: z.object({ id: z.string() }) }).parse(made.structuredContent)
      expect(made.isError ?? false).toBe(false)
      expect((await call(wire, 'search', { query: 'wire' })).structuredContent).toMatchObject({
        success: true,
        facts: [{ node_id: node.id }],
      })
      const refused = await call(wire, 'get_node', { node_id: 'missing' })
      expect(refused.isError).toBe(true)
      expect(refused.structuredContent).toEqual({
        success: false,
        error: 'Node missing not found',
        code: 'memory_not_found',
        error_code: 'memory_not_found',
      })
      expect(JSON.parse(refused.content[0]?.text ?? '')).toEqual(refused.structuredContent)
      expect((await call(wire, 'create_node', { text: 'x', wrong: 1 })).structuredContent).toMatchObject({
        code: 'memory_validation_error',
      })
    } finally {
      await wire.close()
    }
  })

  it('is served with the memory profile without name conflicts', async () => {
    const wire = await open(['--profile', 'memory,graph', '--embedder', 'hash', '--data-dir', temporaryFolder()])
    try {
      const names = await tools(wire)
      expect(new Set(names).size).toBe(names.length)
      for (const tool of GRAPH_TOOLS) expect(names).toContain(['search', 'create_relation'].includes(tool) ? `graph_${tool}` : tool)
      for (const tool of ['search', 'create_relation', 'recall', 'store_memory']) expect(names).toContain(tool)
      const { id } = z
        .object({ id: z.string() })
        .parse((await call(wire, 'store_memory', { content: 'Both profiles share this.' })).structuredContent)
      expect((await call(wire, 'graph_search', { query: 'both profiles' })).structuredContent).toMatchObject({ facts: [{ id }] })
      expect((await call(wire, 'search', { query: 'both profiles' })).structuredContent).toMatchObject({ count: 1 })
    } finally {
      await wire.close()
    }
  })
})
