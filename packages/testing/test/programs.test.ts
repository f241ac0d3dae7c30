import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, servedMemory } from '../served-memory.js'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const root = join(packages, '..')
// Inside of packages, so that the names of frameworks and adapters resolve.
const folder = join(packages, 'node_modules', `.programs-${process.pid}`)

/** What a page leaves to its reader, with a scripted model, and what a program shows when it has run. */
const GIVEN: Readonly<Record<string, { readonly before?: string; readonly after?: string }>> = {
  langgraph: { after: "console.log(found.map(({ key }) => key).join() === 'prefs' ? 'done' : found)" },
  'ai-sdk': {
    before: `import { MockLanguageModelV4 } from 'ai/test'
const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
const model = new MockLanguageModelV4({
  doGenerate: async () => ({ content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }),
})`,
    after: 'console.log(text)',
  },
  'openai-agents': {
    before: `import { setDefaultModelProvider, setTracingDisabled, Usage } from '@openai/agents-core'
setTracingDisabled(true)
setDefaultModelProvider({
  getModel: () => ({
    getResponse: async () => ({
      usage: new Usage(),
      output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }],
    }),
    getStreamedResponse: () => { throw new Error('not streamed') },
  }),
})`,
    after: "console.log((await new MnemeSession(memory, { sessionId: 'monday' }).getItems()).length >= 2 ? 'done' : 'no history')",
  },
  anthropic: {
    before: `process.env.ANTHROPIC_API_KEY = 'test'
const real = globalThis.fetch
globalThis.fetch = async (input, init) =>
  String(input).startsWith('https://api.anthropic.com/')
    ? Response.json({ id: 'm', type: 'message', role: 'assistant', model: 'test', content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } })
    : real(input, init)`,
    after: "console.log(message.content.map((part) => (part.type === 'text' ? part.text : '')).join())",
  },
  mastra: {
    before: `import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock'
const model = new MastraLanguageModelV2Mock({
  doGenerate: async () => ({ content: [{ type: 'text', text: 'done' }], finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, warnings: [] }),
})`,
    after: "console.log((await agent.generate('Plan a journey.')).text)",
  },
  'google-adk': {
    before: `import { BaseLlm, InMemorySessionService, LlmAgent, type LlmResponse } from '@google/adk'
class Scripted extends BaseLlm {
  async *generateContentAsync(): AsyncGenerator<LlmResponse, void> { yield { content: { role: 'model', parts: [{ text: 'done' }] } } }
  connect(): Promise<never> { throw new Error('not live') }
}
const sessionService = new InMemorySessionService()
const agent = new LlmAgent({ name: 'helper', model: new Scripted({ model: 'scripted' }) })`,
    after: `const session = await sessionService.createSession({ appName: 'app', userId: 'ann' })
for await (const event of runner.runAsync({ userId: 'ann', sessionId: session.id, newMessage: { role: 'user', parts: [{ text: 'Hello' }] } }))
  console.log(event.content?.parts?.[0]?.text)`,
  },
  // Its agent is a program of its own; the adapter's test drives the SDK with a scripted one.
  'claude-agent': {},
}

interface Program {
  readonly page: string
  readonly adapter: string
  readonly text: string
}

const pages = ['docs/frameworks.md', ...readdirSync(packages).map((name) => `packages/${name}/README.md`)]
const programs: readonly Program[] = pages.flatMap((page) => {
  const prose = textOf(join(root, page))
  return [...prose.matchAll(/^```ts\n([\s\S]*?)^```$/gmu)].map(([, text = '']) => ({
    page,
    adapter: /from '@mneme\/([\w-]+)'/u.exec(text)?.[1] ?? '',
    text,
  }))
})

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A program as a module. The names of \@openai/agents are those of the package that it is made of. */
const moduleOf = ({ adapter, text }: Program): string =>
  [GIVEN[adapter]?.before ?? '', text, GIVEN[adapter]?.after ?? '', 'export {}', '']
    .join('\n')
    .replace("'@openai/agents'", "'@openai/agents-core'")

describe('programs in the pages about frameworks', () => {
  let served: Served
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    served = await servedMemory()
  })
  afterAll(async () => {
    await served.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const written = (program: Program, index: number): string => {
    const file = join(folder, `program-${index}.mts`)
    writeFileSync(file, moduleOf(program).replaceAll('http://127.0.0.1:7077', served.url))
    return file
  }

  it('are one for each adapter, on its page and on that of all', () => {
    for (const page of ['docs/frameworks.md', 'packages'])
      expect(new Set(programs.filter((one) => one.page.startsWith(page)).map(({ adapter }) => adapter))).toEqual(
        new Set(Object.keys(GIVEN)),
      )
  })

  it('compile in strict mode', () => {
    const flags = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const args = [compiler, '--ignoreConfig', ...flags, '--typeRoots', join(root, 'node_modules/@types'), ...programs.map(written)]
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  const runnable = programs.filter(({ adapter }) => GIVEN[adapter]?.after !== undefined)
  it.each(runnable.map((program) => [program.page, program.adapter, program] as const))('%s, %s runs', async (_, __, program) => {
    const esbuild = pathToFileURL(join(root, 'node_modules/esbuild/lib/main.js')).href
    const { transformSync }: typeof import('esbuild') = await import(esbuild)
    const source = readFileSync(written(program, programs.indexOf(program)), 'utf8')
    const file = join(folder, `program-${programs.indexOf(program)}.mjs`)
    writeFileSync(file, transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' }).code)
    const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', cwd: folder, timeout: 100_000 })
    expect(stdout.trim().split('\n').at(-1), stderr).toBe('done')
  })
})
