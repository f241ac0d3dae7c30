import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { query, type SpawnedProcess, type SpawnOptions } from '@anthropic-ai/claude-agent-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { mnemeHooks, mnemeServer } from '../src/claude-agent.js'

type Row = Readonly<Record<string, unknown>>

const rowOf = (value: unknown): Row => (typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {})

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => String(rowOf(part).text ?? '')).join('') : String(content)

/** Simulates Claude Code: implements its control protocol and responds with what the hooks added to the prompt. */
class ScriptedAgent extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  killed = false
  exitCode: number | null = null
  readonly args: readonly string[]
  readonly added: string[] = []
  private readonly waiting = new Map<string, (response: Row) => void>()
  private hooks: Row = {}

  constructor(options: SpawnOptions) {
    super()
    this.args = options.args
    let rest = ''
    this.stdin.setEncoding('utf8').on('data', (part: string) => {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') void this.take(rowOf(JSON.parse(line)))
    })
    this.stdin.on('end', () => this.end())
  }

  kill(): boolean {
    this.killed = true
    this.end()
    return true
  }

  private end(): void {
    if (this.exitCode !== null) return
    this.exitCode = 0
    this.stdout.end()
    this.emit('exit', 0, null)
  }

  private say(message: Row): void {
    this.stdout.write(`${JSON.stringify(message)}\n`)
  }

  private async take(message: Row): Promise<void> {
    const request = rowOf(message.request)
    if (message.type === 'control_request') {
      if (request.subtype === 'initialize') this.hooks = rowOf(request.hooks)
      const response = { subtype: 'success', request_id: message.request_id, response: { commands: [], models: [], account: {} } }
      this.say({ type: 'control_response', response })
    }
    if (message.type === 'control_response') {
      const response = rowOf(message.response)
      this.waiting.get(String(response.request_id))?.(rowOf(response.response))
    }
    if (message.type === 'user') await this.answer(textOf(rowOf(message.message).content))
  }

  /** One turn, with the hooks that the SDK registered. */
  private async answer(prompt: string): Promise<void> {
    const session = { session_id: 's1', transcript_path: '', cwd: '/' }
    const output = await this.hook('UserPromptSubmit', { ...session, hook_event_name: 'UserPromptSubmit', prompt })
    const added = String(rowOf(output.hookSpecificOutput).additionalContext ?? '')
    this.added.push(added)
    const text = added === '' ? 'I do not know.' : 'As you said.'
    await this.hook('Stop', { ...session, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: text })
    this.say({ type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's1', num_turns: 1, uuid: 'u1' })
  }

  private hook(event: string, input: Row): Promise<Row> {
    const [matcher] = Array.isArray(this.hooks[event]) ? this.hooks[event].map(rowOf) : []
    const [id] = Array.isArray(matcher?.hookCallbackIds) ? matcher.hookCallbackIds : []
    const request_id = `h${this.waiting.size}`
    return new Promise((resolve) => {
      this.waiting.set(request_id, resolve)
      this.say({ type: 'control_request', request_id, request: { subtype: 'hook_callback', callback_id: id, input } })
    })
  }
}

async function ask(
  prompt: string,
  hooks: ReturnType<typeof mnemeHooks>,
): Promise<{ readonly agent: ScriptedAgent; readonly text: string }> {
  let agent: ScriptedAgent | undefined
  let text = ''
  const spawnClaudeCodeProcess = (options: SpawnOptions): SpawnedProcess => {
    agent = new ScriptedAgent(options)
    return agent
  }
  for await (const message of query({
    prompt,
    options: { mcpServers: mnemeServer(['--profile', 'memory']), hooks, pathToClaudeCodeExecutable: 'claude', spawnClaudeCodeProcess },
  })) {
    if (message.type === 'result' && message.subtype === 'success') text = message.result
  }
  if (agent === undefined) throw new Error('The SDK has started no agent.')
  return { agent, text }
}

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory()
})
afterAll(() => opened.close())

describe('an agent of the Claude Agent SDK', () => {
  it('receives memories with a prompt, and its turns are stored', async () => {
    const hooks = mnemeHooks(opened.memory, { owner: 'ann', minRelevance: 0 })
    const first = await ask('The api listens on port 8443.', hooks)
    expect(first.text).toBe('I do not know.')
    const second = await ask('Which port does the api listen on?', hooks)
    expect(second.agent.added[0]).toContain('The api listens on port 8443.')
    expect(second.agent.added[0]).toContain('<mneme-memory>')
    const kept: string[] = []
    for await (const { text } of opened.memory.list({ owner: 'ann' })) kept.push(text)
    expect(kept).toContain('The api listens on port 8443.')
    expect(kept).toContain('Which port does the api listen on?')
  })

  it('receives the tools of mneme as a separate server', async () => {
    const { agent } = await ask('Hello', mnemeHooks(opened.memory, { owner: 'ann' }))
    const config = agent.args[agent.args.indexOf('--mcp-config') + 1] ?? ''
    expect(JSON.parse(config)).toEqual({ mcpServers: { mneme: { type: 'stdio', command: 'mneme', args: ['mcp', '--profile', 'memory'] } } })
  })

  it('answers without the memory if it fails', async () => {
    const failures: unknown[] = []
    const broken = { ...opened.memory, recall: () => Promise.reject(new Error('gone')), add: () => Promise.reject(new Error('gone')) }
    const { text } = await ask('Hello', mnemeHooks(broken, { onFailure: (failure) => failures.push(failure) }))
    expect(text).toBe('I do not know.')
    expect(failures).toHaveLength(2)
  })
})
