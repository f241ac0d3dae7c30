import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addMemories, getMemories, retrieveMemories } from '@mem0/vercel-ai-provider'
import { MemoryClient } from 'mem0ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let host = ''
let stop: () => Promise<void> = async () => undefined
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-mem0-'))
  const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
  const child = spawn(process.execPath, [
    program,
    'serve',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    '--embedder',
    'hash',
    '--profile',
    'memory,mem0',
  ])
  let told = ''
  while (!/listening on \S+/u.test(told)) {
    const [chunk]: unknown[] = await once(child.stderr, 'data')
    told += String(chunk)
  }
  host = `${/listening on (\S+)/u.exec(told)?.[1] ?? ''}/compat/mem0`
  stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
    rmSync(dataDir, { recursive: true, force: true })
  }
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
})
