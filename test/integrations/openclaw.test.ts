import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AgentContext,
  type MemoryCapability,
  type PluginApi,
  register,
  type ToolFactory,
} from '../../packages/openclaw/src/openclaw.js'
import { openServer } from '../client/both.js'

let server: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())

/** What the plugin registers, as OpenClaw calls it; `npm run test:integrations` runs OpenClaw itself. */
function registered(pluginConfig: Readonly<Record<string, unknown>>, config: () => object = () => ({})) {
  const warnings: string[] = []
  let capability: MemoryCapability | undefined
  let tools: ToolFactory = () => []
  const hooks = new Map<string, (event: never, context: AgentContext) => Promise<unknown>>()
  const api: PluginApi = {
    pluginConfig,
    runtime: { config: { current: config } },
    logger: { warn: (message) => warnings.push(message) },
    registerMemoryCapability: (given) => {
      capability = given
    },
    registerTool: (given) => {
      tools = given
    },
    on: (event: string, handler: (event: never, context: AgentContext) => Promise<unknown>) => void hooks.set(event, handler),
  }
  register(api)
  return {
    warnings,
    managerOf: async (agentId: string) => (await capability?.runtime.getMemorySearchManager({ agentId }))?.manager,
    toolsOf: (agentId: string) => tools({ agentId, sessionKey: 's' }),
    ask: (prompt: object, context: AgentContext) => hooks.get('before_prompt_build')?.(prompt as never, context),
    end: (user: string, context: AgentContext) =>
      hooks.get('agent_end')?.({ success: true, messages: [{ role: 'user', content: user }, answer] } as never, context),
  }
}

const answer = { role: 'assistant', content: [{ type: 'text', text: 'Noted.' }] }

describe('the OpenClaw plugin', () => {
  it('stores a turn, recalls it by the current message and shows it as a file', async () => {
    const host = registered({ url: server.url })
    const context = { agentId: 'main', sessionKey: 's', trigger: 'user' }
    await host.end('The attic window leaks.\nOnly in autumn.', context)
    const prompt = { prompt: 'a long history', currentUserMessage: 'Which window leaks in the attic?' }
    expect(await host.ask(prompt, context)).toMatchObject({ prependContext: expect.stringContaining('The attic window leaks.') })
    expect(await host.ask({ ...prompt, currentUserMessage: '' }, context)).toBeUndefined()
    const manager = await host.managerOf('main')
    const [hit] = (await manager?.search('attic window')) ?? []
    const path = hit?.path ?? ''
    expect(await manager?.readFile({ relPath: path })).toMatchObject({ status: 'ok', text: 'The attic window leaks.\nOnly in autumn.' })
    expect(await manager?.readFile({ relPath: path, from: 1, lines: 1 })).toMatchObject({ text: 'The attic window leaks.', nextFrom: 2 })
    expect(await manager?.readFile({ relPath: path, from: 2, lines: 9 })).toMatchObject({ text: 'Only in autumn.', lines: 1 })
    expect(await manager?.readFile({ relPath: 'MEMORY.md' })).toEqual({ status: 'not_found', text: '', path: 'MEMORY.md' })
    expect(await manager?.search('attic window', { sources: ['sessions'] })).toEqual([])
    expect(await manager?.search('attic window', { minScore: 2 })).toEqual([])
    expect(await (await host.managerOf('other'))?.search('attic window')).toEqual([])
  })

  it.each([
    { trigger: 'heartbeat' },
    { trigger: 'cron' },
    { trigger: 'memory' },
    { trigger: 'user', inputProvenance: { kind: 'inter_session' } },
  ])('neither stores nor recalls in a run with %j', async (run) => {
    const host = registered({ url: server.url, owner: 'scheduled' })
    await host.end('The cellar light flickers.', run)
    await host.end('The shed is dry.', { trigger: 'user' })
    expect(await host.ask({ prompt: 'Is the shed dry?' }, run)).toBeUndefined()
    const found = await (await host.managerOf('any'))?.search('cellar light')
    expect(found?.map(({ snippet }) => snippet)).not.toContain('The cellar light flickers.')
  })

  it('has no memory, tools or search for an agent whose memory is turned off, also while it runs', async () => {
    let off = false
    const host = registered({ url: server.url }, () =>
      off ? { agents: { entries: { main: { memory: { search: { enabled: false } } } } } } : {},
    )
    expect(host.toolsOf('main')).toHaveLength(3)
    off = true
    expect(host.toolsOf('main')).toEqual([])
    expect(host.toolsOf('other')).toHaveLength(3)
    expect(await host.managerOf('main')).toBeNull()
    await host.end('The parrot is green.', { agentId: 'main' })
    off = false
    expect(await (await host.managerOf('main'))?.search('parrot')).not.toContainEqual(
      expect.objectContaining({ snippet: 'The parrot is green.' }),
    )
  })

  it('reports a server that is gone in the log and answers without memory', async () => {
    const host = registered({ url: 'http://127.0.0.1:9' })
    expect(await host.ask({ prompt: 'Which window?' }, {})).toBeUndefined()
    expect(host.warnings).toEqual([expect.stringContaining('127.0.0.1:9')])
    const manager = await host.managerOf('main')
    expect(await manager?.probeEmbeddingAvailability()).toMatchObject({ ok: false, error: expect.stringContaining('127.0.0.1:9') })
    expect(await manager?.probeVectorAvailability()).toBe(false)
  })
})
