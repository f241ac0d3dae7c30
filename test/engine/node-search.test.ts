import { afterEach, describe, expect, test } from 'vitest'
import { remember } from '../../src/engine/facts/remember.js'
import { createSearchCache } from '../../src/engine/search/search-cache.js'
import { type NodeQuery, searchNodes } from '../../src/engine/search/search-nodes.js'
import { openWorld, type World } from '../graph/world.js'

let world: World
let ids: Readonly<Record<'current' | 'past' | 'entity' | 'foreign', string>>
afterEach(() => world.close())

const open = async (embedder: string): Promise<void> => {
  world = await openWorld({ embedder })
  const at = world.clock.peek()
  const facts = await remember(world.environment, 'test', [
    { text: 'The lighthouse blinks twice' },
    { text: 'The lighthouse was red', validFrom: at - 20e6, validUntil: at - 10e6 },
    { text: 'The lighthouse of another', owner: 'bea' },
  ])
  const [current = '', past = '', foreign = ''] = facts.map(({ id }) => id)
  const made = await world.call('memory/create_entity', { name: 'Lighthouse' })
  ids = { current, past, foreign, entity: String(made.id) }
}
const cacheOf = (enabled: boolean) => createSearchCache({ enabled, size: 10, ttlSeconds: 60 }, world.environment.clock)

/** By words alone unless a threshold is given: no likeness is above 1. */
const search = async (more: Partial<NodeQuery> = {}, cache = cacheOf(false)) => {
  const query: NodeQuery = {
    ...{ text: 'lighthouse blinks', owner: 'default', limit: 10, kinds: ['fact', 'entity'], lives: ['active'], threshold: 2 },
    signal: new AbortController().signal,
    ...more,
  }
  const { hits } = await searchNodes(world.environment, { cache, linker: { embedEntities: async () => undefined } }, query)
  return hits.map(({ node, score, similarity }) => ({ id: node.kind === 'fact' ? node.fact.id : node.entity.id, score, similarity }))
}
const named = (hits: Awaited<ReturnType<typeof search>>): readonly string[] => hits.map(({ id }) => id)

describe('nodes that match a question', () => {
  test('by half of its words, of the kinds and in the states that were asked for', async () => {
    await open('hash')
    expect(named(await search())).toEqual([ids.current, ids.entity])
    expect(named(await search({ kinds: ['fact'] }))).toEqual([ids.current])
    expect(named(await search({ kinds: ['entity'] }))).toEqual([ids.entity])
    expect(named(await search({ kinds: ['fact'], text: 'lighthouse zebra' }))).toEqual([ids.current])
    expect(named(await search({ kinds: ['fact'], text: 'lighthouse zebra giraffe' }))).toEqual([])
    expect(named(await search({ kinds: ['fact'], lives: ['outdated'], text: 'lighthouse red' }))).toEqual([ids.past])
    expect(named(await search({ kinds: ['fact'], lives: ['outdated'], text: 'lighthouse zebra giraffe' }))).toEqual([])
    expect(named(await search({ kinds: ['fact'], lives: ['active', 'outdated'] }))).toEqual([ids.current, ids.past])
    expect(named(await search({ kinds: ['fact'], owner: 'bea', text: 'lighthouse' }))).toEqual([ids.foreign])
    expect(await search({ kinds: ['entity'], lives: ['outdated'] })).toEqual([])
    expect(named(await search({ limit: 1 }))).toEqual([ids.current])
  })

  test('or by likeness, from the threshold on; strictly by likeness alone', async () => {
    await open('hash')
    const [hit] = await search({ kinds: ['fact'] })
    const likeness = hit?.similarity ?? 0
    expect(likeness).toBeGreaterThan(0)
    const strict = { kinds: ['fact'] as const, strict: true }
    expect(named(await search({ ...strict, threshold: likeness }))).toEqual([ids.current])
    expect(await search({ ...strict, threshold: likeness + 1e-6 })).toEqual([])
    expect(await search({ kinds: ['entity'], strict: true })).toEqual([])
    const [past] = await search({ kinds: ['fact'], lives: ['outdated'], text: 'lighthouse red' })
    expect(named(await search({ ...strict, lives: ['outdated'], text: 'lighthouse red', threshold: past?.similarity ?? 0 }))).toEqual([
      ids.past,
    ])
  })

  test('with a share of 0.65 for likeness beside the best and of 0.35 for words, where no recall has ranked them', async () => {
    await open('hash')
    const lives = ['outdated'] as const
    expect(await search({ kinds: ['fact'], lives, text: 'lighthouse red' })).toMatchObject([{ score: expect.closeTo(1, 6) }])
    expect(await search({ kinds: ['fact'], lives, text: 'lighthouse zebra' })).toMatchObject([
      { score: expect.closeTo(0.65 + 0.35 / 2, 6) },
    ])
    expect(await search({ kinds: ['entity'] })).toMatchObject([{ score: expect.closeTo(0.35, 6), similarity: 0 }])
    const [first, second] = await search({ kinds: ['fact', 'entity'], lives: ['active', 'outdated'], text: 'lighthouse red' })
    expect((first?.score ?? 0) >= (second?.score ?? 1)).toBe(true)
  })

  test('without a model by words', async () => {
    await open('none')
    expect(named(await search())).toEqual([ids.current, ids.entity])
    expect(await search({ kinds: ['fact'], lives: ['outdated'], text: 'lighthouse red' })).toMatchObject([
      { score: expect.closeTo(0.35, 6), similarity: 0 },
    ])
    expect(await search({ strict: true })).toEqual([])
  })

  test('once, while what was found still holds; strictly asked it is another question', async () => {
    await open('hash')
    const cache = cacheOf(true)
    const first = await search({}, cache)
    expect(await search({}, cache)).toEqual(first)
    expect(cache.stats().size).toBe(1)
    expect(await search({ strict: true }, cache)).toEqual([])
    expect(cache.stats().size).toBe(2)
    const [ending] = await remember(world.environment, 'test', [
      { text: 'The lighthouse blinks today', validUntil: world.clock.peek() + 5e6 },
    ])
    expect(named(await search({}, cache))).toContain(ending?.id)
    world.clock.advance(10e6)
    expect(named(await search({}, cache))).not.toContain(ending?.id)
  })
})
