import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EVENTUALLY } from '../eventually.js'
import { openWorld, type World } from './world.js'

const withId = z.object({ id: z.string() })
const hits = z.object({ results: z.array(z.record(z.string(), z.unknown())) })
const context = z.object({
  nodes: z.array(withId),
  edges: z.array(z.object({ from_id: z.string(), to_id: z.string(), relation_type: z.string() })),
})
const history = z.object({ versions: z.array(z.record(z.string(), z.unknown())) })

const recalled = (answer: unknown): readonly string[] =>
  z
    .object({ memories: z.array(z.record(z.string(), z.unknown())) })
    .or(hits.transform(({ results }) => ({ memories: results })))
    .parse(answer)
    .memories.map((memory) => String(memory.content))

describe('one memory behind two contracts', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  it('finds, links, shows and ends a fact of the memory contract', async () => {
    const { id } = withId.parse(await world.call('memory/store_memory', { content: 'The release train leaves on Tuesday.' }))
    const found = hits.parse(await world.call('search', { query: 'release train' }))
    expect(found.results.map((hit) => hit.id)).toEqual([id])

    const entity = await world.node('create_node', { text: 'Release Office', node_type: 'Entity' })
    await world.call('create_relation', { from_id: id, to_id: entity.id, relation_type: 'DESCRIBES' })
    const around = context.parse(await world.call('get_context', { node_id: entity.id }))
    expect(around.nodes.map((node) => node.id)).toEqual([entity.id, id])
    expect(around.edges.map((edge) => edge.relation_type)).toEqual(['DESCRIBES'])

    expect(recalled(await world.call('memory/recall', { query: 'release train' }))).toEqual(['The release train leaves on Tuesday.'])
    await world.call('mark_outdated', { fact_id: id, reason: 'moved to Friday' })
    expect(recalled(await world.call('memory/recall', { query: 'release train' }))).toEqual([])
    expect(await world.call('memory/get_memory', { id })).toMatchObject({ invalidation_reason: 'moved to Friday' })
  })

  it('recalls and invalidates a fact of the graph contract', async () => {
    const fact = await world.node('create_node', { text: 'The harbour office opens at seven.' })
    expect(recalled(await world.call('memory/recall', { query: 'harbour office' }))).toEqual(['The harbour office opens at seven.'])
    expect(await world.call('memory/invalidate', { id: fact.id, reason: 'closed for good' })).toEqual({ invalidated: true })
    expect(await world.node('get_node', { node_id: fact.id })).toMatchObject({ status: 'outdated' })
    expect(hits.parse(await world.call('search', { query: 'harbour office' })).results).toEqual([])
  })

  it('shows the changes of both in one history', async () => {
    const { id } = withId.parse(await world.call('memory/store_memory', { content: 'Lunch is at noon.' }))
    await world.call('update_node', { node_id: id, metadata: { place: 'hall' } })
    await world.call('memory/invalidate', { id, reason: 'canteen closed' })
    await world.call('update_node', { node_id: id, status: 'active' })
    const { versions } = history.parse(await world.call('get_node_change_history', { node_id: id }))
    expect(versions.map((version) => [version.status, version.status_after, version.reason ?? null])).toEqual([
      ['outdated', 'active', null],
      ['active', 'outdated', 'canteen closed'],
      ['active', 'active', null],
    ])
  })

  it('has one entity per name, whichever contract named it', async () => {
    const { id } = withId.parse(await world.call('memory/create_entity', { name: 'Grace Hopper', entity_type: 'person' }))
    const node = await world.node('create_node', { text: 'grace hopper', node_type: 'Entity' })
    expect([node.id, node.type]).toEqual([id, 'person'])
    const { triplet } = z
      .object({ triplet: z.record(z.string(), z.unknown()) })
      .parse(await world.call('create_triplet', { subject: 'GRACE HOPPER', predicate: 'invented', object_value: 'COBOL' }))
    expect(triplet.subject_id).toBe(id)
    expect(await world.call('memory/get_related', { entity_id: id })).toMatchObject({ entity_count: 1, relation_count: 1 })
  })

  it('links facts of other contracts to similar facts, in the background and once', async () => {
    const texts = [
      'The night shift counts the red boxes.',
      'The night shift counts the blue boxes.',
      'The night shift counts the green boxes.',
    ]
    const ids: string[] = []
    for (const content of texts) ids.push(withId.parse(await world.call('memory/store_memory', { content })).id)
    await world.call('search', { query: 'wakes the linker' })
    const similar = async () =>
      (await world.backend.store.edges({ owner: 'default', types: ['SIMILAR_TO'], limit: 100 })).map((edge) => [edge.from, edge.to])
    const expected = [
      [ids[1], ids[0]],
      [ids[2], ids[0]],
      [ids[2], ids[1]],
    ]
    await expect.poll(async () => (await similar()).length, EVENTUALLY).toBe(3)
    expect((await similar()).sort()).toEqual(expected.sort())
    const [edge] = await world.backend.store.edges({ owner: 'default', types: ['SIMILAR_TO'], limit: 1 })
    expect(edge?.weight).toBeGreaterThan(0.8)
    await world.call('update_node', { node_id: ids[0] ?? '', text: 'Something else altogether happened elsewhere.' })
    expect((await similar()).flat()).not.toContain(ids[0])
  })

  it('links a new fact to similar entities that it does not name, from the given threshold', async () => {
    const entity = await world.node('create_node', { text: 'harbour crane hydraulics', node_type: 'Entity' })
    const far = await world.node('create_node', { text: 'hydraulics of the harbour crane', semantic_threshold: 0.99 })
    const near = await world.node('create_node', { text: 'crane hydraulics of the harbour', semantic_threshold: 0.3 })
    const around = context.parse(await world.call('get_context', { node_id: entity.id }))
    expect(around.nodes.map((node) => node.id)).toContain(near.id)
    expect(around.edges.filter((edge) => edge.from_id === far.id && edge.to_id === entity.id)).toEqual([])
  })
})
