import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fact } from '../../src/core/facts/fact.js'
import type { Change } from '../../src/core/journal/change.js'
import { putRelation } from '../../src/engine/edges/relations.js'
import { remember } from '../../src/engine/facts/remember.js'
import { MAX_COUNTED } from '../../src/engine/stigmem/list.js'
import { MAX_NEIGHBOURS_COUNTED } from '../../src/engine/stigmem/neighbours.js'
import { aFact } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { BACKENDS, fact, keyOf, listIn, openNode, ref, type TestNode } from './node.js'

const codeOf = ({ code, reason }: { readonly code: string; readonly reason: string }): string => `${code} ${reason}`

describe.each(BACKENDS)('the graph on %s', (kind) => {
  let node: TestNode
  beforeEach(async () => {
    node = await openNode(kind)
  })
  afterEach(() => node.close())

  const near = (entity: string, more: Record<string, unknown> = {}, principal?: Parameters<TestNode['call']>[2]) =>
    node.call('neighbors', { entity, scope: 'company', ...more }, principal)
  const names = async (...values: Parameters<typeof near>) => listIn(await near(...values), 'neighbors').map(({ entity }) => entity)

  test('a reference creates an edge with the id of its fact, in the same commit (L35.1 L35.2 L35.3 L39.1 L39.2 L41.1)', async () => {
    const payload = await node.call('assert_fact', ref('user:a', 'memory:knows', 'USER:Bob Smith', { confidence: 0.7 }))
    const [edge] = await node.backend.store.edgesById([String(payload.id)])
    expect(edge).toMatchObject({
      ...{
        id: payload.id,
        from: 'user:a',
        to: 'user:bob-smith',
        type: 'memory:knows',
        scope: 'company',
        confidence: 0.7,
        factId: payload.id,
        trust: null,
      },
    })
    const text = await node.call('assert_fact', fact('user:a', 'memory:name', 'user:bob'))
    expect(await node.backend.store.edgesById([String(text.id)])).toEqual([])
    // Deleted with its fact.
    await node.backend.store.commit({ actor: 'test', owners: ['default'] }, () => [
      { op: 'fact.delete', id: String(payload.id), owner: 'default' },
    ])
    expect(await node.backend.store.edgesById([String(payload.id)])).toEqual([])
  })

  test('walks in both directions, by shortest paths of at most three steps (L45.1 L53.1 L53.2 L59.1)', async () => {
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'c'],
      ['d', 'c'],
      ['d', 'e'],
      ['a', 'c'],
    ])
      await node.call('assert_fact', ref(`user:${from}`, 'memory:knows', `user:${to}`))
    expect(listIn(await near('user:a', { depth: 3 }), 'neighbors')).toEqual([
      { entity: 'user:b', relation: 'memory:knows', hops: 1, confidence: 1, source_trust: null, path: ['user:a'] },
      { entity: 'user:c', relation: 'memory:knows', hops: 1, confidence: 1, source_trust: null, path: ['user:a'] },
      { entity: 'user:d', relation: 'memory:knows', hops: 2, confidence: 1, source_trust: null, path: ['user:a', 'user:c'] },
      { entity: 'user:e', relation: 'memory:knows', hops: 3, confidence: 1, source_trust: null, path: ['user:a', 'user:c', 'user:d'] },
    ])
    expect(await near('user:a')).toMatchObject({ entity: 'user:a', depth: 1, total_hint: 2 })
    expect(await near('user:a')).not.toHaveProperty('next_cursor')
    expect(codeOf(await node.refusal('neighbors', { entity: 'user:a', scope: 'company', depth: 4 }))).toBe(
      'invalid_input graph_depth_exceeded',
    )
    expect(codeOf(await node.refusal('neighbors', { entity: 'user:a' }))).toBe('unprocessable invalid_input')
    expect(await near('user:absent')).toMatchObject({ neighbors: [], total_hint: 0 })
  })

  test('weak edges, other relations and other scopes are excluded before the walk (L47.1 L55.1 L57.1 L57.2)', async () => {
    await node.call('assert_fact', ref('user:a', 'memory:knows', 'user:b', { confidence: 0.05 }))
    await node.call('assert_fact', ref('user:b', 'memory:knows', 'user:c'))
    await node.call('assert_fact', ref('user:a', 'work:leads', 'user:d', { confidence: 0.5 }))
    await node.call('assert_fact', ref('user:d', 'work:leads', 'user:e', { scope: 'team' }))
    expect(await names('user:a', { depth: 3 })).toEqual(['user:d'])
    expect(await names('user:a', { depth: 3, min_confidence: 0 })).toEqual(['user:b', 'user:d', 'user:c'])
    expect(await names('user:a', { depth: 3, min_confidence: 0, relation_filter: 'memory:*' })).toEqual(['user:b', 'user:c'])
    expect(await names('user:a', { relation_filter: 'work:leads,x:*' })).toEqual(['user:d'])
    expect(await names('user:a', { relation_filter: '*' })).toEqual(['user:d'])
    for (const filter of ['mem?ry', 'a[b]', '(a|b)', '^memory', 'me*ory', 'a\\b', '', 'a,,b'])
      expect(codeOf(await node.refusal('neighbors', { entity: 'user:a', scope: 'company', relation_filter: filter })), filter).toBe(
        'invalid_input invalid_relation_filter',
      )
  })

  test('retracted and expired edges are not followed, and trust has a limit', async () => {
    const gone = await node.call('assert_fact', ref('user:a', 'memory:knows', 'user:b'))
    await node.call('assert_fact', ref('user:a', 'memory:knew', 'user:c', { valid_until: '2020-01-01T00:00:00Z' }))
    await node.call('assert_fact', ref('user:a', 'memory:meets', 'user:d', { source: undefined }), keyOf())
    await node.call('retract_fact', { id: gone.id })
    expect(await names('user:a')).toEqual(['user:d'])
    expect(await names('user:a', { min_trust: 0.6 })).toEqual(['user:d'])
    expect(await names('user:a', { min_trust: 0.7 })).toEqual([])
    expect(await names('user:a', {}, keyOf({}, { scopes: ['public'] }))).toEqual([])
    expect(await names('user:a', {}, keyOf({ owner: 'other' }))).toEqual([])
  })

  test('explicit relations are followed, similarity and mention links are not', async () => {
    const engine = node.engine
    const caller = { actor: 'test', connection: 'c' }
    const [first, second] = await remember(engine.context(), caller, [
      { text: 'Otter Lake is deep.', title: 'Otter Lake' },
      { text: 'Otter Lake freezes.' },
    ])
    await putRelation(engine.context(), 'test', {
      owner: 'default',
      from: first?.id ?? '',
      to: second?.id ?? '',
      type: 'EXPLAINS',
      properties: {},
    })
    const found = await node.call('neighbors', { entity: `mneme:fact/${first?.id}`, scope: 'local' })
    expect(listIn(found, 'neighbors')).toMatchObject([{ entity: `mneme:fact/${second?.id}`, relation: 'EXPLAINS', hops: 1 }])
  })

  test('a cursor continues over the edges of the first page, for its caller, for a limited time (L64.1 L64.2 L67.1)', async () => {
    const edges = []
    for (let i = 0; i < 6; i++) edges.push(await node.call('assert_fact', ref('user:hub', 'memory:has', `user:n${i}`)))
    await node.call('assert_fact', ref('user:n5', 'memory:has', 'user:far'))
    const request = { entity: 'user:hub', scope: 'company', page_size: 2, depth: 2 }
    const first = await node.call('neighbors', request)
    expect(listIn(first, 'neighbors').map(({ entity }) => entity)).toEqual(['user:n0', 'user:n1'])
    // A shorter path to a node still to come, a new one in front, and one less.
    await node.call('assert_fact', ref('user:hub', 'memory:has', 'user:far'))
    await node.call('assert_fact', ref('user:hub', 'memory:has', 'user:n00'))
    await node.call('retract_fact', { id: edges[3]?.id })
    const second = await node.call('neighbors', { ...request, cursor: first.next_cursor })
    expect(listIn(second, 'neighbors').map(({ entity }) => entity)).toEqual(['user:n2', 'user:n3'])
    const third = await node.call('neighbors', { ...request, cursor: second.next_cursor })
    expect(listIn(third, 'neighbors').map(({ entity }) => entity)).toEqual(['user:n4', 'user:n5'])
    const last = await node.call('neighbors', { ...request, cursor: third.next_cursor })
    expect(listIn(last, 'neighbors')).toMatchObject([{ entity: 'user:far', hops: 2 }])
    expect(last).not.toHaveProperty('next_cursor')
    const refused = async (input: Record<string, unknown>, who?: Parameters<TestNode['call']>[2]) =>
      codeOf(await node.refusal('neighbors', { ...request, cursor: first.next_cursor, ...input }, who))
    expect(await refused({ depth: 1 })).toBe('invalid_input invalid_cursor')
    expect(await refused({}, keyOf())).toBe('invalid_input invalid_cursor')
    const text = String(first.next_cursor)
    expect(await refused({ cursor: `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}` })).toBe(
      'invalid_input invalid_cursor',
    )
    for (const cursor of ['', 'x', '!!', 'e30', 'A'.repeat(10_000)]) expect(await refused({ cursor })).toBe('invalid_input invalid_cursor')
    node.clock.set(node.clock.now() + 301e6)
    expect(await refused({})).toBe('invalid_input cursor_expired')
  })

  test('provenance: each hash is a fact, or hidden for any reason (L220.1 L221.1 L224.1 L214.4)', async () => {
    const root = await node.call('assert_fact', fact('user:a', 'memory:a', 'a'))
    const hidden = await node.call('assert_fact', fact('user:h', 'memory:h', 'h', { scope: 'local' }))
    const middle = await node.call(
      'assert_fact',
      fact('user:b', 'memory:b', 'b', { derived_from: [root.hash, hidden.hash, '0'.repeat(64)] }),
    )
    const top = await node.call('assert_fact', fact('user:c', 'memory:c', 'c', { derived_from: [middle.hash] }))
    const walk = await node.call('provenance', { id: top.id })
    expect(walk).toMatchObject({ root_fact_id: top.id, depth_limit: 3, truncated: false })
    expect(listIn(walk, 'nodes')).toMatchObject([
      { id: top.id, exists: true },
      { id: middle.id, exists: true },
      { id: root.id, hash: root.hash, exists: true },
      { id: hidden.id, exists: true },
      { hash: '0'.repeat(64), exists: false },
    ])
    expect(listIn(walk, 'edges')).toContainEqual({ derived_fact_id: middle.id, source_hash: root.hash })
    const seen = await node.call('provenance', { id: top.id }, keyOf({}, { scopes: ['company'] }))
    expect(listIn(seen, 'nodes')[3]).toEqual({ hash: hidden.hash, exists: false })
    expect(await node.call('provenance', { id: top.id, depth: 1 })).toMatchObject({ truncated: true })
    await node.call('retract_fact', { id: root.id })
    expect(listIn(await node.call('provenance', { id: top.id }), 'nodes')[2]).toEqual({ hash: root.hash, exists: false })
    expect(codeOf(await node.refusal('provenance', { id: top.id, depth: 6 }))).toBe('invalid_input graph_depth_exceeded')
    expect(codeOf(await node.refusal('provenance', { id: 'none' }))).toBe('not_found fact_not_found')
  })
})

