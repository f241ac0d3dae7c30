import { afterEach, describe, expect, test } from 'vitest'
import { remember } from '../../src/engine/facts/remember.js'
import { createSearchCache } from '../../src/engine/graph/search-cache.js'
import { type NodeQuery, searchNodes } from '../../src/engine/graph/search-nodes.js'
import { createLinker, type Linker } from '../../src/engine/links/similar.js'
import { MemoryError } from '../../src/errors.js'
import { aFact } from '../contract/samples.js'
import { openWorld, type World } from './world.js'

let world: World
let ids: Readonly<Record<'current' | 'past' | 'entity' | 'foreign', string>>
afterEach(() => world.close())

const open = async (embedder: string): Promise<void> => {
  world = await openWorld({ embedder })
  const now = world.clock.peek()
  const facts = await remember(world.environment, { actor: 'test' }, [
    { text: 'The lighthouse blinks twice' },
    { text: 'The lighthouse was red', validFrom: now - 20e6, validUntil: now - 10e6 },
    { text: 'The lighthouse of another', owner: 'bea' },
  ])
  const [current = '', past = '', foreign = ''] = facts.map(({ id }) => id)
  const made = await world.call('memory/create_entity', { name: 'Lighthouse' })
  ids = { current, past, foreign, entity: String(made.id) }
}
const cacheOf = (enabled: boolean) => createSearchCache({ enabled, size: 10, ttlSeconds: 60 }, world.environment.clock)

const NO_LINKER: Pick<Linker, 'embedEntities'> = { embedEntities: async () => undefined }

/** By keyword alone unless a threshold is set: no similarity exceeds 1. */
const search = async (more: Partial<NodeQuery> = {}, cache = cacheOf(false), env = world.environment, linker = NO_LINKER) => {
  const query: NodeQuery = {
    ...{ text: 'lighthouse blinks', owner: 'default', limit: 10, kinds: ['fact', 'entity'], lives: ['active'], threshold: 2 },
    signal: new AbortController().signal,
    ...more,
  }
  const context = world.engine.context()
  const services = { ...context.services, searchCache: cache, linker: { ...context.services.linker, ...linker } }
  const { hits } = await searchNodes({ ...context, ...env, services }, query)
  return hits.map(({ node, score, similarity }) => ({ id: node.kind === 'fact' ? node.fact.id : node.entity.id, score, similarity }))
}
const named = (hits: Awaited<ReturnType<typeof search>>): readonly string[] => hits.map(({ id }) => id)

