import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PROGRAM, startProgram } from '../wire/program.js'
import { KNOWLEDGE } from './bench.js'

let folder: string
let client: Client
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-substrate-client-'))
  client = new Client({ name: 'tester', version: '0' })
  const args = [PROGRAM, 'mcp', '--profile', 'substrate', '--data-dir', folder, '--embedder', 'hash']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { MNEME_SHARED: 'off' }, stderr: 'ignore' }))
})
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = async (name: string, mode: string, input: Readonly<Record<string, unknown>>) =>
  client.callTool({ name, arguments: { args: { mode, input_data: input } } })

describe('MCP client', () => {
  it('finds four tools in a short listing', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['memory_ingest', 'memory_query', 'memory_remember', 'memory_maintain'])
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(16_384)
    const text = `${client.getInstructions()} ${JSON.stringify(tools)}`
    for (const word of ['memory-substrate', 'agent memory', 'persistent memory', 'context', 'remember', 'ingest', 'maintain'])
      expect(text).toContain(word)
  })

  it('reads the three resources', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['memory://policy', 'memory://agent-playbook', 'memory://mcp-api-summary'])
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown', text: expect.stringMatching(/^# /u) }])
    }
    await expect(client.readResource({ uri: 'memory://none' })).rejects.toThrow('There is no resource memory://none')
  })

  it('receives both prompts, with and without arguments', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['memory_task_start', 'memory_review'])
    const textOf = async (name: string, input: Record<string, string>): Promise<string> => {
      const { messages } = await client.getPrompt({ name, arguments: input })
      return z.object({ text: z.string() }).parse(messages[0]?.content).text
    }
    expect(await textOf('memory_task_start', { task: 'fixing the kettle' })).toMatch(
      /fixing the kettle: query memory.*retry with expanded terms/u,
    )
    expect(await textOf('memory_task_start', {})).toContain('the task at hand')
    expect(await textOf('memory_review', { outcome: 'the kettle works' })).toMatch(/the kettle works.*possible_duplicates/u)
  })

  it('stores and finds, and receives readable errors', async () => {
    expect(await call('memory_remember', 'knowledge', KNOWLEDGE)).toMatchObject({ isError: false, structuredContent: { status: 'active' } })
    expect(await call('memory_query', 'search', { query: 'Python' })).toMatchObject({
      structuredContent: { data: { items: [{ title: 'Repo uses Python' }] } },
    })
    const refused = await call('memory_query', 'search', { query: 'x', root: '/' })
    expect(refused).toMatchObject({ isError: true, content: [{ text: 'args.input_data.root: Extra inputs are not permitted' }] })
  })

  it('does the same from the shell', async () => {
    const input = JSON.stringify({ args: { mode: 'search', input_data: { query: 'Python' } } })
    const program = startProgram(['call', 'substrate', 'memory_query', '--data-dir', folder, '--embedder', 'hash', '--json', input], {
      keepOutput: true,
    })
    const { out, code } = await program.ended()
    expect([code, z.object({ data: z.object({ items: z.array(z.unknown()) }) }).parse(JSON.parse(out)).data.items.length]).toEqual([0, 1])
  })
})

describe('two processes write one claim at once', () => {
  it('one succeeds, the other gets a conflict', async () => {
    const claim = { ...KNOWLEDGE, payload: { subject: 'node:kettle', predicate: 'colour', value: 'red' } }
    const input = JSON.stringify({ args: { mode: 'knowledge', input_data: claim } })
    const ended = await Promise.all(
      Array.from({ length: 4 }, () =>
        startProgram(['call', 'substrate', 'memory_remember', '--data-dir', folder, '--embedder', 'hash', '--json', input]).ended(),
      ),
    )
    expect(ended.filter(({ code }) => code === 0)).toHaveLength(1)
    for (const { code, err } of ended) if (code !== 0) expect(err).toContain('duplicate knowledge exists: know:')
  })
})
