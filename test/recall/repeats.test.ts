import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { withOverrides } from '../../src/core/recall/recipe/recipe.js'
import type { Environment } from '../../src/engine/environment.js'
import { recall } from '../../src/engine/recall/recall.js'
import { importLines } from '../../src/engine/transfer/transfer.js'
import { aFact } from '../contract/samples.js'
import { openWorld, type World } from '../graph/world.js'
import { openRam } from '../memory-backend/open.js'
import { TUNED } from '../scored-candidate.js'

const repeat = z.object({ id: z.string(), date: z.string() })
const answer = z.object({
  results: z.array(z.object({ id: z.string(), content: z.string(), count: z.number().optional(), repeats: z.array(repeat).optional() })),
})

const BEAT = 'Heartbeat: the nightly backup of the mail server finished without errors'
const NOTES = [
  'The mail server is in the cellar next to the boiler',
  'Ann looks after the mail server and its certificates',
  'Backups of the mail server are kept for ninety days',
]
const QUESTION = 'nightly backup of the mail server'
const { signal } = new AbortController()

let world: World
afterEach(() => world.close())

/** Imports facts in bulk. */
async function bring(lines: readonly object[]): Promise<void> {
  const read = async function* (): AsyncGenerator<string> {
    for (const line of lines) yield JSON.stringify(line)
  }
  await importLines(world.engine.context(), read(), { actor: 'test', signal, progress: () => undefined })
}

const beat = (i: number, more: object = {}): object => ({
  content: BEAT,
  event_time: new Date(Date.UTC(2025, 0, 1, i)).toISOString(),
  ...more,
})

const ask = async (more: Readonly<Record<string, unknown>> = {}) =>
  answer.parse(await world.call('memory/recall', { query: QUESTION, min_relevance: 0, ...more })).results

/** Records how many candidates each lexical search requested. */
function watched(env: Environment): { readonly env: Environment; readonly asked: number[] } {
  const requested: number[] = []
  const view: typeof env.view = async (owner) => {
    const seen = await env.view(owner)
    const search: typeof seen.words.search = (terms, pool, limit, fields) => {
      requested.push(limit)
      return seen.words.search(terms, pool, limit, fields)
    }
    return { ...seen, words: { phrase: (words, limit) => seen.words.phrase(words, limit), search } }
  }
  return { env: { ...env, view }, asked: requested }
}

test.each(['hash', 'none'])(
  'a memory stored hundreds of times leaves room for other results, and its count is returned (%s)',
  async (embedder) => {
    world = await openWorld({ embedder })
    await bring([...NOTES.map((content) => ({ content })), ...Array.from({ length: 400 }, (_, i) => beat(i))])
    const results = await ask()
    expect(results.map(({ content }) => content).sort()).toEqual([BEAT, ...NOTES].sort())
    expect(results.find(({ content }) => content === BEAT)?.count).toBe(400)
    expect((await ask({ limit: 1 }))[0]?.count).toBe(400)
  },
)

test('thousands are counted, and the newest five are listed', async () => {
  world = await openWorld({ embedder: 'none' })
  await bring([...NOTES.map((content) => ({ content })), ...Array.from({ length: 2500 }, (_, i) => beat(i))])
  const results = await ask()
  expect(results).toHaveLength(4)
  const statement = results.find(({ content }) => content === BEAT)
  expect(statement?.count).toBe(2500)
  const hours = statement?.repeats?.map(({ date }) => (Date.parse(date) - Date.UTC(2025, 0, 1)) / 3_600_000)
  expect(hours).toEqual([2498, 2497, 2496, 2495, 2494])
  expect(JSON.stringify(await ask({ limit: 1, token_budget: 20 })).length).toBeLessThan(1500)
})

test('the same on the RAM backend, by which the others are judged', async () => {
  world = await openWorld({ embedder: 'none' })
  const { environment, clock } = world
  const backend = await openRam({ clock })
  const texts = [...NOTES, ...Array.from({ length: 130 }, () => BEAT)]
  const changes = texts.map((text, i) => ({
    op: 'fact.put' as const,
    fact: aFact({ id: `f${i}`, owner: 'default', text, autoLink: false }),
  }))
  await backend.store.commit({ actor: 'test', owners: ['default'] }, () => changes)
  const { results } = await recall({ ...environment, ...backend }, { text: QUESTION, limit: 10, owner: 'default', signal })
  expect(results.map(({ fact, count }) => [fact.text, count])).toEqual(
    expect.arrayContaining([[BEAT, 130], ...NOTES.map((text) => [text, 1])]),
  )
})

