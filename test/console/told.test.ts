import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

let server: ConsoleServer
let cookie: string

beforeAll(async () => {
  server = await startConsoleServer()
  cookie = await server.signIn()
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

interface Told {
  readonly deliveries: readonly {
    readonly id: string
    readonly at: string
    readonly kind: string
    readonly client: string
    readonly question: string | null
    readonly facts: readonly { readonly id: string; readonly relevance: number | null }[]
  }[]
  readonly next: { readonly at: string; readonly id: string } | null
}

const post = async (path: string, body: object): Promise<Record<string, unknown>> =>
  JSON.parse(
    await (
      await fetch(`${server.url}${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    ).text(),
  )
const told = async (input: object = {}): Promise<Told> => JSON.parse(await (await server.call(cookie, 'console/told', input)).text())
const questions = async (input: object = {}) => (await told(input)).deliveries.map(({ question }) => question)

test('answers of recall are logged for both contracts with secrets masked, and found by question and by fact', async () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
  const { id } = await post('/v1/memory/store_memory', { content: 'The kettle is in the kitchen' })
  await post('/v1/facts', {
    entity: 'user:ann',
    relation: 'keeps',
    value: { type: 'string', v: 'bees' },
    source: 'user:ann',
    confidence: 0.9,
  })
  await post('/v1/memory/recall', { query: `where is the kettle ${secret}` })
  await post('/v1/recall', { query: 'who keeps bees', token_budget: 500 })
  await vi.waitFor(async () => expect(await questions()).toHaveLength(2), EVENTUALLY)
  const { deliveries } = await told()
  expect(deliveries.map(({ kind, facts }) => [kind, facts.length > 0])).toEqual([
    ['recall', true],
    ['recall', true],
  ])
  expect(JSON.stringify(deliveries)).not.toContain(secret)
  expect(await questions({ q: 'WHO KEEPS' })).toEqual(['who keeps bees'])
  expect(await questions({ q: 'kitchen' })).toHaveLength(1)
  expect(await questions({ q: 'cellar' })).toEqual([])
  expect(await questions({ fact: id })).toHaveLength(1)
  const first = await told({ limit: 1 })
  expect(first.next).toEqual({ at: first.deliveries[0]?.at, id: first.deliveries[0]?.id })
  const second = await told({ limit: 1, before: first.next })
  expect(second.deliveries.map((delivery) => delivery.id)).toEqual([deliveries[1]?.id])
  await server.call(cookie, 'console/delete', { ids: [id] })
  expect(await questions()).toEqual(['who keeps bees'])
  const exported = await (await server.call(cookie, 'admin/export', { file: '-' }, { Accept: 'application/x-ndjson' })).text()
  expect(exported).not.toContain('who keeps bees')
})

test('questions of the console are not logged', async () => {
  const before = await questions()
  await server.call(cookie, 'console/ask', { question: 'what do bees eat' })
  await post('/v1/memory/recall', { query: 'and afterwards' })
  await vi.waitFor(async () => expect(await questions()).toHaveLength(before.length + 1), EVENTUALLY)
  expect(await questions({ q: 'what do bees eat' })).toEqual([])
})
