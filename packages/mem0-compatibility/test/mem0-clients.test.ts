import { once } from 'node:events'
import { createServer } from 'node:http'
import { addMemories, createMem0, getMemories, retrieveMemories } from '@mem0/vercel-ai-provider'
import { generateText, streamText } from 'ai'
import { MemoryClient } from 'mem0ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servedMemory } from '../../testing/served-memory.js'

let host = ''
let stop: () => Promise<void> = async () => undefined
beforeAll(async () => {
  const served = await servedMemory('--profile', 'memory,mem0')
  host = `${served.url}/compat/mem0`
  stop = () => served.close()
})
afterAll(() => stop())

describe("mem0's own clients", () => {
  it('MemoryClient of mem0ai runs its calls unchanged', async () => {
    const client = new MemoryClient({ apiKey: 'any', host })
    await client.ping()
    const messages = [
      { role: 'user' as const, content: "Hi, I'm Alex. I'm a vegetarian and I'm allergic to nuts." },
      { role: 'assistant' as const, content: "Hello Alex! I see that you're a vegetarian with a nut allergy." },
    ]
    await client.add(messages, { userId: 'alex', metadata: { topic: 'food' } })
    const found = await client.search('What are my dietary restrictions, vegetarian or allergic?', { filters: { user_id: 'alex' } })
    expect(JSON.stringify(found)).toContain('allergic to nuts')
    const all = await client.getAll({ filters: { user_id: 'alex' } })
    expect(all.results).toHaveLength(2)
    const id = all.results[0]?.id ?? ''
    expect(await client.get(id)).toMatchObject({ id, metadata: { topic: 'food' } })
    await client.update(id, { text: 'Alex is vegan.' })
    expect(await client.history(id)).toMatchObject([{ event: 'ADD' }, { event: 'UPDATE', newMemory: 'Alex is vegan.' }])
    await client.batchUpdate([{ memoryId: id, text: 'Alex eats no animals.' }])
    expect((await client.get(id)).memory).toBe('Alex eats no animals.')
    await client.batchDelete([id])
    await expect(client.get(id)).rejects.toThrow()
    await client.deleteAll({ userId: 'alex' })
    expect((await client.getAll({ filters: { user_id: 'alex' } })).results).toEqual([])
    await client.add(messages, { userId: 'bob' })
    expect((await client.users()).results).toMatchObject([{ type: 'user', name: 'bob', totalMemories: 2 }])
    await client.deleteUsers({ userId: 'bob' })
    expect((await client.getAll({ filters: { user_id: 'bob' } })).results).toEqual([])
    await expect(client.search('x', { filters: { user_id: { regex: 'x' } } })).rejects.toThrow()
  })

  it('the provider for the AI SDK stores and retrieves', async () => {
    const config = { mem0ApiKey: 'any', user_id: 'pia', host }
    await addMemories([{ role: 'user', content: [{ type: 'text', text: 'I collect old maps of Norway.' }] }], config)
    expect(await retrieveMemories('What does Pia collect?', config)).toContain('I collect old maps of Norway.')
    expect(await getMemories('maps', config)).toMatchObject([{ memory: 'I collect old maps of Norway.' }])
  })

  it('the quick start of the provider generates and streams with memories in the prompt', async () => {
    const bodies: string[] = []
    const model = await scriptedOpenAi(bodies)
    try {
      const mem0 = createMem0({ provider: 'openai', mem0ApiKey: 'any', apiKey: 'any', config: { baseURL: model.url } })
      await addMemories([{ role: 'user', content: [{ type: 'text', text: 'I love red cars.' }] }], {
        mem0ApiKey: 'any',
        user_id: 'borat',
        host,
      })
      const chosen = mem0('gpt-4-turbo', { user_id: 'borat', host })
      const { text } = await generateText({ model: chosen, prompt: 'Suggest me a good car to buy, red cars only!' })
      expect(text).toBe('A red one.')
      expect(bodies[0]).toContain('I love red cars.')
      let streamed = ''
      for await (const part of streamText({ model: chosen, prompt: 'Which red cars?' }).textStream) streamed += part
      expect(streamed).toBe('A red one.')
    } finally {
      await model.close()
    }
  })
})

/** Chat completions and responses of OpenAI with one fixed text. */
async function scriptedOpenAi(bodies: string[]): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    bodies.push(body)
    const item = { id: 'm1', type: 'message', role: 'assistant', status: 'completed', content: [] }
    const part = { type: 'output_text', text: 'A red one.', annotations: [] }
    const usage = { input_tokens: 1, output_tokens: 1 }
    const whole = { id: 'r1', created_at: 1, model: 'gpt-4-turbo', output: [{ ...item, content: [part] }], usage }
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(whole))
      return
    }
    const events = [
      { type: 'response.created', response: { id: 'r1', created_at: 1, model: 'gpt-4-turbo' } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_text.delta', item_id: 'm1', output_index: 0, delta: part.text },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, content: [part] } },
      { type: 'response.completed', response: { usage } },
    ]
    const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(stream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
