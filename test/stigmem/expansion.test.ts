import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fact } from '../../src/core/facts/fact.js'
import { remember } from '../../src/engine/facts/remember.js'
import { aFact } from '../contract/samples.js'
import { fact, listIn, openNode, ref, type TestNode } from './node.js'

let node: TestNode
beforeEach(async () => {
  node = await openNode('ram', { recallDebug: true })
})
afterEach(() => node.close())

/** Starts with keywords; the graph expands from there. */
const recall = (more: Record<string, unknown> = {}) =>
  node.call('recall', {
    ...{ query: 'leads the harbour', token_budget: 20_000, weights: { lex: 0.5, vec: 0, graph: 0.5 }, debug: true },
    ...more,
  })
const hopsOf = (answer: Awaited<ReturnType<typeof recall>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(listIn(answer, 'results').map(({ entity, relation, hops }) => [`${String(entity)} ${String(relation)}`, hops]))

const stated = (id: string, subject: string, predicate: string, value: string, more: Partial<Fact> = {}): Fact =>
  aFact({
    ...{ id, owner: 'default', subject, predicate, value, text: `${subject} ${value}`, autoLink: false },
    ...{ valueType: 'text', assertedConfidence: 1, scope: 'company', ...more },
  })
const putAll = (facts: readonly Fact[]) =>
  node.backend.store.commit({ actor: 'test', owners: ['default'] }, () => facts.map((fact) => ({ op: 'fact.put', fact: fact })))

describe('graph expansion', () => {
  test('a reached entity keeps the shortest path, and the start is not reached', async () => {
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    await node.call('assert_fact', fact('user:ines', 'memory:hobby', 'chess'))
    for (const who of ['bob', 'cy']) await node.call('assert_fact', fact(`user:${who}`, 'memory:hobby', 'stamps'))
    for (const [from, to] of [
      ['ines', 'bob'],
      ['ines', 'cy'],
      ['cy', 'bob'],
    ])
      await node.call('assert_fact', ref(`user:${from}`, 'memory:knows', `user:${to}`))
    expect(hopsOf(await recall({ depth: 2 }))).toMatchObject({ 'user:bob memory:hobby': 1, 'user:cy memory:hobby': 1 })
    expect(hopsOf(await recall({ depth: 2 }))).not.toHaveProperty('user:ines memory:hobby')
  })

  test('weighs edges of nodes with many edges less', async () => {
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    await node.call('assert_fact', fact('user:hub', 'memory:role', 'leads the harbour'))
    await node.call('assert_fact', ref('user:ines', 'memory:knows', 'user:bob'))
    for (const who of ['cy', 'dan', 'eve']) await node.call('assert_fact', ref('user:hub', 'memory:knows', `user:${who}`))
    const bob = await node.call('assert_fact', fact('user:bob', 'memory:hobby', 'stamps'))
    const cy = await node.call('assert_fact', fact('user:cy', 'memory:hobby', 'stamps'))
    // By the logarithm of one plus the out-degree: 2 against 4.
    expect((await recall({ depth: 1 })).scores_debug).toMatchObject({ [String(bob.id)]: { graph: 1 }, [String(cy.id)]: { graph: 0.5 } })
  })

  test('examines the nearest of very many reached entities', async () => {
    const weak = Array.from({ length: 200 }, (_, i) => `user:w${String(i).padStart(3, '0')}`)
    await putAll([
      stated('role', 'user:ines', 'memory:role', 'leads the harbour'),
      ...weak.map((who, i) => stated(`e${i}`, 'user:ines', 'memory:knows', who, { valueType: 'ref', confidence: 0.5 })),
      stated('strong', 'user:ines', 'memory:knows', 'user:zoe', { valueType: 'ref' }),
      stated('beyond', 'user:zoe', 'memory:knows', 'user:yan', { valueType: 'ref' }),
      stated('stamps', 'user:zoe', 'memory:hobby', 'stamps'),
      stated('coins', 'user:yan', 'memory:hobby', 'coins'),
    ])
    expect(hopsOf(await recall({ depth: 2 }))).toMatchObject({ 'user:zoe memory:hobby': 1, 'user:yan memory:hobby': 2 })
  })

  test('a memory without a statement is returned as its text, while it is valid', async () => {
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    const now = node.clock.now()
    const [kept, ended] = await remember(node.environment, { actor: 'test' }, [
      { text: 'Stamps in a box', scope: 'company' },
      { text: 'Coins in a box', scope: 'company', validUntil: now + 10e6 },
    ])
    for (const fact of [kept, ended]) await node.call('assert_fact', ref('user:ines', 'memory:has', `mneme:fact/${fact?.id}`))
    node.clock.set(now + 20e6)
    const found = listIn(await recall({ depth: 1 }), 'results')
    expect(found.find(({ id }) => id === kept?.id)).toMatchObject({ hops: 1 })
    expect(found.some(({ id }) => id === ended?.id)).toBe(false)
  })
})
