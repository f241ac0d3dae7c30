import { Agent } from '@mastra/core/agent'
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { mnemeProcessor, mnemeTools } from '../src/mastra.js'

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory('ann')
})
afterAll(() => opened.close())

it('a Mastra agent receives memories, and its turn is stored', async () => {
  const { memory } = opened
  await memory.add('Ann prefers trains to planes.')
  const prompts: string[] = []
  const model = new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }) => {
      prompts.push(JSON.stringify(prompt))
      return {
        content: [{ type: 'text', text: 'By train.' }],
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        warnings: [],
      }
    },
  })
  const processor = mnemeProcessor(memory, { session: 's1', minRelevance: 0 })
  const agent = new Agent({
    id: 'travel',
    name: 'travel',
    instructions: 'Plan journeys.',
    model,
    inputProcessors: [processor],
    outputProcessors: [processor],
    tools: mnemeTools(memory),
  })
  expect((await agent.generate('How does Ann prefer to travel, by train or plane?')).text).toBe('By train.')
  expect(prompts[0]).toContain('Ann prefers trains to planes.')
  const texts: string[] = []
  for await (const one of memory.list()) texts.push(one.text)
  expect(texts).toEqual(['By train.', 'How does Ann prefer to travel, by train or plane?', 'Ann prefers trains to planes.'])
})

it('a Mastra agent receives errors of wrong tool input, and answers without the memory if it fails', async () => {
  const failures: unknown[] = []
  const prompts: string[] = []
  const inputs = [{}, { query: ' ' }]
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const model = new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }) => {
      prompts.push(JSON.stringify(prompt.at(-1)))
      const input = inputs.shift()
      return input === undefined
        ? { content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop', usage, warnings: [] }
        : {
            content: [{ type: 'tool-call', toolCallId: `c${inputs.length}`, toolName: 'recall', input: JSON.stringify(input) }],
            finishReason: 'tool-calls',
            usage,
            warnings: [],
          }
    },
  })
  const down = () => Promise.reject(new Error('down'))
  const processor = mnemeProcessor({ ...opened.memory, recall: down, add: down }, { onError: (failure) => failures.push(failure) })
  const agent = new Agent({
    id: 'wrong',
    name: 'wrong',
    instructions: 'Answer.',
    model,
    inputProcessors: [processor],
    outputProcessors: [processor],
    tools: mnemeTools(opened.memory),
  })
  expect((await agent.generate('What is my name?')).text).toBe('Done.')
  expect(prompts[1]).toMatch(/query/u)
  expect(prompts[2]).toMatch(/query/u)
  expect(failures).toEqual([new Error('down'), new Error('down')])
})
