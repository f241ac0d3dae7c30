import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { fakeContract, fakeHost, memoryLog, otherContract } from '../../../test/surfaces/fake-host.js'
import type { Contract } from '../../contracts/contract.js'
import { createDispatch } from '../host.js'
import { createMcpServer, tolerateNullArguments } from './server.js'

async function connect(contracts: readonly Contract[] = [fakeContract, otherContract]) {
  const host = fakeHost(contracts)
  const log = memoryLog()
  const dispatch = createDispatch(host, log)
  const server = createMcpServer({ dispatch, log, version: host.version, contracts, connection: 'c1' })
  const client = new Client({ name: 'tester', version: '0' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  return { client, dispatch, host, log }
}

describe('the MCP server', () => {
  it('introduces itself and joins the instructions of its contracts', async () => {
    const { client } = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'mneme', version: '1.2.3' })
    expect(client.getInstructions()).toBe('Fake instructions.\n\nOther instructions.')
  })

  it('prefixes a shared name with its contract the second time, and lists only annotations that differ from the default', async () => {
    const { client, host } = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['echo', { readOnlyHint: true, openWorldHint: false }],
      ['fail', { openWorldHint: false }],
      ['slow', { destructiveHint: false, idempotentHint: true, openWorldHint: false }],
      ['other_echo', { readOnlyHint: true, openWorldHint: false }],
      ['refuse', { openWorldHint: false }],
    ])
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['text'] })
    expect(tools[0]?.outputSchema).toMatchObject({ type: 'object' })
    expect(host.opened).toBe(0)
  })

  it('answers with text and the same structured value, and passes the caller to the operation', async () => {
    const { client } = await connect()
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi', times: 2 } })
    expect(result.structuredContent).toEqual({ said: 'hihi', input: { text: 'hi', times: 2 }, actor: 'mcp:tester', connection: 'c1' })
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }])
    expect(result.isError).toBe(false)
  })

  it('formats a failure as message and hint, or as the contract defines', async () => {
    const { client } = await connect()
    expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Memory not found: x\nList the memories first.' }],
    })
    const refused = await client.callTool({ name: 'refuse', arguments: {} })
    expect(refused).toMatchObject({ isError: true, structuredContent: { error_type: 'not_found', message: 'Memory not found: x' } })
  })

  it('rejects invalid arguments with a result that the model can read', async () => {
    const { client } = await connect()
    const result = await client.callTool({ name: 'echo', arguments: { text: 1, nope: true } })
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toMatch(/Invalid text.*Unknown argument: nope/)
  })

  it('hides an unforeseen failure from the client and logs it once', async () => {
    const { client, log } = await connect()
    const result = await client.callTool({ name: 'fail', arguments: { how: 'bug' } })
    expect(JSON.stringify(result)).toContain('Internal error.')
    expect(JSON.stringify(result)).not.toContain('secret detail')
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('rejects an unknown tool as a protocol error', async () => {
    const { client } = await connect()
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 })
  })

  it('reports a store that cannot be opened and works once it can', async () => {
    const { client, host } = await connect()
    host.broken = true
    expect(await client.callTool({ name: 'echo', arguments: { text: 'a' } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('read-only') }],
    })
    host.broken = false
    expect(await client.callTool({ name: 'echo', arguments: { text: 'a' } })).toMatchObject({ isError: false })
  })

  it('sends progress to a client that requested it', async () => {
    const { client } = await connect()
    const seen: unknown[] = []
    await client.callTool({ name: 'slow', arguments: { ms: 1 } }, { onprogress: (progress) => void seen.push(progress) })
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half way' }])
  })

  it('cancels a call when the client does', async () => {
    const { client, dispatch } = await connect()
    const abort = new AbortController()
    const call = client.callTool(
      { name: 'slow', arguments: { ms: 60_000 } },
      { signal: abort.signal, onprogress: () => abort.abort('enough') },
    )
    await expect(call).rejects.toThrow()
    await dispatch.whenIdle()
  })
})

describe('tolerateNullArguments', () => {
  it('drops only a null `arguments` of a tool call, in batches too', () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: null } }
    const cleaned = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } }
    expect(tolerateNullArguments(call)).toEqual(cleaned)
    expect(tolerateNullArguments([call])).toEqual([cleaned])
    expect(tolerateNullArguments({ method: 'other', params: { arguments: null } })).toEqual({
      method: 'other',
      params: { arguments: null },
    })
  })
})
