import { generateText, simulateReadableStream, stepCountIs, streamText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { mnemeTools, withMneme } from '../src/ai-sdk.js'
import { runForget } from '../src/tools.js'

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory('ann')
})
afterAll(() => opened.close())

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
const stop = { unified: 'stop', raw: 'stop' } as const
const said = (text: string) => ({ content: [{ type: 'text' as const, text }], finishReason: stop, usage, warnings: [] })

describe('a model with a memory', () => {
  it('receives memories and stores the turn, generated or streamed', async () => {
    const { memory } = opened
    await memory.add('Ann is allergic to peanuts.')
    const model = new MockLanguageModelV4({
      doGenerate: async () => said('No peanuts then.'),
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'Streamed ' },
            { type: 'text-delta', id: '1', delta: 'answer.' },
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: stop, usage },
          ],
        }),
      }),
    })
    const remembering = withMneme(model, memory, { session: 's1', minRelevance: 0 })
    const { text } = await generateText({ model: remembering, prompt: 'May Ann eat peanuts?' })
    expect(text).toBe('No peanuts then.')
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('<mneme-memory>')
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('allergic to peanuts')
    const streamed = streamText({ model: remembering, prompt: 'And walnuts?' })
    expect(await streamed.text).toBe('Streamed answer.')
    const texts: string[] = []
    for await (const one of memory.list()) texts.push(one.text)
    expect(texts).toEqual(['Streamed answer.', 'And walnuts?', 'No peanuts then.', 'May Ann eat peanuts?', 'Ann is allergic to peanuts.'])
  })

  it('answers without the memory if it fails', async () => {
    const failures: unknown[] = []
    const broken = { ...opened.memory, recall: () => Promise.reject(new Error('down')), add: () => Promise.reject(new Error('down')) }
    const model = withMneme(new MockLanguageModelV4({ doGenerate: async () => said('Hello.') }), broken, {
      onError: (failure) => failures.push(failure),
    })
    expect((await generateText({ model, prompt: 'Hi' })).text).toBe('Hello.')
    expect(failures).toHaveLength(2)
  })

  it('calls the tools', async () => {
    let step = 0
    const call = (toolName: string, input: object) => ({
      content: [{ type: 'tool-call' as const, toolCallId: `c${step}`, toolName, input: JSON.stringify(input) }],
      finishReason: { unified: 'tool-calls', raw: 'tool-calls' } as const,
      usage,
      warnings: [],
    })
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        step++
        if (step === 1) return call('remember', { text: 'The alarm code changes on Fridays.' })
        if (step === 2) return call('recall', { query: 'When does the alarm code change?' })
        return said('On Fridays.')
      },
    })
    const tools = mnemeTools({ memory: opened.memory, owner: 'tools' })
    const { steps } = await generateText({ model, tools, stopWhen: stepCountIs(4), prompt: 'Remember this' })
    expect(steps).toHaveLength(3)
    expect(JSON.stringify(steps[1]?.toolResults)).toContain('The alarm code changes on Fridays.')
  })

  it('needs no owner, and erases no memory of another one', async () => {
    const plain = await openedMemory()
    const model = new MockLanguageModelV4({ doGenerate: async () => said('Noted.') })
    await generateText({ model: withMneme(model, plain.memory), prompt: 'The attic is damp.' })
    await generateText({ model: withMneme(model, plain.memory, { minRelevance: 0 }), prompt: 'Is the attic damp?' })
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('The attic is damp.')
    const [added] = await plain.memory.add('A secret of Bob.', { owner: 'bob' })
    expect(await runForget({ memory: plain.memory, owner: 'ann' }, added?.id ?? '')).toEqual({ deleted: false })
    expect(await plain.memory.get(added?.id ?? '', { owner: 'bob' })).toMatchObject({ text: 'A secret of Bob.' })
    await plain.close()
  })

  it('receives errors of wrong tool input as results of the framework', async () => {
    const inputs = [{ query: ' ' }, { query: 'x'.repeat(200_000) }]
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        const input = inputs.shift()
        return input === undefined
          ? said('Done.')
          : {
              content: [{ type: 'tool-call' as const, toolCallId: `c${inputs.length}`, toolName: 'recall', input: JSON.stringify(input) }],
              finishReason: { unified: 'tool-calls', raw: 'tool-calls' } as const,
              usage,
              warnings: [],
            }
      },
    })
    const { steps } = await generateText({ model, tools: mnemeTools({ memory: opened.memory }), stopWhen: stepCountIs(4), prompt: 'go' })
    expect(steps.slice(0, 2).map(({ content }) => content.at(-1))).toMatchObject([
      { type: 'tool-error', toolName: 'recall' },
      { type: 'tool-error', toolName: 'recall' },
    ])
  })
})
