import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { openWorld, type World } from './world.js'

const health = z.object({
  cache: z.object({
    search: z.object({ enabled: z.boolean(), size: z.number(), maxsize: z.number(), ttl: z.number() }),
    embeddings: z.looseObject({ enabled: z.boolean(), maxsize: z.number() }),
  }),
})

describe('search cache', () => {
  const worlds: World[] = []
  const open = async (...args: Parameters<typeof openWorld>) => {
    const world = await openWorld(...args)
    worlds.push(world)
    return world
  }
  afterEach(async () => {
    for (const world of worlds.splice(0).reverse()) await world.close()
  })

  const counted = (world: World) => vi.spyOn(world.backend.graph, 'similarEntities')
  /** The first search wakes the linker, whose lease is a write like any other, so wait until it is done. */
  const settled = async (world: World) => {
    await world.call('search', { query: 'settle the background first' })
    const ended = async () => {
      const jobs = await world.backend.jobs.list()
      return (await world.backend.graph.unlinked(1)).length === 0 && jobs.every((job) => job.state === 'idle')
    }
    await expect.poll(ended, EVENTUALLY).toBe(true)
  }

  it('computes a query once until the next write', async () => {
    const world = await open()
    await world.node('create_node', { text: 'The lighthouse blinks twice.' })
    await settled(world)
    const searches = counted(world)
    const ask = (input = {}) => world.call('search', { query: 'lighthouse', ...input })
    const first = await ask()
    expect(await ask()).toEqual(first)
    expect(searches).toHaveBeenCalledTimes(1)
    await ask({ owner_id: 'other' })
    expect(searches).toHaveBeenCalledTimes(2)

    const other = await open({}, { directory: world.directory, clock: world.clock })
    await other.node('create_node', { text: 'The lighthouse blinks thrice.' })
    expect(z.object({ results: z.array(z.unknown()) }).parse(await ask()).results).toHaveLength(2)
  })

  it('expires entries and reports its state', async () => {
    const world = await open({ searchCacheTtlSeconds: 5, searchCacheSize: 2, embedCacheSize: 7 })
    await world.node('create_node', { text: 'The lighthouse blinks twice.' })
    await settled(world)
    const searches = counted(world)
    const ask = (query: string) => world.call('search', { query })
    for (const query of ['lighthouse', 'blinks', 'twice']) await ask(query)
    expect(health.parse(await world.call('health_check')).cache).toMatchObject({
      search: { enabled: true, size: 2, maxsize: 2, ttl: 5 },
      embeddings: { enabled: true, maxsize: 7 },
    })
    await ask('twice')
    expect(searches).toHaveBeenCalledTimes(3)
    world.clock.advance(6e6)
    await ask('twice')
    expect(searches).toHaveBeenCalledTimes(4)
  })

  it('repair 7: no cached search counts after a write', async () => {
    const world = await open()
    await world.node('create_node', { text: 'The lighthouse blinks twice.' })
    const size = async () => health.parse(await world.call('health_check')).cache.search.size
    await world.call('search', { query: 'lighthouse' })
    expect(await size()).toBe(1)
    await world.node('create_node', { text: 'The ferry leaves at noon.' })
    expect(await size()).toBe(0)
  })

  it('can be disabled', async () => {
    const world = await open({ searchCacheEnabled: false })
    await world.node('create_node', { text: 'The lighthouse blinks twice.' })
    const searches = counted(world)
    for (let i = 0; i < 2; i++) await world.call('search', { query: 'lighthouse' })
    expect(searches).toHaveBeenCalledTimes(2)
    expect(health.parse(await world.call('health_check')).cache.search).toMatchObject({ enabled: false, size: 0 })
  })

  it('reports a part that failed', async () => {
    const world = await open({ embedder: 'none' })
    expect(await world.call('health_check')).toMatchObject({ success: true, falkordb: true, embeddings: false, vector_index: true })
    vi.spyOn(world.backend.store, 'journal').mockRejectedValue(new Error('disk gone'))
    expect(await world.call('health_check')).toMatchObject({ success: true, falkordb: false, vector_index: true })
    expect(await world.call('test_connection')).toMatchObject({ success: false, code: 'connection_error', error_code: 'connection_error' })
    // Words need no model.
    expect(await world.call('search', { query: 'anything' })).toMatchObject({ success: true, results: [] })
    vi.spyOn(world.backend, 'view').mockRejectedValue(new Error('disk gone'))
    expect(await world.call('search', { query: 'something else' })).toMatchObject({ success: false, code: 'memory_service_error' })
  })
})
