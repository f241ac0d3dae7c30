import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, type MemoryClient } from 'mneme/client'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type Served, servedMemory } from '../../testing/served-memory.js'
import { TOOL_NAMES } from '../src/tools.js'
import { fetchHost, Host } from './openclaw-host.js'
import { type ScriptedModel, scriptedModel } from './scripted-model.js'

const MINUTES = 60_000
const found = await fetchHost()

const model = (url: string): object => ({
  baseUrl: url,
  apiKey: 'none',
  api: 'openai-completions',
  models: [
    {
      id: 'script',
      name: 'script',
      reasoning: false,
      input: ['text'],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 128_000,
      maxTokens: 4096,
    },
  ],
})

describe('OpenClaw itself', { timeout: 10 * MINUTES }, () => {
  let served: Served
  let script: ScriptedModel
  let memory: MemoryClient
  let host: Host
  beforeAll(async () => {
    if (typeof found === 'string') return
    served = await servedMemory()
    script = await scriptedModel()
    memory = connect(served.url, { owner: 'openclaw:main' })
    host = new Host(found.node, found.program)
    await host.installAdapter()
    await host.configure({
      gateway: { mode: 'local' },
      models: { mode: 'merge', providers: { scripted: model(script.url) } },
      agents: {
        defaults: { model: { primary: 'scripted/script' } },
        entries: { main: { default: true }, quiet: { memory: { search: { enabled: false } } } },
      },
      plugins: {
        slots: { memory: 'mneme' },
        entries: { mneme: { enabled: true, hooks: { allowConversationAccess: true }, config: { url: served.url } } },
      },
    })
    await host.start()
  }, 20 * MINUTES)
  afterAll(async () => {
    if (typeof found === 'string') return
    await host.close()
    script.close()
    await served.close()
  }, 5 * MINUTES)
  const needHost = ({ skip }: TestContext): void => {
    if (typeof found === 'string') skip(found)
  }

  it('offers the interface that the plugin is written against', (context) => {
    needHost(context)
    const folder = mkdtempSync(join(tmpdir(), 'mneme-openclaw-types-'))
    const types = join(typeof found === 'string' ? '' : dirname(found.program), 'dist', 'plugin-sdk', 'plugin-entry.d.ts')
    const source = fileURLToPath(new URL('../src/host.ts', import.meta.url))
    const [compiler, nodeTypes] = ['typescript/bin/tsc', '@types'].map((name) =>
      fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url)),
    )
    writeFileSync(
      join(folder, 'assigned.ts'),
      `import type { OpenClawPluginApi } from ${JSON.stringify(types.replace('.d.ts', '.js'))}
import type { PluginApi } from ${JSON.stringify(source.replace('.ts', '.js'))}
export const assigned = (api: OpenClawPluginApi): PluginApi => api
// @ts-expect-error: the types above are those of the host, not any
export const wrong = (api: OpenClawPluginApi): string => api.registerTool
`,
    )
    const flags = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
    const args = [compiler ?? '', '--ignoreConfig', ...flags, '--typeRoots', nodeTypes ?? '', 'assigned.ts']
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(stdout).toBe('')
  })

  it('loads the plugin into the memory slot with its tools and hooks', async (context) => {
    needHost(context)
    expect(await host.json('plugins', 'inspect', 'mneme', '--runtime')).toMatchObject({
      plugin: { status: 'loaded', memorySlotSelected: true, toolNames: TOOL_NAMES },
      typedHooks: [{ name: 'agent_end' }, { name: 'before_prompt_build' }],
      diagnostics: [],
    })
  })

  it('refuses a setting that the plugin does not have', async (context) => {
    needHost(context)
    await expect(host.configure({ plugins: { entries: { mneme: { config: { adress: 'x' } } } } })).rejects.toThrow('adress')
  })

  it('stores a turn for its agent and recalls it in another session', async (context) => {
    needHost(context)
    await host.ask('one', 'The attic window leaks when it rains.')
    // The host does not wait for the hook that stores the turn.
    await expect.poll(() => textsOf(memory), { timeout: MINUTES }).toEqual(['Noted.', 'The attic window leaks when it rains.'])
    await host.ask('two', 'Which window leaks in the attic?')
    expect(script.lastRequest()).toMatch(/<mneme-memory>[^<]*The attic window leaks when it rains\.[^<]*<\/mneme-memory>/u)
    expect(script.lastRequest()).toContain('call memory_recall')
  })

  it('lets the agent recall, store and erase with tools', async (context) => {
    needHost(context)
    const stored = await host.ask('three', 'CALL memory_store {"text":"The boiler is in the cellar."}')
    const id = /"stored\W+(\w+)/u.exec(stored)?.[1] ?? ''
    expect(await memory.get(id)).toMatchObject({ text: 'The boiler is in the cellar.' })
    expect(await host.ask('four', 'CALL memory_recall {"query":"Where is the boiler?","limit":3}')).toContain(
      'The boiler is in the cellar.',
    )
    expect(await host.ask('five', `CALL memory_forget {"id":"${id}"}`)).toMatch(/erased\W+true/u)
    expect(await memory.get(id)).toBeUndefined()
    expect(await host.ask('six', 'CALL memory_recall {"query":" "}')).toContain('query must be a text')
  })

  it('searches and probes the memory for its own surfaces', async (context) => {
    needHost(context)
    expect(await host.call('memory.search', { agentId: 'main', query: 'attic window' })).toMatchObject({
      provider: 'mneme',
      results: expect.arrayContaining([expect.objectContaining({ snippet: 'The attic window leaks when it rains.' })]),
    })
    expect(await host.call('doctor.memory.status', { agentId: 'main', probe: true })).toMatchObject({
      provider: 'mneme',
      embedding: { ok: true },
    })
  })

  it('neither recalls nor stores for an agent whose memory is turned off', async (context) => {
    needHost(context)
    await host.ask('seven', 'Which window leaks in the attic today?', 'quiet')
    expect(script.lastRequest()).not.toContain('<mneme-memory>')
    expect(await textsOf(connect(served.url))).not.toContain('Which window leaks in the attic today?')
  })

  it('answers without memory if the server is gone, and says so in its log', async (context) => {
    needHost(context)
    await served.close()
    expect(await host.ask('eight', 'The dog is called Rex.')).toContain('Noted.')
    await expect.poll(host.logged, { timeout: MINUTES }).toMatch(/mneme: No answer from http/u)
  })
})

async function textsOf(memory: MemoryClient): Promise<string[]> {
  const texts: string[] = []
  for await (const { text } of memory.list()) texts.push(text)
  return texts
}
