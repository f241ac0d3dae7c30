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