/** `MNEME_ENTITY_FACTS=100000` runs the full size. */
const OF_ONE_ENTITY = Number(process.env.MNEME_ENTITY_FACTS ?? 4000)

test('an entity of thousands of facts is recalled, expanded and summarised in part, and the result reports it', async () => {
  const node = await openNode('sqlite')
  const statement = (i: number, index: number): Fact => {
    const isRef = i % 2 === 0
    const value = isRef ? `user:n${String(i).padStart(6, '0')}` : `note ${i} about the harbour`
    const common = {
      id: `f${i}`,
      owner: 'default',
      subject: 'user:hub',
      predicate: `memory:r${i}`,
      value,
      text: `hub memory:r${i} ${value}`,
      recordedAt: index,
    }
    return aFact({ ...common, valueType: isRef ? 'ref' : 'text', assertedConfidence: 1, scope: 'company', autoLink: false })
  }
  for (let from = 0; from < OF_ONE_ENTITY; from += 1000)
    await node.backend.store.commit({ actor: 'test', owners: ['default'] }, (now) =>
      Array.from({ length: 1000 }, (_, i): Change => ({ op: 'fact.put', fact: statement(from + i, now) })),
    )
  const near = await node.call('neighbors', { entity: 'user:hub', scope: 'company', page_size: 200 })
  expect([near.total_hint, listIn(near, 'neighbors').length, listIn(near, 'neighbors')[0]?.entity]).toEqual([
    Math.min(OF_ONE_ENTITY / 2, MAX_NEIGHBOURS_COUNTED),
    200,
    'user:n000000',
  ])
  const answer = await node.call('recall', { query: 'harbour', token_budget: 500, entity: 'user:hub' })
  expect(answer).toMatchObject({ truncated: true })
  expect(Number(answer.tokens_used)).toBeLessThanOrEqual(500)
  // A card that is not built within half a second on a busy machine is built later.
  const card = await vi.waitFor(() => node.call('memory_card', { entity: 'user:hub' }), EVENTUALLY)
  expect(JSON.stringify(card.value)).toMatch(/… \d{4,5} lower-confidence facts omitted/)
  expect(await node.call('query_facts', { entity: 'user:hub', limit: 10 })).toMatchObject({ total: Math.min(OF_ONE_ENTITY, MAX_COUNTED) })
  await node.close()
})
