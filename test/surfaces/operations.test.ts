import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from '../../src/contracts/contract.js'
import { checkAnswers, operation } from '../../src/contracts/operation.js'
import { LOCAL_PRINCIPAL } from '../../src/core/access/access-filter.js'
import { createDispatch } from '../../src/surfaces/host.js'
import { createApp } from '../../src/surfaces/http/app.js'
import { createMcpServer } from '../../src/surfaces/mcp/server.js'
import { fakeHost, memoryLog } from './fake-host.js'

const show = operation({
  name: 'show_note',
  title: 'Show',
  description: 'Shows one note.',
  effect: 'read',
  idempotent: true,
  listed: false,
  nulls: 'kept',
  refusal: (error) => `refused: ${error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
  route: { method: 'GET', path: '/v1/notes/:id', status: 203 },
  input: z.strictObject({ id: z.string(), lines: z.int().nullable().optional() }),
  output: z.object({ id: z.string(), lines: z.int().nullable().optional() }),
  run: async (_, input) => ({ ...input }),
})

const tend = operation({
  name: 'tend',
  title: 'Tend',
  description: 'Looks, or writes.',
  effect: 'write',
  mode: ({ what }) => (what === 'look' ? { effect: 'read' } : { longRunning: true }),
  idempotent: true,
  input: z.strictObject({ what: z.string() }),
  output: z.object({ done: z.boolean() }),
  // What its schema does not allow: only a test says so.
  run: async (_, { what }) => ({ done: what === 'wrong' ? JSON.parse('"no"') : true }),
})

const notes = contract({
  name: 'notes',
  title: 'Notes',
  instructions: '',
  operations: [show, tend],
  resources: [
    {
      uri: 'notes://rules',
      name: 'rules',
      title: 'Rules',
      description: 'How notes are kept',
      mimeType: 'text/markdown',
      text: () => '# Keep them',
    },
  ],
  prompts: [
    {
      name: 'review',
      title: 'Review',
      description: 'Looks over the notes of a day',
      arguments: [{ name: 'day', description: 'Which day', required: true }],
      render: ({ day }) => [{ role: 'user', text: `Review the notes of ${day}.` }],
    },
  ],
})

function served() {
  const host = fakeHost([notes])
  const log = memoryLog()
  const access = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }
  const app = createApp({ host, log, access, contracts: [notes] })
  const ask = async (method: string, path: string): Promise<readonly [number, unknown, string | null]> => {
    const request = new Request(`http://127.0.0.1:1${path}`, { method, headers: { host: '127.0.0.1:1' } })
    const response = await app.fetch(request, Buffer.alloc(0))
    return [response.status, await response.json(), response.headers.get('allow')]
  }
  return { host, log, ask }
}

async function connected() {
  const { host, log } = served()
  const server = createMcpServer({ dispatch: createDispatch(host, log), log, version: '1', contracts: [notes], connection: 'c' })
  const client = new Client({ name: 'tester', version: '0' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
  return client
}

describe('an operation is a complete value', () => {
  it('is served at its own method and path, with its own status', async () => {
    const { ask } = served()
    expect(await ask('GET', '/v1/notes/a%20b?lines=3')).toEqual([203, { id: 'a b', lines: 3 }, null])
    expect(await ask('DELETE', '/v1/notes/a')).toMatchObject([405, { error: { code: 'method_not_allowed' } }, 'GET'])
  })

  it('passes on every other path', async () => {
    const { ask } = served()
    expect(await ask('GET', '/v1/notes/a/b')).toMatchObject([404, { error: { message: 'Nothing is served at GET /v1/notes/a/b.' } }, null])
    expect(await ask('POST', '/v1/other/tool')).toMatchObject([404, { error: { message: 'There is no tool other/tool.' } }, null])
    expect(await ask('GET', '/v1/openapi.json')).toMatchObject([
      200,
      { paths: { '/v1/notes/{id}': { get: { operationId: 'notes_show_note' } } } },
      null,
    ])
  })

  it('describes rejected input, and reads null as documented', async () => {
    const call = {
      principal: LOCAL_PRINCIPAL,
      actor: 'x',
      connection: 'c',
      signal: new AbortController().signal,
      progress: () => undefined,
    }
    const context = (await fakeHost().engine()).context()
    expect(await show.call({ ...call, context }, { id: 'a', lines: null })).toEqual({ id: 'a', lines: null })
    await expect(show.call({ ...call, context }, { id: 1 })).rejects.toThrow('refused: id')
  })

  it('states the effect of a call by its input', () => {
    expect(tend.modeOf({ what: 'look' })).toEqual({ effect: 'read', longRunning: false })
    expect(tend.modeOf({ what: 'write' })).toEqual({ effect: 'write', longRunning: true })
    expect(tend.modeOf(undefined)).toEqual({ effect: 'write', longRunning: false })
  })

  it('has its required right, and may be unlisted', async () => {
    expect(notes.operations.map(({ name, right }) => [name, right])).toEqual([
      ['show_note', 'read'],
      ['tend', 'write'],
    ])
    const client = await connected()
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['tend'])
    expect(await client.callTool({ name: 'show_note', arguments: { id: 'a' } })).toMatchObject({ structuredContent: { id: 'a' } })
  })

  it('is held to its output schema in every test', async () => {
    checkAnswers()
    const client = await connected()
    expect(await client.callTool({ name: 'tend', arguments: { what: 'right' } })).toMatchObject({ structuredContent: { done: true } })
    expect(await client.callTool({ name: 'tend', arguments: { what: 'wrong' } })).toMatchObject({ isError: true })
  })
})

describe('a contract carries resources and prompts', () => {
  it('which are listed and read over MCP', async () => {
    const client = await connected()
    expect(await client.listResources()).toMatchObject({ resources: [{ uri: 'notes://rules', name: 'rules', mimeType: 'text/markdown' }] })
    expect(await client.readResource({ uri: 'notes://rules' })).toMatchObject({ contents: [{ uri: 'notes://rules', text: '# Keep them' }] })
    await expect(client.readResource({ uri: 'notes://none' })).rejects.toThrow(
      'There is no resource notes://none. Did you mean "notes://rules"? Known: notes://rules.',
    )
    expect(await client.listPrompts()).toMatchObject({ prompts: [{ name: 'review', arguments: [{ name: 'day', required: true }] }] })
    expect(await client.getPrompt({ name: 'review', arguments: { day: 'Monday' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Review the notes of Monday.' } }],
    })
    await expect(client.getPrompt({ name: 'review' })).rejects.toThrow('Missing argument of review: day')
  })
})