test('a full page keeps its results and scores, and the count is right', async () => {
  world = await openWorld({ embedder: 'none' })
  const notes = Array.from({ length: 9 }, (_, i) => `Nightly backup of the mail server, nightly backup of shelf ${i}`)
  await bring([...notes.map((content) => ({ content })), ...Array.from({ length: 300 }, (_, i) => beat(i))])
  const render = async (limit: number) => {
    const { env, asked: requested } = watched(world.environment)
    // Links are made meanwhile, as vectors would be, and would change the scores.
    const recipe = withOverrides(TUNED, { link: 0 })
    const { results } = await recall(env, { text: QUESTION, limit, owner: 'default', recipe, signal })
    return { results: results.map(({ fact, score, count }) => ({ text: fact.text, score, count })), most: Math.max(...requested) }
  }
  const [nine, ten] = [await render(9), await render(10)]
  expect([nine.most, ten.most]).toEqual([100, 400])
  expect(nine.results.map(({ text, count }) => [text, count]).sort()).toEqual(notes.map((text) => [text, 1]))
  expect(ten.results.slice(0, 9)).toEqual(nine.results)
  expect(ten.results[9]).toMatchObject({ text: BEAT, count: 300 })
})

test('questions that no repeats crowd are searched once, also where some things were said twice', async () => {
  world = await openWorld()
  const twice = Array.from({ length: 300 }, (_, i) => `The mail server keeps backup number ${i} for department ${i % 7}`)
  await bring([...twice, ...twice.slice(0, 20), QUESTION, QUESTION].map((content) => ({ content })))
  const { env, asked: requested } = watched(world.environment)
  const { results } = await recall(env, { text: QUESTION, limit: 10, owner: 'default', signal })
  expect(results[0]).toMatchObject({ fact: { text: QUESTION }, count: 2 })
  expect(requested).toContain(100)
  expect(Math.max(...requested)).toBe(100)
})

test('those that the reranker did not read are counted, however far behind they stand', async () => {
  world = await openWorld()
  const others = Array.from({ length: 60 }, (_, i) => `Nightly backup of the mail server number ${i}`)
  await bring([...others.map((content) => ({ content })), ...Array.from({ length: 40 }, (_, i) => beat(i))])
  const { environment } = world
  let lifted = 0
  // Lifts the first three of the repeats, as one that reads the best alone does.
  const rerankTop: typeof environment.rerankStage.rerankTop = async (_, { ranked }) => {
    const texts = new Map((await environment.store.facts(ranked.map(({ header }) => header.id))).map(({ id, text }) => [id, text]))
    const raw = (id: string): number => (texts.get(id) !== BEAT ? 0 : lifted++ < 3 ? 8 : -8)
    return { outcome: { state: 'used', reason: null }, scores: new Map(ranked.map(({ header }) => [header.rid, raw(header.id)])) }
  }
  const env = { ...environment, rerankStage: { ...environment.rerankStage, rerankTop } }
  const { results } = await recall(env, { text: QUESTION, limit: 10, owner: 'default', signal })
  expect(lifted).toBe(40)
  expect(results[0]).toMatchObject({ fact: { text: BEAT }, count: 40 })
})

test('two who say the same are not counted together', async () => {
  world = await openWorld()
  await bring(Array.from({ length: 300 }, (_, i) => beat(i, { metadata: { author: i % 3 === 0 ? 'Ann' : 'Bob' } })))
  expect((await ask()).map(({ count }) => count).sort()).toEqual([100, 200])
  expect((await ask({ limit: 1 }))[0]?.count).toBeOneOf([100, 200])
})

test('nor is what was ended counted', async () => {
  world = await openWorld({ embedder: 'none' })
  await bring(Array.from({ length: 250 }, (_, i) => beat(i)))
  const [gone] = await ask({ limit: 1 })
  await world.call('memory/delete_memory', { id: gone?.id })
  const [first] = await ask({ limit: 1 })
  expect(first?.count).toBe(249)
  expect(first?.repeats?.map(({ id }) => id)).not.toContain(gone?.id)
})