describe('node search', () => {
  test('matches half of the query words, in the requested kinds and states', async () => {
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

  test('matches by similarity from the threshold; strictly by similarity alone', async () => {
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

  test('weights relative similarity by 0.65 and keywords by 0.35, without a recall', async () => {
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

  test('counts similarity from the floor of the model', async () => {
    await open('hash')
    const now = world.clock.peek()
    await remember(world.environment, { actor: 'test' }, [{ text: 'The red barn', validFrom: now - 20e6, validUntil: now - 10e6 }])
    const { embedder } = world.environment
    const env = { ...world.environment, embedder: { ...embedder, model: { ...embedder.model, floor: 0.1 } } }
    const hits = await search({ kinds: ['fact'], lives: ['outdated'], text: 'lighthouse red' }, undefined, env)
    const [best, next] = hits.map(({ similarity }) => similarity)
    expect(hits.map(({ score }) => score)).toEqual([
      expect.closeTo(1, 6),
      expect.closeTo((0.65 * ((next ?? 0) - 0.1)) / ((best ?? 0) - 0.1) + 0.35 / 2, 6),
    ])
    expect(next).toBeGreaterThan(0.1)
  })

  test('orders equal scores by similarity', async () => {
    await open('hash')
    const now = world.clock.peek()
    const [past] = await remember(world.environment, { actor: 'test' }, [
      { text: 'The lighthouse blinks', validFrom: now - 20e6, validUntil: now - 10e6 },
    ])
    const hits = await search({ kinds: ['fact'], lives: ['active', 'outdated'] })
    expect(hits.slice(0, 2)).toMatchObject([
      { id: past?.id, score: 1 },
      { id: ids.current, score: 1 },
    ])
  })

  test('examines all of very many ended nodes', async () => {
    await open('none')
    const now = world.clock.peek()
    const ended = { owner: 'default', status: 'superseded', validFrom: now - 20e6, validUntil: now - 10e6, autoLink: false } as const
    const facts = Array.from({ length: 1001 }, (_, i) => aFact({ id: `e${i}`, text: i === 1000 ? 'A green door' : `Note ${i}`, ...ended }))
    await world.backend.store.commit({ actor: 'test', owners: ['default'] }, () => facts.map((fact) => ({ op: 'fact.put', fact })))
    expect(named(await search({ kinds: ['fact'], lives: ['outdated'], text: 'green door' }))).toEqual(['e1000'])
  })

  test('finds entities by similarity once they have vectors, up to the limit', async () => {
    await open('hash')
    let requested = 0
    const linker = createLinker(world.environment, { at: 0 })
    const counting = {
      embedEntities: (owner: string): Promise<void> => {
        requested++
        return linker.embedEntities(owner)
      },
    }
    const find = (more: Partial<NodeQuery>) => search(more, undefined, undefined, counting)
    const made = await world.call('memory/create_entity', { name: 'Otto', description: 'keeps a dog' })
    expect(await find({ kinds: ['fact'] })).toHaveLength(1)
    expect(requested).toBe(0)
    const hits = await find({ kinds: ['entity'], text: 'who keeps a dog', threshold: 0.3, limit: 1 })
    expect(named(hits)).toEqual([made.id])
    expect(hits[0]?.similarity).toBeGreaterThan(0.3)
    expect(requested).toBe(1)
    expect(named(await find({ kinds: ['entity'], limit: 1 }))).toEqual([ids.entity])
  })

  test('waits for no vectors of entities without a model', async () => {
    await open('none')
    const never = { embedEntities: () => Promise.reject(new Error('asked')) }
    expect(named(await search({ kinds: ['entity'] }, undefined, undefined, never))).toEqual([ids.entity])
  })

  test('uses keywords if the model fails, unless similarity alone was requested', async () => {
    await open('hash')
    const query = async (): Promise<Float32Array> => {
      throw new MemoryError('unavailable', 'The model is gone.')
    }
    const env = { ...world.environment, embedding: { ...world.environment.embedding, query } }
    expect(named(await search({ kinds: ['fact'] }, undefined, env))).toEqual([ids.current])
    expect(named(await search({ kinds: ['fact'], strict: false }, undefined, env))).toEqual([ids.current])
    await expect(search({ kinds: ['fact'], strict: true }, undefined, env)).rejects.toThrow('The model is gone.')
  })

  test('uses keywords without a model', async () => {
    await open('none')
    expect(named(await search())).toEqual([ids.current, ids.entity])
    expect(await search({ kinds: ['fact'], lives: ['outdated'], text: 'lighthouse red' })).toMatchObject([
      { score: expect.closeTo(0.35, 6), similarity: 0 },
    ])
    expect(await search({ strict: true })).toEqual([])
  })

  test('caches results until they change; a strict query is another query', async () => {
    await open('hash')
    const cache = cacheOf(true)
    const first = await search({}, cache)
    expect(await search({}, cache)).toEqual(first)
    expect(cache.stats().size).toBe(1)
    expect(await search({ strict: true }, cache)).toEqual([])
    expect(cache.stats().size).toBe(2)
    const [ending] = await remember(world.environment, { actor: 'test' }, [
      { text: 'The lighthouse blinks today', validUntil: world.clock.peek() + 5e6 },
    ])
    expect(named(await search({}, cache))).toContain(ending?.id)
    world.clock.advance(10e6)
    expect(named(await search({}, cache))).not.toContain(ending?.id)
  })
})
