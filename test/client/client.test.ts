import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_VERSION, MemoryError } from '../../src/client/connect.js'
import { openMemory } from '../../src/library.js'
import { openFile, openServer, type Reached } from './both.js'

describe.each([
  ['a server', openServer],
  ['this process', openFile],
])('the client of %s', (_, open) => {
  let reached: Reached
  beforeAll(async () => {
    reached = await open()
  })
  afterAll(() => reached.close())

  it('adds, recalls, changes and deletes', async () => {
    const memory = reached.as({ owner: 'ann', session: 'monday' })
    const [lamp] = await memory.add('The lamp in the hall is broken.', { metadata: { room: 'hall' } })
    const found = await memory.recall('Which lamp is broken?', { limit: 3 })
    expect(found.results[0]).toMatchObject({ id: lamp?.id, text: 'The lamp in the hall is broken.', stale: false })
    expect((await memory.search('lamp', { by: 'words' }))[0]?.id).toBe(lamp?.id)
    expect((await memory.search('lamp broken'))[0]?.id).toBe(lamp?.id)
    const id = lamp?.id ?? ''
    expect(await memory.get(id)).toMatchObject({
      owner: 'ann',
      version: 1,
      metadata: { room: 'hall', session: 'monday' },
      validUntil: null,
    })
    expect(await memory.update(id, 'The lamp in the hall works again.')).toMatchObject({ id, version: 2 })
    await expect(memory.update(id, { text: 'x', ifVersion: 1 })).rejects.toMatchObject({ code: 'conflict' })
    expect((await memory.history(id)).map(({ text }) => text)).toContain('The lamp in the hall is broken.')
    const [next] = await memory.add('The lamp in the hall is gone.', { supersedes: id })
    expect(await memory.get(id)).toMatchObject({ stale: true, supersededBy: next?.id })
    expect(await memory.delete(id)).toBe(true)
    expect(await memory.get(id)).toBeUndefined()
    expect(await memory.delete(id)).toBe(false)
  })

  it('stores a conversation turn by turn and lists it page by page while it shrinks', async () => {
    const memory = reached.as({ owner: 'bo' })
    const turns = Array.from({ length: 130 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Turn number ${index}`,
    }))
    const silent = [
      { role: 'assistant', content: null },
      { role: 'user', content: [{ type: 'text', text: 'in parts' }, { type: 'image' }] },
    ]
    expect(await memory.add([...turns, ...silent], { session: 'chat' })).toHaveLength(131)
    const texts: string[] = []
    for await (const entry of memory.list()) {
      texts.push(entry.text)
      expect(entry.metadata).toMatchObject({ session: 'chat' })
      if (texts.length % 3 === 0) await memory.delete(entry.id)
    }
    expect(new Set(texts).size).toBe(131)
    expect(texts).toHaveLength(131)
    expect(await memory.forgetAll('bo')).toMatchObject({ memories: 131 - 43 })
    expect((await memory.list().next()).done).toBe(true)
    expect(await memory.add([])).toEqual([])
  })

  it.each(['ann/../bo', 'a b', 'ä€😀', '"quoted"\\', '%2e%2e', 'select * from facts;--', "o'neil"])(
    'keeps the owner %s apart',
    async (owner) => {
      const memory = reached.as({ owner })
      const [only] = await memory.add(`A secret of ${owner}`, { session: owner })
      expect((await memory.recall('secret')).results.map(({ id }) => id)).toEqual([only?.id])
      expect((await reached.as({ owner: `${owner}x` }).recall('secret')).results).toEqual([])
      await memory.update(only?.id ?? '', 'No secret any more')
      expect((await memory.history(only?.id ?? '')).map(({ text }) => text)).toEqual([`A secret of ${owner}`])
      await expect(reached.as({ owner: `${owner}x` }).history(only?.id ?? '')).rejects.toMatchObject({ code: 'not_found' })
      expect(await memory.forgetAll(owner)).toMatchObject({ memories: 1 })
    },
  )

  it('runs a write once if it is repeated with the same key', async () => {
    const statement = { owner: 'cy', idempotencyKey: 'first' }
    const once = await reached.memory.add(['one', 'two'], statement)
    expect(await reached.memory.add(['one', 'two', 'three'], statement)).toMatchObject([...once, { text: 'three' }])
    const texts: string[] = []
    for await (const { text } of reached.memory.list({ owner: 'cy' })) texts.push(text)
    expect(texts).toEqual(['three', 'two', 'one'])
  })

  it('calls every tool with the names and types of its contract', async () => {
    const { memory } = reached
    const stored = await memory.call('memory', 'store_memory', { content: 'Typed', user_id: 'dee' })
    const node = await memory.call('graph', 'get_node', { node_id: stored.id, owner_id: 'dee' })
    expect(node.success).toBe(true)
    const fact = await memory.call('stigmem', 'assert_fact', {
      entity: 'person:dee',
      relation: 'likes',
      value: { type: 'string', v: 'tea' },
      source: 'agent:test',
    })
    expect(await memory.call('stigmem', 'get_fact', { id: String(fact.id) })).toMatchObject({ entity: 'person:dee' })
    expect(await memory.call('stigmem', 'query_facts', { entity: 'person:dee' })).toMatchObject({ total: 1 })
    expect(await memory.call('memory', 'get_status')).toMatchObject({ version: CLIENT_VERSION })
    // @ts-expect-error no such tool
    await expect(memory.call('memory', 'store_memroy', { content: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
    // @ts-expect-error no such contract
    await expect(memory.call('memroy', 'recall', { query: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
    // @ts-expect-error a wrong field
    await expect(memory.call('memory', 'recall', { question: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
    // @ts-expect-error a missing field
    await expect(memory.call('memory', 'recall', {})).rejects.toThrow('query')
  })

  it('rejects invalid input and ends cancelled calls', async () => {
    const { memory } = reached
    await expect(Reflect.apply(memory.add, memory, [5])).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(Reflect.apply(memory.add, memory, [[{ content: 'x' }]])).rejects.toThrow('Invalid message at 0')
    await expect(memory.add('')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(memory.recall('x', { asOf: 'yesterday' })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(memory.recall('x', { asOf: new Date(Number.NaN) })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(memory.forgetAll('')).rejects.toThrow('needs an owner')
    await expect(memory.update('no-such-id', 'x')).rejects.toBeInstanceOf(MemoryError)
    await expect(memory.recall('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

it('is opened by the address of a server', async () => {
  const server = await openServer()
  try {
    const memory = await openMemory(server.url, { owner: 'ann' })
    await memory.add('Ann drinks tea.')
    expect((await memory.recall('What does Ann drink?')).results[0]?.text).toBe('Ann drinks tea.')
    expect(await memory.serverVersion()).toBe(CLIENT_VERSION)
  } finally {
    await server.close()
  }
})

it('is opened by the address of a data directory, with the calls of a server', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-client-'))
  const settings = { embedder: 'hash' } as const
  try {
    const memory = await openMemory(`file:${dataDir}`, { owner: 'ann', settings })
    const [tea] = await memory.add('Ann drinks tea.')
    const events = memory.events()
    const next = events.next()
    await memory.close()
    expect((await next).done).toBe(true)
    await expect(memory.recall('tea')).rejects.toMatchObject({ code: 'unavailable' })
    for (const url of [pathToFileURL(dataDir), `file:${relative(process.cwd(), dataDir)}`]) {
      const again = await openMemory({ url, owner: 'ann', settings })
      expect(again.owner).toBe('ann')
      expect((await again.recall('What does Ann drink?')).results[0]?.id).toBe(tea?.id)
      await again.close()
    }
    await expect(openMemory('memory.db')).rejects.toThrow('Invalid URL')
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

it.each([
  ['a server', openServer],
  ['this process', openFile],
] as const)('streams the changes of %s, and resumes after an event', async (_, open) => {
  const server = await open()
  const memory = server.as({ owner: 'ann' })
  const stop = new AbortController()
  try {
    const events = memory.events({ signal: stop.signal })
    const first = events.next()
    // The stream begins with the next commit after it is open, so this writes until an event arrives.
    let received = false
    void first.then(() => {
      received = true
    })
    while (!received) await memory.add('Ann drinks tea.')
    const seen = await first
    expect(seen.value?.data).toMatchObject({ owner: 'ann' })
    const [late] = await memory.add('Ann drinks coffee.')
    const targets = new Set<unknown>()
    for await (const event of memory.events({ after: seen.value?.id ?? '', signal: stop.signal })) {
      targets.add(event.data.target)
      if (event.data.target === late?.id) break
    }
    expect(targets.has(late?.id)).toBe(true)
    stop.abort()
    for await (const _ of events) break
  } finally {
    stop.abort()
    await server.close()
  }
})

it('is smaller than 10 KB and depends on fetch only', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/client/connect.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const [file] = outputFiles
  expect(gzipSync(file?.contents ?? '').length).toBeLessThan(10_000)
  expect(JSON.parse(readFileSync('package.json', 'utf8')).exports['./client']).toEqual({
    types: './dist/client/connect.d.ts',
    default: './dist/client/connect.js',
  })
})
