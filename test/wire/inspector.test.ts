import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PROGRAM, removeTemporaryFolders, temporaryFolder } from './program.js'
import { type HttpWire, openHttp } from './wire.js'

// The official Inspector and the SDK's client, against dist/main.js.
const MOST_LISTING_BYTES = 16_384
const TOOLS = [
  'store_memory',
  'get_memory',
  'update_memory',
  'delete_memory',
  'list_memories',
  'search',
  'search_text',
  'recall',
  'create_entity',
  'create_relation',
  'get_related',
  'get_valid',
  'get_valid_at',
  'invalidate',
  'get_status',
  'reset_all_memory',
]

afterAll(removeTemporaryFolders)

describe('the Inspector in CLI mode', () => {
  const folder = temporaryFolder()
  const inspector = resolve('node_modules/@modelcontextprotocol/inspector/cli/build/cli.js')
  const inspect = async (...args: readonly string[]): Promise<unknown> => {
    const server = [process.execPath, PROGRAM, 'mcp', '--data-dir', folder, '--embedder', 'hash']
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [inspector, '--cli', ...server, ...args], { maxBuffer: 2 ** 24 })
    expect(stderr).not.toMatch(/strict mode|warning/iu)
    return JSON.parse(stdout)
  }

  it('lists the tools', async () => {
    const { tools } = z.object({ tools: z.array(z.looseObject({ name: z.string() })) }).parse(await inspect('--method', 'tools/list'))
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(TOOLS))
  })

  it('calls them', async () => {
    const stored = await inspect('--method', 'tools/call', '--tool-name', 'store_memory', '--tool-arg', 'content=The kettle is blue')
    expect(stored).toMatchObject({ isError: false, structuredContent: { id: expect.stringMatching(/^[a-z0-9]{20}$/u) } })
  })

  it('sends optional numbers and booleans', async () => {
    const weighed = ['query=kettle', 'limit=3', 'vector_weight=0.5', 'include_code=false', 'explain=true']
    const answer = await inspect('--method', 'tools/call', '--tool-name', 'recall', ...weighed.flatMap((arg) => ['--tool-arg', arg]))
    expect(answer).toMatchObject({ isError: false, structuredContent: { recipe: 'weights' } })
  })
})

describe('an SDK client', () => {
  let http: HttpWire
  beforeAll(async () => {
    http = await openHttp(['--data-dir', temporaryFolder(), '--embedder', 'hash'])
  })
  afterAll(async () => http.close())

  it.each([
    [
      'stdio',
      () =>
        new StdioClientTransport({
          command: process.execPath,
          args: [PROGRAM, 'mcp', '--data-dir', temporaryFolder(), '--embedder', 'hash'],
          env: { MNEME_SHARED: 'off' },
          stderr: 'ignore',
        }),
    ],
    ['http', () => new StreamableHTTPClientTransport(new URL(`${http.url}/mcp`))],
    ['http, the contract alone', () => new StreamableHTTPClientTransport(new URL(`${http.url}/mcp/memory`))],
  ] as const)('lists and calls over %s, and every answer fits its output schema', async (_, transport) => {
    const client = new Client({ name: 'wire-test', version: '1' })
    await client.connect(transport())
    try {
      const { tools } = await client.listTools()
      expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(TOOLS))
      expect(tools.every((tool) => tool.outputSchema !== undefined && tool.annotations !== undefined && tool.title !== undefined)).toBe(
        true,
      )
      // With the listed schemas, the client validates each structured result and throws on a mismatch.
      const call = async (name: string, input: Readonly<Record<string, unknown>> = {}) => {
        const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } })
        expect([name, isError]).toEqual([name, false])
        expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
        return z.record(z.string(), z.unknown()).parse(structuredContent)
      }
      const { id } = await call('store_memory', { content: 'The sampler records the rig', metadata: { session: 's', author: 'Ann' } })
      const other = await call('store_memory', { content: 'The rig moved to the east hall' })
      const rig = await call('create_entity', { name: 'rig', entity_type: 'machine', description: 'Old' })
      const hall = await call('create_entity', { name: 'east hall' })
      await call('create_relation', { from_entity: rig.id, to_entity: hall.id, relation_type: 'stands_in' })
      expect(await call('get_related', { entity_id: rig.id })).toMatchObject({ entity_count: 1, relation_count: 1 })
      await call('get_memory', { id })
      await call('update_memory', { id, metadata: { title: 'Sampler' } })
      await call('list_memories')
      await call('search', { query: 'rig' })
      await call('search_text', { query: 'rig' })
      expect(await call('recall', { query: 'Where is the rig?', explain: true })).toMatchObject({ memories_count: 2 })
      await call('get_valid')
      await call('get_valid_at', { timestamp: '2030-01-01T00:00:00Z' })
      await call('invalidate', { id, reason: 'sold', superseded_by: other.id })
      await call('get_memory', { id })
      await call('delete_memory', { id })
      await call('get_status')
      await call('reset_all_memory')
      await call('reset_all_memory', { confirm: true })
    } finally {
      await client.close()
    }
  })

  it('is listed the default profile in at most 16 KB, output schemas included', async () => {
    const answer = await http.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const { result } = z.object({ result: z.object({ tools: z.array(z.unknown()).min(TOOLS.length) }) }).parse(answer)
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(MOST_LISTING_BYTES)
  })
})
