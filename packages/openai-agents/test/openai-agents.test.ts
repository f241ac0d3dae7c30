import { Agent, type Model, type ModelRequest, type ModelResponse, Runner, setTracingDisabled, Usage } from '@openai/agents-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { MnemeSession, mnemeTools, recallFromOlderSessions } from '../src/openai-agents.js'

setTracingDisabled(true)

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory('ann')
})
afterAll(() => opened.close())

const message = (text: string) => ({
  type: 'message' as const,
  role: 'assistant' as const,
  status: 'completed' as const,
  content: [{ type: 'output_text' as const, text }],
})

class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []
  readonly #answers: ModelResponse['output'][]
  constructor(...answers: ModelResponse['output'][]) {
    this.#answers = answers
  }
  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request)
    return { usage: new Usage(), output: this.#answers.shift() ?? [message('done')] }
  }
  // biome-ignore lint/correctness/useYield: this model does not stream
  async *getStreamedResponse(): AsyncIterable<never> {
    throw new Error('not streamed')
  }
}

describe('a session of OpenAI Agents', () => {
  it('returns the history in order and removes its items from the end', async () => {
    const model = new ScriptedModel([message('Noted: the boiler is in the cellar.')], [message('In the cellar.')])
    const agent = new Agent({ name: 'helper', model })
    const session = new MnemeSession(opened.memory, { sessionId: 's1' })
    const runner = new Runner()
    await runner.run(agent, 'The boiler is in the cellar.', { session })
    expect((await runner.run(agent, 'Where is it?', { session })).finalOutput).toBe('In the cellar.')
    expect(JSON.stringify(model.requests[1]?.input)).toContain('The boiler is in the cellar.')
    const items = await session.getItems()
    expect(items.map((item) => ('role' in item ? item.role : item.type))).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(await session.getItems(1)).toEqual([items[3]])
    expect(await session.popItem()).toEqual(items[3])
    expect(await session.getItems()).toEqual(items.slice(0, 3))
    await session.clearSession()
    expect(await session.getItems()).toEqual([])
    expect(await session.popItem()).toBeUndefined()
    expect(await session.getSessionId()).toBe('s1')
  })

  it('adds memories of one session to another', async () => {
    const model = new ScriptedModel()
    const runner = new Runner({ sessionInputCallback: recallFromOlderSessions(opened.memory, { minRelevance: 0 }) })
    await runner.run(new Agent({ name: 'helper', model }), 'Where is the boiler?', {
      session: new MnemeSession(opened.memory, { sessionId: 's2' }),
    })
    expect(JSON.stringify(model.requests[0]?.input)).toContain('The boiler is in the cellar.')
    expect(JSON.stringify(await new MnemeSession(opened.memory, { sessionId: 's2' }).getItems())).not.toContain('mneme-memory')
  })

  it('keeps sessions apart, whatever characters their ids have', async () => {
    const places = [
      { owner: 'x', sessionId: 'y:z' },
      { owner: 'x:y', sessionId: 'z' },
      { owner: 'x', sessionId: 'y' },
      { owner: 'x', historyOwner: 'x', sessionId: "'; 日本 💾\n" },
      { owner: 'x', historyOwner: 'x', sessionId: ' ' },
    ]
    for (const place of places)
      await new MnemeSession(opened.memory, place).addItems([{ role: 'user', content: `Said in ${JSON.stringify(place)}` }])
    for (const place of places)
      expect(await new MnemeSession(opened.memory, place).getItems()).toEqual([
        { role: 'user', content: `Said in ${JSON.stringify(place)}` },
      ])
    const other = new MnemeSession(opened.memory, { owner: 'x', sessionId: 'never used' })
    expect([await other.getItems(), await other.popItem()]).toEqual([[], undefined])
  })

  it('rejects a session without an id', () => {
    for (const options of [undefined, {}, { sessionId: '' }, { sessionId: 7 }])
      expect(() => Reflect.construct(MnemeSession, [opened.memory, options]), JSON.stringify(options)).toThrow('sessionId must be a text')
  })

  it('has tools that an agent calls', async () => {
    const call = (name: string, given: object) => [
      { type: 'function_call' as const, callId: name, name, status: 'completed' as const, arguments: JSON.stringify(given) },
    ]
    const model = new ScriptedModel(
      call('remember', { text: 'The spare key hangs in the shed.' }),
      call('recall', { query: 'spare key' }),
      [message('In the shed.')],
    )
    const agent = new Agent({ name: 'helper', model, tools: mnemeTools(opened.memory, { owner: 'tools' }) })
    expect((await new Runner().run(agent, 'go')).finalOutput).toBe('In the shed.')
    expect(JSON.stringify(model.requests[2]?.input)).toContain('The spare key hangs in the shed.')
  })
})
