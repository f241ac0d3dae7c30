import {
  BaseLlm,
  createEvent,
  InMemorySessionService,
  isFinalResponse,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
  LOAD_MEMORY,
  Runner,
} from '@google/adk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openedMemory } from '../../testing/opened-memory.js'
import { mnemeMemoryService } from '../src/google-adk.js'

let opened: Awaited<ReturnType<typeof openedMemory>>
beforeAll(async () => {
  opened = await openedMemory()
})
afterAll(() => opened.close())

class ScriptedLlm extends BaseLlm {
  readonly requests: LlmRequest[] = []
  readonly #parts: LlmResponse[]
  constructor(...parts: LlmResponse[]) {
    super({ model: 'scripted' })
    this.#parts = parts
  }
  async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.requests.push(structuredClone({ contents: request.contents }) as LlmRequest)
    const next = this.#parts.shift()
    if (next !== undefined) yield next
  }
  connect(): Promise<never> {
    throw new Error('not live')
  }
}

it('an agent of the ADK loads from older sessions what was added to its memory', async () => {
  const memoryService = mnemeMemoryService(opened.memory)
  const sessionService = new InMemorySessionService()
  const earlier = await sessionService.createSession({ appName: 'app', userId: 'ann' })
  await sessionService.appendEvent({
    session: earlier,
    event: createEvent({ author: 'user', content: { role: 'user', parts: [{ text: 'My dog is called Rex.' }] } }),
  })
  const stored = await sessionService.getSession({ appName: 'app', userId: 'ann', sessionId: earlier.id })
  if (stored === undefined) throw new Error('no session')
  await memoryService.addSessionToMemory(stored)
  await memoryService.addSessionToMemory(stored)
  const { memories } = await memoryService.searchMemory({ appName: 'app', userId: 'ann', query: 'dog' })
  expect(memories).toMatchObject([{ content: { parts: [{ text: 'My dog is called Rex.' }] }, author: 'user' }])
  expect((await memoryService.searchMemory({ appName: 'app', userId: 'bob', query: 'dog' })).memories).toEqual([])
  const model = new ScriptedLlm(
    { content: { role: 'model', parts: [{ functionCall: { name: 'load_memory', args: { query: 'dog' } } }] } },
    { content: { role: 'model', parts: [{ text: 'Rex.' }] } },
  )
  const agent = new LlmAgent({ name: 'helper', model, tools: [LOAD_MEMORY] })
  const runner = new Runner({ appName: 'app', agent, sessionService, memoryService })
  const session = await sessionService.createSession({ appName: 'app', userId: 'ann' })
  const answers: string[] = []
  for await (const event of runner.runAsync({
    userId: 'ann',
    sessionId: session.id,
    newMessage: { role: 'user', parts: [{ text: 'What is my dog called?' }] },
  }))
    if (isFinalResponse(event)) answers.push(event.content?.parts?.[0]?.text ?? '')
  expect(answers).toEqual(['Rex.'])
  expect(JSON.stringify(model.requests[1]?.contents)).toContain('My dog is called Rex.')
})

it('memories of other apps and users are not found, whatever characters their names have', async () => {
  const service = mnemeMemoryService(opened.memory)
  const places = [
    ['a/b', 'c'],
    ['a', 'b/c'],
    ['a%2Fb', 'c'],
    ["o'neil; --", '日本 💾'],
  ] as const
  const sessions = new InMemorySessionService()
  for (const [appName, userId] of places) {
    const session = await sessions.createSession({ appName, userId, sessionId: 'same' })
    const content = { role: 'user', parts: [{ text: `The code word of ${appName} and ${userId} is umbrella.` }] }
    await sessions.appendEvent({ session, event: createEvent({ id: 'same', author: 'user', content }) })
    await service.addSessionToMemory((await sessions.getSession({ appName, userId, sessionId: 'same' })) ?? session)
  }
  for (const [appName, userId] of places) {
    const { memories } = await service.searchMemory({ appName, userId, query: 'What is the code word?' })
    expect(memories.map(({ content }) => content.parts?.[0]?.text)).toEqual([`The code word of ${appName} and ${userId} is umbrella.`])
  }
  for (const query of ['', ' \n']) expect(await service.searchMemory({ appName: 'a/b', userId: 'c', query })).toEqual({ memories: [] })
})
