import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { find, openHttp, openStdio, type StdioWire, store, type Tools, useTools } from './wire.js'

// How dist/main.js handles invalid input. Texts of ordinary errors are pinned in test/golden.
let wire: StdioWire
let tools: Tools
let fox = ''
beforeAll(async () => {
  wire = openStdio(['--data-dir', temporaryFolder(), '--embedder', 'hash', '--log-level', 'error'])
  tools = await useTools(wire)
  fox = await store(tools, 'The quick brown fox jumps')
})
afterAll(async () => {
  const { code, err } = await wire.close()
  removeTemporaryFolders()
  // Bad input is the caller's mistake, so the server must not log a failure.
  expect([code, err]).toEqual([0, ''])
})

const rawCall = (id: number, name: string, input: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${input}}}\n`

describe('texts', () => {
  it.each([
    ['nothing', '', 'Invalid content: must not be empty'],
    ['white space', ' \n\t\u00a0\u3000', 'Invalid content: must not be empty'],
    ['NUL', 'a\0b', 'Invalid content: must not contain NUL characters'],
    ['half a surrogate pair', 'ab\ud83d', 'Invalid content: half of a surrogate pair at position 2; send well-formed Unicode'],
    ['the other half', '\udca9b', 'Invalid content: half of a surrogate pair at position 0; send well-formed Unicode'],
    [
      'one byte too many',
      'x'.repeat(102_401),
      'Invalid content: 102401 bytes, at most 102400 are allowed\nShorten it, or split it into several.',
    ],
    [
      'too many bytes in few characters',
      'é'.repeat(51_201),
      'Invalid content: 102402 bytes, at most 102400 are allowed\nShorten it, or split it into several.',
    ],
    ['10 MB', 'x'.repeat(10_000_000), 'Invalid content: 10000000 bytes, at most 102400 are allowed\nShorten it, or split it into several.'],
  ])('refuses %s as content', async (_, content, message) => {
    expect(await tools.refusal('store_memory', { content })).toBe(message)
    expect(await tools.refusal('update_memory', { id: fox, content })).toBe(message)
  })

  it('keeps the largest content and every valid character unchanged', async () => {
    for (const content of [
      'x'.repeat(102_400),
      'é'.repeat(51_200),
      '👩‍👩‍👧 naïve ﷺ \u202e right-to-left \u0001 \r\n "quoted" \\ud83d',
      '\ufeffbom and 𝕬 astral',
    ]) {
      const id = await store(tools, content)
      expect((await tools.call('get_memory', { id })).content).toBe(content)
      await tools.call('delete_memory', { id })
    }
  })

  it('rejects other text that cannot be stored exactly', async () => {
    expect(await tools.refusal('create_entity', { name: 'a\ud800' })).toContain('Invalid name: half of a surrogate pair')
    expect(await tools.refusal('create_entity', { name: 'a', description: 'x'.repeat(200_000) })).toContain(
      'Invalid description: 200000 bytes',
    )
    expect(await tools.refusal('invalidate', { id: fox, reason: '\udc00' })).toContain('Invalid reason: half of a surrogate pair')
    expect(await tools.refusal('store_memory', { content: 'x', user_id: 'u\ud800' })).toContain('Invalid user_id: half of a surrogate pair')
  })
})

describe('metadata', () => {
  const nested = (levels: number): string => `{"content":"x","metadata":${'{"d":'.repeat(levels)}1${'}'.repeat(levels)}}`

  it.each([33, 1000, 100_000])('of %i levels is rejected', async (levels) => {
    wire.write(rawCall(levels + 5000, 'store_memory', nested(levels)))
    expect(await wire.loose()).toMatchObject({
      id: levels + 5000,
      result: { isError: true, content: [{ text: 'Invalid metadata: nested more than 32 levels deep' }] },
    })
  })

  it('is rejected if it is huge, broken or no object', async () => {
    const refusal = (metadata: unknown) => tools.refusal('store_memory', { content: 'x', metadata })
    expect(await refusal({ a: 'x'.repeat(100_000) })).toBe('Invalid metadata: 100008 bytes of JSON, at most 100000 are allowed')
    expect(await refusal(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key${n}`, n])))).toContain(
      'at most 100000 are allowed',
    )
    expect(await refusal({ a: ['\0'] })).toBe('Invalid metadata: must not contain NUL characters')
    expect(await refusal({ '\0': 1 })).toBe('Invalid metadata: must not contain NUL characters')
    expect(await refusal({ a: '\ud800' })).toBe('Invalid metadata: holds half of a surrogate pair; send well-formed Unicode')
    expect(await refusal(['a'])).toBe('Invalid metadata: must be an object')
  })

  it('is kept unchanged, including 32 levels and unusual keys', async () => {
    let deep: Record<string, unknown> = { end: 1 }
    for (let level = 1; level < 31; level++) deep = { deep }
    const metadata = { deep, '': 'empty key', constructor: 'x', path: 'C:\\ud83d\\u0000', list: [1.5, null, true, -0.1e-7], session: 5 }
    const id = await store(tools, 'Odd metadata', { metadata })
    expect((await tools.call('get_memory', { id })).metadata).toEqual(metadata)
    await tools.call('delete_memory', { id })
  })
})

