import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openWorld, tickingClock, type World } from './world.js'

const DAY = 86_400e6
const ids = (answer: unknown, list: 'results' | 'nodes'): readonly string[] =>
  z
    .array(z.object({ id: z.string() }))
    .parse(z.record(z.string(), z.unknown()).parse(answer)[list])
    .map((entry) => entry.id)

describe('expiry', () => {
  let world: World
  let time: ReturnType<typeof tickingClock>
  beforeEach(async () => {
    time = tickingClock()
    world = await openWorld({}, undefined, { ...time, now: () => time.peek() })
  })
  afterEach(() => world.close())

  const stats = async () => z.object({ stats: z.record(z.string(), z.number()) }).parse(await world.call('get_stats')).stats

  it('hides a node from every read at the instant it expires, not before', async () => {
    const end = time.peek() + DAY
    const offer = await world.node('create_node', { text: 'The spring offer is ten percent.', expires_at: end / 1000 })
    time.advance(1000)
    const shelf = await world.node('create_node', { text: 'The spring offer is ten percent off shelves.' })
    const far = await world.node('create_node', { text: 'Shelves are sold in hall three.' })
    await world.call('create_relation', { from_id: shelf.id, to_id: offer.id, relation_type: 'RELATED_TO' })
    await world.call('create_relation', { from_id: offer.id, to_id: far.id, relation_type: 'RELATED_TO' })

    time.set(end - 1)
    expect(ids(await world.call('search', { query: 'spring offer' }), 'results')).toContain(offer.id)
    expect(ids(await world.call('find_similar', { fact_id: shelf.id }), 'results')).toEqual([offer.id])
    expect(ids(await world.call('get_context', { node_id: shelf.id }), 'nodes')).toContain(offer.id)
    expect(await world.call('get_trace', { from_id: shelf.id, to_id: far.id })).toMatchObject({ paths: [{}] })
    expect(await stats()).toMatchObject({ total_facts: 3, active_facts: 3, total_relations: 3 })

    time.set(end)
    expect(ids(await world.call('search', { query: 'spring offer' }), 'results')).toEqual([shelf.id])
    expect(ids(await world.call('find_similar', { fact_id: shelf.id, threshold: 0 }), 'results')).not.toContain(offer.id)
    expect(ids(await world.call('get_context', { node_id: shelf.id, depth: 3 }), 'nodes')).toEqual([shelf.id])
    expect(await world.call('get_trace', { from_id: shelf.id, to_id: far.id })).toEqual({ success: true, paths: [] })
    expect(await world.call('get_node', { node_id: offer.id })).toMatchObject({
      success: false,
      code: 'memory_not_found',
      error_code: 'memory_not_found',
    })
    expect(await stats()).toMatchObject({ total_facts: 2, active_facts: 2, total_relations: 0 })
  })

  it('avoids an expired node if there is another path', async () => {
    const [a, b, c, d, e] = await Promise.all(
      ['one', 'two', 'three', 'four', 'five'].map((word) => world.node('create_node', { text: `Stop ${word}`, auto_link: false })),
    )
    const link = (from: { id: string } | undefined, to: { id: string } | undefined) =>
      world.call('create_relation', { from_id: from?.id, to_id: to?.id, relation_type: 'NEXT' })
    for (const [from, to] of [
      [a, b],
      [b, e],
      [a, c],
      [c, d],
      [d, e],
    ])
      await link(from, to)
    await world.call('update_node', { node_id: b?.id, expires_at: (time.peek() - DAY) / 1000 })
    const answer = z
      .object({ paths: z.array(z.object({ nodes: z.array(z.object({ id: z.string() })) })) })
      .parse(await world.call('get_trace', { from_id: a?.id, to_id: e?.id }))
    expect(answer.paths.map((path) => path.nodes.map((node) => node.id))).toEqual([[a?.id, c?.id, d?.id, e?.id]])
  })

  it('prefers an explicit instant to a time to live, and counts a new one from the update', async () => {
    const start = time.peek()
    const both = await world.node('create_node', { text: 'Both are given.', ttl_days: 1, expires_at: (start + 5 * DAY) / 1000 })
    expect(both).toMatchObject({ ttl_days: 1, expires_at: (start + 5 * DAY) / 1000 })
    time.advance(2 * DAY)
    expect(await world.node('update_node', { node_id: both.id, ttl_days: 1 })).toMatchObject({
      ttl_days: 1,
      expires_at: Math.floor((start + 3 * DAY) / 1000),
    })
    time.advance(DAY)
    expect(await world.call('get_node', { node_id: both.id })).toMatchObject({ code: 'memory_not_found' })
    expect(await world.node('update_node', { node_id: both.id, ttl_days: 10 })).toMatchObject({ status: 'active' })
    expect(await world.node('get_node', { node_id: both.id })).toMatchObject({ ttl_days: 10 })
  })

  it('is not hidden by a cached search', async () => {
    const end = time.peek() + 10e6
    const soon = await world.node('create_node', { text: 'Ferry nine leaves now.', expires_at: end / 1000 })
    time.advance(1000)
    const ask = async () => ids(await world.call('search', { query: 'ferry nine' }), 'results')
    expect(await ask()).toEqual([soon.id])
    expect(await ask()).toEqual([soon.id])
    time.set(end)
    expect(await ask()).toEqual([])
  })
})
