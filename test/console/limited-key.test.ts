import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { runProgram, temporaryFolder } from '../wire/program.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

let server: ConsoleServer
const folder = temporaryFolder()
const cookies: Record<string, string> = {}
const keys: Record<string, string> = {}
/** Of Bob, who is out of reach of the keys of Ann. */
const bobs: Record<string, string> = {}

const cli = async (...args: readonly string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await runProgram([...args, '--data-dir', folder, '--embedder', 'hash', '--output', 'json'])).out)
const createKey = async (name: string, owner: string, ...rights: readonly string[]): Promise<void> => {
  keys[name] = String((await cli('keys', 'create', '--owner', owner, ...rights.flatMap((right) => ['--right', right]))).key)
}

const memory = (owner: string, ...lines: readonly object[]): string => {
  const path = join(temporaryFolder(), `${owner}.jsonl`)
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return path
}

beforeAll(async () => {
  const graph = (animal: string, keeper: string): readonly object[] => [
    { type: 'entity', name: `${animal} house`, entityType: 'place', observations: [`holds ${animal}`, `belongs to ${keeper}`] },
    { type: 'relation', from: `${animal} house`, to: `${keeper} farm`, relationType: 'part_of' },
  ]
  await cli('import', memory('bob', ...graph('wasp', 'bob')), '--owner', 'bob')
  await cli('import', memory('ann', ...graph('bee', 'ann')), '--owner', 'ann')
  await cli('remember', 'Wasps sting twice', '--user-id', 'bob', '--subject', 'wasps', '--predicate', 'sting')
  await cli('remember', 'Wasps sting once', '--user-id', 'bob', '--subject', 'wasps', '--predicate', 'sting')
  await cli('remember', 'Bees sleep at night', '--user-id', 'ann')
  await createKey('all', '*', 'read', 'write', 'admin')
  await createKey('ann', 'ann', 'read', 'write')
  await createKey('reader', 'ann', 'read')
  server = await startConsoleServer({ folder })
  for (const [name, key] of Object.entries(keys)) cookies[name] = await server.signIn({ key })
  const headers = { Authorization: `Bearer ${keys.all}`, 'Content-Type': 'application/json' }
  const recall = (query: string, user_id: string) =>
    fetch(`${server.url}/v1/memory/recall`, { method: 'POST', headers, body: JSON.stringify({ query, user_id }) })
  await recall('do wasps sting', 'bob')
  await recall('do bees sleep', 'ann')
  await vi.waitFor(async () => expect(JSON.parse(await ask('all', 'told')).deliveries).toHaveLength(2), EVENTUALLY)
  const { facts } = JSON.parse(await ask('all', 'browse', { owner: ['bob'] }))
  bobs.fact = facts[0].id
  bobs.entity = JSON.parse(await ask('all', 'entities', { q: 'wasp' })).entities[0].id
  // Similar facts are linked in the background.
  await vi.waitFor(async () => expect(JSON.parse(await ask('all', 'fact', { id: bobs.fact })).similar).toHaveLength(1), EVENTUALLY)
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

const ask = async (name: string, tool: string, input: object = {}): Promise<string> =>
  (await server.call(cookies[name] ?? '', `console/${tool}`, input)).text()

const EVER = { from: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' }
const FOREIGN = /wasp|bob|sting/i

test.each([
  ['browse', { facets: true, histogram: true }],
  ['browse', { owner: ['bob'], facets: true, histogram: true }],
  ['browse', { subject: ['wasps'], facets: true }],
  ['browse', { name: 'wasp house', facets: true }],
  ['browse', { q: 'wasps', facets: true, histogram: true }],
  ['overview', { today: '2020-01-01T00:00:00Z' }],
  ['activity', {}],
  ['review', {}],
  ['told', {}],
  ['told', { q: 'wasps' }],
  ['entities', {}],
  ['entities', { q: 'house' }],
  ['timeline', EVER],
  ['timeline', { ...EVER, reading: 'known' }],
  ['ask', { question: 'who keeps what in the house' }],
])('%s %j has nothing of another owner, neither as text nor in a count', async (tool, input) => {
  expect(await ask('all', tool, input)).toMatch(FOREIGN)
  const own = await ask('ann', tool, input)
  // The answer may repeat the question.
  const answer = own.replaceAll(JSON.stringify('wasps'), '').replaceAll('"bob"', tool === 'browse' ? '"bob"' : '')
  expect(answer).not.toMatch(FOREIGN)
})

test('counts are those of the own memories', async () => {
  const today = new Date().toISOString()
  const overview = JSON.parse(await ask('ann', 'overview', { today }))
  expect(overview).toMatchObject({ facts: 3, entities: 2, total: 3, review: { conflict: 0 }, week: { learned: 3 } })
  const all = JSON.parse(await ask('all', 'overview', { today }))
  expect(all).toMatchObject({ facts: 7, entities: 4, review: { conflict: 1 } })
  const browse = JSON.parse(await ask('ann', 'browse', { facets: true, histogram: true }))
  expect(browse.total).toBe(3)
  expect(browse.histogram.reduce((sum: number, { learned }: { learned: number }) => sum + learned, 0)).toBe(3)
  expect(JSON.parse(await ask('ann', 'told')).deliveries).toHaveLength(1)
  expect(JSON.parse(await ask('all', 'told')).deliveries).toHaveLength(2)
})

test('a fact and an entity of another owner are not there, whatever asks for them by id', async () => {
  const { fact, entity } = bobs
  const calls: readonly (readonly [string, object])[] = [
    ['fact', { id: fact }],
    ['entity', { id: entity }],
    ['why_not', { question: 'wasps', id: fact }],
    ['edit', { id: fact, text: 'Taken over' }],
    ['supersede', { id: fact, text: 'Taken over' }],
    ['end', { ids: [fact] }],
    ['restore', { ids: [fact] }],
    ['tag', { ids: [fact], tag: 'x' }],
    ['mark', { id: fact, mark: 'wrong' }],
    ['delete', { ids: [fact] }],
    ['decide', { verdict: 'reject', ids: [fact] }],
    ['merge_entities', { keep: entity, drop: 'another' }],
  ]
  const before = await ask('all', 'fact', { id: fact })
  for (const [tool, input] of calls) {
    const response = await server.call(cookies.ann ?? '', `console/${tool}`, input)
    const text = await response.text()
    expect(text).not.toMatch(FOREIGN)
    if (response.ok) expect([tool, JSON.parse(text)]).toMatchObject([tool, { ids: [], undo: [] }])
  }
  expect(await ask('all', 'fact', { id: fact })).toBe(before)
  const { facts } = JSON.parse(await ask('ann', 'told', { fact }))
  expect(facts).toEqual([])
})

test('a read-only key changes nothing and gets an error in a sentence', async () => {
  const id = JSON.parse(await ask('reader', 'browse')).facts[0].id
  for (const [tool, input] of [
    ['end', { ids: [id] }],
    ['edit', { id, text: 'x' }],
    ['delete', { ids: [id] }],
    ['mark', { id, mark: 'right' }],
  ] as const) {
    const response = await server.call(cookies.reader ?? '', `console/${tool}`, input)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('right') } })
  }
  for (const tool of ['admin/doctor', 'admin/keys_list', 'admin/export', 'admin/backup', 'console/settings'])
    expect((await server.call(cookies.ann ?? '', tool, { file: '-' })).status, tool).toBeGreaterThanOrEqual(400)
})

test('the stream of events has the own changes only', async () => {
  const stop = new AbortController()
  const headers = { Cookie: cookies.ann ?? '', 'Sec-Fetch-Site': 'same-origin' }
  const response = await fetch(`${server.url}/console/events`, { headers, signal: stop.signal })
  await cli('remember', 'Wasps never sleep', '--user-id', 'bob')
  await cli('remember', 'Bees dance at noon', '--user-id', 'ann')
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.includes('Bees dance')) break
  }
  stop.abort()
  expect(text).not.toMatch(FOREIGN)
})
