import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runs } from '../runs.js'
import { openWorld, type World } from './world.js'

const DAY = 86_400e6
const triplets = z.object({ triplets: z.array(z.looseObject({ subject: z.string(), predicate: z.string(), object: z.string() })) })
const paths = z.object({ paths: z.array(z.object({ nodes: z.array(z.looseObject({ id: z.string() })) })) })

describe('identity of nodes and relations', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  const entity = async (text: string): Promise<string> => (await world.node('create_node', { text, node_type: 'Entity' })).id
  const fact = async (text: string, more: Record<string, unknown> = {}): Promise<string> =>
    (await world.node('create_node', { text, auto_link: false, ...more })).id
  const run = (kind: string) => world.call('admin/jobs', { action: 'run', kind })
  const stated = async (query: Record<string, unknown>) =>
    triplets
      .parse(await world.call('search_triplets', query))
      .triplets.map((triplet) => `${triplet.subject} ${triplet.predicate} ${triplet.object}`)

  it.each([
    [['C', 'C++', 'C#']],
    [['Mercury', 'Mercury (planet)', 'Mercury (element)']],
    [['Net', '.NET']],
    [['v1.2', 'v1 2']],
    [['1', '-1']],
    [['Foo', `Foo ${'a'.repeat(65)}`, `Foo ${'b'.repeat(65)}`]],
  ])('tells the entities %j apart', async (names) => {
    const ids = []
    for (const name of names) ids.push(await entity(name))
    expect(new Set(ids).size).toBe(names.length)
    for (const [i, name] of names.entries()) expect(await entity(` ${name.toUpperCase()} `)).toBe(ids[i])
  })

  it('keeps statements that differ only in a sign', async () => {
    for (const [subject, predicate, object] of [
      ['Freezer', 'temperature', '5'],
      ['Freezer', 'temperature', '-5'],
      ['x', '>', 'y'],
      ['x', '<', 'y'],
    ]) {
      for (let twice = 0; twice < 2; twice++) await world.call('create_triplet', { subject, predicate, object_value: object })
    }
    expect(await stated({ subject: 'freezer' })).toEqual(['Freezer temperature 5', 'Freezer temperature -5'])
    expect(await stated({ subject: 'x' })).toEqual(['x > y', 'x < y'])
  })

  it('recognises a relation of the other contract, and removes it', async () => {
    const [ann, bank] = [await entity('Ann'), await entity('Bank')]
    await world.call('memory/create_relation', { from_entity: ann, to_entity: bank, relation_type: 'works at' })
    await world.call('create_triplet', { subject: 'Ann', predicate: 'Works At', object_value: 'Bank' })
    for (const predicate of ['WORKS_AT', 'works at', 'Works-At'])
      expect(await stated({ predicate }), predicate).toEqual(['Ann works at Bank'])
    expect(await world.call('delete_relation', { from_id: ann, to_id: bank, relation_type: 'works at' })).toMatchObject({ deleted: 1 })
    expect(await world.call('delete_relation', { from_id: ann, to_id: bank, relation_type: 'works at' })).toMatchObject({ success: false })
  })

  it('does not read signs as words, or one entity as another with a similar mention', async () => {
    await world.call('create_triplet', { subject: 'x', predicate: '>', object_value: 'y' })
    await world.call('create_triplet', { subject: 'x', predicate: 'related to', object_value: 'y' })
    await world.call('create_triplet', { subject: 'Ann', predicate: 'likes', object_value: 'C++' })
    expect(await stated({ subject: 'x' })).toEqual(['x > y', 'x related to y'])
    expect(await stated({ subject: 'x', predicate: '>' })).toEqual(['x > y'])
    expect(await stated({ subject: 'x', predicate: 'related to' })).toEqual(['x related to y'])
    expect([await stated({ object_value: 'C#' }), await stated({ object_value: 'c++' })]).toEqual([[], ['Ann likes C++']])
  })

  it('has ended in the memory contract too once it has expired', async () => {
    const [shop, offer] = [await entity('Shop'), await fact('The offer is valid.', { ttl_days: 1 })]
    const brief = (await world.node('create_node', { text: 'Stall', node_type: 'Entity', ttl_days: 1 })).id
    const relate = (to: string) => world.call('memory/create_relation', { from_entity: shop, to_entity: to, relation_type: 'has' })
    await relate(offer)
    await relate(brief)
    expect(await world.call('memory/get_related', { entity_id: shop })).toMatchObject({ entity_count: 2, relation_count: 2 })
    world.clock.advance(2 * DAY)
    expect(await world.call('memory/get_related', { entity_id: shop })).toMatchObject({ entity_count: 0, relation_count: 0 })
    expect(await world.call('memory/get_memory', { id: offer })).toMatchObject({ valid_until: expect.any(String) })
    expect(await world.call('memory/invalidate', { id: offer })).toMatchObject({ invalidated: false })
    await expect(relate(offer)).rejects.toThrow('not found')
    // Naming the entity again brings it back.
    await world.call('memory/create_entity', { name: 'stall' })
    expect(await world.node('get_node', { node_id: brief })).toMatchObject({ status: 'active', expires_at: null })
  })

  it('deletes the reason of a change with its target', async () => {
    const id = await fact('Bob left.')
    await world.call('mark_outdated', { fact_id: id, reason: 'Frabjous reason' })
    await world.call('delete_node', { node_id: id })
    expect(JSON.stringify(await world.backend.store.journal({ limit: 100 }))).not.toContain('Frabjous')
  })

  it('creates a relation again after a job has moved the first one', async () => {
    const [a, b, summary] = [await fact('The lift is out of order.'), await fact('The lift is out of order!'), await fact('About lifts')]
    const relate = () => world.call('create_relation', { from_id: summary, to_id: b, relation_type: 'SUMMARIZES' })
    await relate()
    await run('deduplicate')
    expect(await relate()).toMatchObject({ success: true })
    expect(await relate()).toMatchObject({ success: true })
    const edges = await world.backend.store.edges({ owner: 'default', from: summary, limit: 10 })
    expect(edges.map((edge) => edge.to).sort()).toEqual([a, b].sort())
  })

  it('treats a copy of an automatic relation as explicit', async () => {
    const [a, b] = [await fact('One thing'), await fact('Something else')]
    const relate = (properties: Record<string, unknown>) =>
      world.call('create_relation', { from_id: a, to_id: b, relation_type: 'X', properties })
    const first = await relate({ auto_linked: true, weight: 1 })
    expect(await relate({ auto_linked: true })).toEqual(first)
    expect(await relate({ more: 2 })).toEqual(first)
    const [edge] = await world.backend.store.edges({ owner: 'default', from: a, types: ['X'], limit: 10 })
    expect(edge?.properties).toEqual({ weight: 1, more: 2 })
  })

  it('adds the properties of a link when an entity is named again', async () => {
    const to = await entity('Bea')
    for (const properties of [{ a: 1 }, { b: 2 }]) {
      await world.call('create_node', {
        text: 'Ann',
        node_type: 'Entity',
        links: [{ node_id: to, to_id: null, relation_type: 'R', properties }],
      })
    }
    const [edge] = await world.backend.store.edges({ owner: 'default', to, types: ['R'], limit: 10 })
    expect(edge?.properties).toEqual({ a: 1, b: 2 })
  })

  it('deduplication never keeps the fact that ends sooner, and writes no version of compared facts', async () => {
    await fact('The canteen is closed on Friday.', { expires_at: (world.clock.now() + DAY) / 1000 })
    const stays = await fact('The canteen is closed on Friday!')
    await run('deduplicate')
    expect(await world.node('get_node', { node_id: stays })).toMatchObject({ status: 'active' })
    expect(await world.call('get_node_change_history', { node_id: stays })).toMatchObject({ count: 0 })
  })

  it('rejects a reason that would make the metadata too large to change again', async () => {
    const id = await fact('Full', { metadata: { filling: 'x'.repeat(99_900) } })
    expect(await world.call('mark_outdated', { fact_id: id, reason: 'y'.repeat(9000) })).toMatchObject({ success: false })
    expect(await world.call('mark_outdated', { fact_id: id })).toMatchObject({ success: true })
    expect(await world.call('update_node', { node_id: id, text: 'Other' })).toMatchObject({ success: true })
  })

  it('restores an expired node permanently when it becomes active again', async () => {
    const id = await fact('The offer is valid.', { ttl_days: 1 })
    const near = await fact('The shop is open.')
    await world.call('create_relation', { from_id: near, to_id: id, relation_type: 'X' })
    await world.call('delete_relation', { from_id: near, to_id: id })
    world.clock.advance(2 * DAY)
    await run('archive')
    expect(await world.call('get_stats')).toMatchObject({ stats: { total_facts: 2, active_facts: 1, archived_facts: 1 } })
    expect(await world.node('get_node', { node_id: id })).toMatchObject({ status: 'archived' })
    await world.call('update_node', { node_id: id, status: 'active' })
    expect(await world.node('get_node', { node_id: id })).toMatchObject({ status: 'active', expires_at: null, ttl_days: null })
  })

  it('finds all shortest paths of any nodes', async () => {
    const nodes: string[] = []
    for (let i = 0; i < 9; i++) nodes.push(await fact(`Stop ${i}`))
    const pair = fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 8 })).filter(([a, b]) => a < b)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(pair, { minLength: 8, maxLength: 14, selector: String }), async (edges) => {
        for (const [a, b] of edges) await world.call('create_relation', { from_id: nodes[a], to_id: nodes[b], relation_type: 'N' })
        for (const to of [3, 8]) {
          const { paths: found } = paths.parse(await world.call('get_trace', { from_id: nodes[0], to_id: nodes[to], max_paths: 20 }))
          const lengths = found.map((path) => path.nodes.length - 1)
          expect(lengths).toEqual(shortestRoutes(edges, 0, to).slice(0, 20))
          expect(new Set(found.map((path) => path.nodes.map((node) => node.id).join())).size).toBe(found.length)
        }
        for (const [a, b] of edges) await world.call('delete_relation', { from_id: nodes[a], to_id: nodes[b] })
      }),
      { numRuns: runs(10, 25) },
    )
  })
})

/** Lengths of all routes of at most five steps that pass no node twice, by exhaustive search. */
function shortestRoutes(edges: readonly (readonly [number, number])[], from: number, to: number): readonly number[] {
  const lengths: number[] = []
  const walk = (path: readonly number[]): void => {
    const here = path[path.length - 1]
    if (here === to) {
      lengths.push(path.length - 1)
      return
    }
    if (path.length > 5) return
    for (const [a, b] of edges) {
      const next = a === here ? b : b === here ? a : undefined
      if (next !== undefined && !path.includes(next)) walk([...path, next])
    }
  }
  walk([from])
  return lengths.sort((a, b) => a - b)
}