describe('queries', () => {
  it.each([
    'fox AND jumps',
    'fox OR NOT',
    'NOT fox',
    'NEAR(quick fox, 2)',
    '"quick fox',
    "fox' OR 1=1 --",
    'fox*',
    '^fox',
    'content:fox',
    '{content title}: fox',
    '(fox',
    'fox)))',
    '-fox',
    'fox + quick',
    'fox; DROP TABLE facts',
    'fox\0',
    'fox \ud800',
    '%fox%',
    `${'fox '.repeat(25_000)}`,
  ])('are plain words, whatever they hold: %#', async (query) => {
    for (const name of ['search_text', 'search', 'recall'] as const) expect(await find(tools, name, query)).toContain(fox)
  })

  it('may contain no word at all, or one of 100 KB', async () => {
    for (const query of ['*', '"', '()', '👩‍👧', '%', 'AND', 'x'.repeat(100_000)]) {
      expect(await find(tools, 'search_text', query)).toEqual([])
      await find(tools, 'search', query)
      await find(tools, 'recall', query)
    }
  })
})

describe('messages', () => {
  it('answers a truncated line and continues', async () => {
    wire.write('{"jsonrpc":"2.0","id":7000,"method":"tools/ca\n')
    expect(await wire.loose()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error: the line is not valid JSON' },
    })
    expect(await tools.call('get_memory', { id: fox })).toMatchObject({ content: 'The quick brown fox jumps' })
  })

  it.each([
    '5',
    '"text"',
    'null',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '[]',
  ])('refuses %s as a message', async (line) => {
    wire.write(`${line}\n`)
    expect(await wire.loose()).toMatchObject({ error: { code: -32600 } })
  })

  it('answers a batch as one, in any order, with the errors of its parts', async () => {
    wire.write(`[${rawCall(7100, 'get_status', '{}').trim()},5,${rawCall(7101, 'get_memory', '{"id":"nope"}').trim()}]\n`)
    const answers = z.array(z.looseObject({ id: z.unknown() })).parse(await wire.loose())
    expect(answers.map((answer) => answer.id).sort()).toEqual([7100, 7101, null])
    expect(answers.find((answer) => answer.id === 7101)).toMatchObject({ result: { isError: true } })
  })

  it('names unknown methods and tools as protocol errors', async () => {
    expect(await wire.send({ jsonrpc: '2.0', id: 7200, method: 'memories/dump' })).toMatchObject({ error: { code: -32601 } })
    expect(await wire.send({ jsonrpc: '2.0', id: 7201, method: 'tools/call', params: { name: 'forget_all' } })).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: forget_all' },
    })
    expect(await wire.send({ jsonrpc: '2.0', id: 7202, method: 'tools/call', params: { name: 'search', arguments: 'fox' } })).toMatchObject(
      { error: { code: -32602 } },
    )
  })

  it('accepts blank lines, carriage returns and bytes that are no text', async () => {
    wire.program.child.stdin.write(Buffer.from([0x0a, 0x0d, 0x0a, 0xff, 0xfe, 0x0a]))
    expect(await wire.loose()).toMatchObject({ error: { code: -32700 } })
    wire.write(`${rawCall(7300, 'get_memory', `{"id":"${fox}"}`).trim()}\r\n`)
    expect(await wire.loose()).toMatchObject({ id: 7300, result: { isError: false } })
  })
})

it('leaves stored data unchanged', async () => {
  expect(await tools.call('list_memories')).toMatchObject({
    total: 1,
    memories: [{ content: 'The quick brown fox jumps', valid_until: null }],
  })
})

it('rejects over HTTP what is no message, too large, or of another origin', async () => {
  const http = await openHttp(['--data-dir', temporaryFolder(), '--embedder', 'hash'])
  const post = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${http.url}/mcp`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    })
    return [response.status, z.object({ error: z.object({ code: z.number() }) }).parse(await response.json()).error.code]
  }
  expect(await post('{"jsonrpc":"2.0","id":1,"meth')).toEqual([400, -32700])
  expect(await post('')).toEqual([400, -32600])
  expect(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), { 'Mcp-Session-Id': 'gone' })).toEqual([404, -32001])
  expect(await post('x'.repeat(17_000_000))).toEqual([413, -32600])
  expect(await post('{}', { Origin: 'https://evil.example' })).toEqual([403, -32600])
  expect(await post('{}', { 'Content-Type': 'text/plain' })).toEqual([415, -32600])
  const httpTools = await useTools(http)
  expect(await httpTools.refusal('store_memory', { content: 'x'.repeat(200_000) })).toContain('at most 102400 are allowed')
  expect(await httpTools.call('get_status')).toMatchObject({ memories_count: 0 })
  expect(await http.close()).toMatchObject({ code: 0 })
})
