import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { completeFact, type Fact } from '../../src/core/facts/fact.js'
import { introduce, openNode as openServer, sync } from '../http-access/nodes.js'
import { BACKENDS, fact, keyOf, listIn, openNode, ref, type TestNode } from './node.js'

/** A statement as a peer sends it. */
function fromPeer(input: Partial<Fact> & Pick<Fact, 'id' | 'subject' | 'predicate' | 'value'>, now: number): Fact {
  const stated = {
    ...{
      owner: 'default',
      text: `${input.subject} ${input.predicate} ${String(input.value)}`,
      kind: 'semantic',
      title: null,
      author: null,
    },
    ...{ session: null, date: null, scope: 'public' as const, garden: null, status: 'active' as const, confidence: 0.8, importance: 1 },
    ...{
      source: 'agent:far',
      reason: null,
      eventAt: now,
      validFrom: now,
      validUntil: null,
      recordedAt: now,
      updatedAt: now,
      expiresAt: null,
    },
    ...{ ttlDays: null, supersededBy: null, derivedFrom: [], metadata: {}, autoLink: false, dedupAt: null, version: 1 },
    ...input,
  }
  return completeFact(stated, {
    valueType: 'ref',
    assertedConfidence: 0.8,
    trust: 0.5,
    receivedFrom: 'peer-1',
    hlc: '1790000000000.001',
    ...input,
  })
}

describe.each(BACKENDS)('facts of peers, on %s', (kind) => {
  let node: TestNode
  beforeEach(async () => {
    node = await openNode(kind)
  })
  afterEach(() => node.close())

  const receive = (made: (now: number) => Fact) =>
    node.backend.store.commit({ actor: 'peer', owners: ['default'] }, (now) => [{ op: 'fact.put', fact: made(now) }])
  const member = keyOf({}, { federated: true })

  test('do not replace a conflict between local facts', async () => {
    await node.call('assert_fact', fact('user:a', 'memory:role', 'CEO', { scope: 'public', confidence: 0.6 }))
    const far = { id: 'p1', subject: 'user:a', predicate: 'memory:role', value: 'CFO', valueType: 'text', confidence: 0.9 } as const
    await receive((now) => fromPeer(far, now))
    await node.call('assert_fact', fact('user:a', 'memory:role', 'CTO', { scope: 'public', source: 'agent:other', confidence: 0.7 }))
    const conflicts = async (who = member) => listIn(await node.call('list_conflicts', {}, who), 'conflicts')
    expect(await conflicts()).toHaveLength(3)
    expect(await conflicts(keyOf())).toHaveLength(1)
  })

  test('create, end and decay edges like local facts, with the trust in the peer, for keys with that right (L71.1 L72.1 L74.1)', async () => {
    await receive((now) => fromPeer({ id: 'f1', subject: 'user:a', predicate: 'memory:knows', value: 'user:b' }, now))
    const near = async (who = member) => listIn(await node.call('neighbors', { entity: 'user:a', scope: 'public' }, who), 'neighbors')
    expect(await near()).toMatchObject([{ entity: 'user:b', confidence: 0.8, source_trust: 0.5 }])
    expect(await near(keyOf())).toEqual([])
    expect((await node.call('query_facts', {}, keyOf())).total).toBe(0)
    expect((await node.call('query_facts', {}, member)).total).toBe(1)
    await node.call('create_decay_policy', { half_life_s: 3600 })
    node.clock.set(node.clock.now() + 3600e6)
    await node.call('decay_scope', { scope: 'public' })
    expect(Number((await near())[0]?.confidence)).toBeCloseTo(0.4, 1)
    // A peer's retraction applies to facts from that peer only.
    const own = await node.call('assert_fact', ref('user:a', 'memory:knows', 'user:b', { scope: 'public', source: 'agent:far' }))
    const record = {
      subject: 'user:a',
      predicate: 'memory:knows',
      value: 'user:b',
      confidence: 0,
      assertedConfidence: 0,
      status: 'retracted',
    } as const
    await receive((now) => fromPeer({ id: 'f2', ...record, validUntil: now, hlc: '1790000000000.002' }, now))
    const [edge] = await node.backend.store.edgesById(['f1'])
    expect(edge?.confidence).toBe(0)
    expect(await node.call('get_fact', { id: own.id })).toMatchObject({ confidence: 1 })
    expect(await near(keyOf())).toHaveLength(1)
  })

  test('keep hashes unchanged, known or unknown, and resolve none (L231.1 L231.2 L231.3 L231.4)', async () => {
    const hashes = ['a'.repeat(64), 'b'.repeat(64)]
    await receive((now) =>
      fromPeer({ id: 'f1', subject: 'user:a', predicate: 'memory:n', value: 'user:b', derivedFrom: hashes, hash: 'c'.repeat(64) }, now),
    )
    expect(await node.call('get_fact', { id: 'f1' }, member)).toMatchObject({
      derived_from: hashes,
      hash: 'c'.repeat(64),
      received_from: 'peer-1',
    })
    expect(listIn(await node.call('provenance', { id: 'f1' }, member), 'nodes').slice(1)).toEqual(
      hashes.map((hash) => ({ hash, exists: false })),
    )
  })

  test('neither contradict nor appear on a card for readers without access', async () => {
    await receive((now) => fromPeer({ id: 'f1', subject: 'user:a', predicate: 'memory:role', value: 'user:boss' }, now))
    const own = await node.call('assert_fact', fact('user:a', 'memory:role', 'clerk', { scope: 'public', confidence: 0.5 }))
    expect((await node.call('get_fact', { id: own.id }, keyOf())).contradicted).toBe(false)
    expect((await node.call('get_fact', { id: own.id }, member)).contradicted).toBe(true)
    expect(listIn(await node.call('list_conflicts', {}, keyOf()), 'conflicts')).toEqual([])
    expect(listIn(await node.call('list_conflicts', {}, member), 'conflicts')).toHaveLength(1)
    const textOf = async (who: typeof member) =>
      JSON.stringify((await node.call('memory_card', { entity: 'user:a', scope: 'public' }, who)).value)
    expect(await textOf(member)).toContain('boss')
    expect(await textOf(keyOf())).not.toContain('boss')
    expect(await textOf(keyOf())).toContain('clerk')
    // A local assertion of a peer's fact is a new fact.
    const same = ref('user:a', 'memory:role', 'user:boss', { scope: 'public', confidence: 0.8, source: 'agent:far' })
    expect(await node.call('assert_fact', same, { ...keyOf(), entity: 'agent:far' })).toMatchObject({ received_from: null })
  })
})

test('hashes travel with a fact from node to node, and unknown ones are not requested (L231.1 L231.2 L231.3 L231.4)', async () => {
  const [a, b] = [await openServer(), await openServer()]
  try {
    await introduce(b, a)
    const derivedFrom = ['e'.repeat(64), 'd'.repeat(64)]
    const id = await a.assert({ value: { type: 'text', v: 'follows' }, derivedFrom })
    const [sent] = await a.opened.backend.store.facts([id])
    expect(await sync(b)).toMatchObject([{ pulled: 1, rejected: 0 }])
    const [came] = await b.opened.backend.store.facts([id])
    expect([came?.derivedFrom, came?.hash]).toEqual([derivedFrom, sent?.hash])
    expect((await b.opened.backend.statements.byHash('default', derivedFrom)).length).toBe(0)
  } finally {
    await Promise.all([a.close(), b.close()])
  }
})
