import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { ExcerptedText } from '../../src/engine/environment.js'
import { recall } from '../../src/engine/recall/recall.js'
import { openWorld, type World } from '../graph/world.js'

const part = z.object({ start: z.number(), length: z.number(), of: z.number() })
const answer = z.object({ results: z.array(z.object({ content: z.string(), part: part.optional() })) })

let world: World
afterEach(() => world.close())

const filler = Array.from({ length: 60 }, (_, i) => `Paragraph ${i} speaks of roads, weather and harvest in the valley.`).join(' ')
const LONG = `${filler} The lighthouse keeper is called Ottokar. ${filler}`
const SHORT = 'The lighthouse keeper had a dog.'
const QUESTION = 'how is the lighthouse keeper called'

const openWith = async (embedder: string): Promise<void> => {
  world = await openWorld({ embedder })
  for (const content of [LONG, SHORT]) await world.call('memory/store_memory', { content })
}

test.each(['hash', 'none'])('returns the matching excerpt of a long memory, and all of a short one (%s)', async (embedder) => {
  await openWith(embedder)
  const { results } = answer.parse(await world.call('memory/recall', { query: QUESTION }))
  const long = results.find((entry) => entry.part !== undefined)
  const { start, length, of: count } = part.parse(long?.part)
  expect(count).toBe(LONG.length)
  expect(long?.content).toBe(LONG.slice(start, start + length).trim())
  expect(long?.content).toContain('Ottokar')
  expect(length).toBeLessThan(LONG.length / 4)
  expect(results.find((entry) => entry.part === undefined)?.content).toBe(SHORT)
})

test('the reranker reads the same span of long texts and then the next best, and loads no other fact', async () => {
  await openWith('hash')
  let read: ReadonlyMap<number, ExcerptedText> = new Map()
  const { environment } = world
  const rerankTop: typeof environment.rerankStage.rerankTop = async (_, { ranked, excerpts }) => {
    read = await excerpts(ranked, 2)
    return { outcome: { state: 'used', reason: null }, scores: new Map() }
  }
  const env = { ...environment, rerankStage: { ...environment.rerankStage, rerankTop } }
  const { results } = await recall(env, { text: QUESTION, limit: 5, owner: 'default', signal: new AbortController().signal })
  const long = results.find(({ excerpt }) => excerpt !== null)
  expect([...read]).toEqual([[long?.rid, { text: LONG, spans: [long?.excerpt, expect.anything()] }]])
  const [first, second] = read.get(long?.rid ?? 0)?.spans ?? []
  expect(second).not.toEqual(first)
})

test('an excerpt is chosen by its vector if it contains no word of the query', async () => {
  await openWith('hash')
  const { environment } = world
  const { embedding } = environment
  // Embeds the query with words of the text.
  const query: typeof embedding.query = (_, signal) => embedding.query('The lighthouse keeper is called Ottokar', signal)
  const env = { ...environment, embedding: { ...embedding, query } }
  const { results } = await recall(env, { text: 'Zebra giraffe?', limit: 5, owner: 'default', signal: new AbortController().signal })
  const { start, end } = results.find(({ fact }) => fact.text === LONG)?.excerpt ?? { start: 0, end: 0 }
  expect(LONG.slice(start, end)).toContain('Ottokar')
})

test('returns whole memories within the budget, then excerpts, and always the first', async () => {
  await openWith('hash')
  const other = `${filler} ${filler} ${filler} The lighthouse keeper is called Ottokar by his sister.`
  await world.call('memory/store_memory', { content: other })
  const ask = async (more: Readonly<Record<string, unknown>>) =>
    answer.parse(await world.call('memory/recall', { query: QUESTION, full: true, ...more })).results
  const whole = await ask({})
  expect(whole.map((entry) => entry.content).sort()).toEqual([LONG, SHORT, other].sort())
  expect(whole.some((entry) => entry.part !== undefined)).toBe(false)
  const characters = (results: Awaited<ReturnType<typeof ask>>): number => results.reduce((sum, entry) => sum + entry.content.length, 0)
  const budget = Math.ceil(LONG.length / 4) + 600
  const some = await ask({ token_budget: budget })
  expect(some).toHaveLength(3)
  expect(characters(some)).toBeLessThanOrEqual(4 * budget)
  const shortened = some.filter((entry) => entry.part !== undefined)
  expect(shortened.length).toBeGreaterThan(0)
  for (const entry of shortened) {
    const { start, length, of: count } = part.parse(entry.part)
    const text = count === LONG.length ? LONG : other
    expect(entry.content).toBe(text.slice(start, start + length).trim())
  }
  const [first, ...rest] = await ask({ token_budget: 1 })
  expect(first?.content.length).toBeLessThan(2000)
  expect(rest).toEqual([])
})
