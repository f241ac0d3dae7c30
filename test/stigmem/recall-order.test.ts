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

const WORDS = { lex: 1, vec: 0, graph: 0 }
const recall = (more: Record<string, unknown> = {}) =>
  node.call('recall', { query: 'leads the harbour', token_budget: 20_000, weights: WORDS, debug: true, ...more })
const found = async (more: Record<string, unknown> = {}) => listIn(await recall(more), 'results').map(({ id }) => id)

const stated = (id: string, subject: string, value: string, more: Partial<Fact> = {}): Fact =>
  aFact({
    ...{ id, owner: 'default', subject, predicate: 'memory:role', value, text: value, autoLink: false },
    ...{ valueType: 'text', assertedConfidence: 1, scope: 'company', ...more },
  })
const putAll = (facts: readonly Fact[]) =>
  node.backend.store.commit({ actor: 'test', owners: ['default'] }, () => facts.map((fact) => ({ op: 'fact.put', fact: fact })))

describe('score of a statement', () => {
  test('orders equal scores by the global order, latest first', async () => {
    const statement = (id: string, hlc: string): Fact => stated(id, `user:${id}`, 'leads the harbour', { hlc })
    await putAll([statement('b', '2'), statement('c', '3'), statement('a', '1'), statement('e', '3'), statement('d', '3')])
    expect(await found()).toEqual(['c', 'd', 'e', 'b', 'a'])
  })

  test('is lowered by 0.3 if contradicted, and by 0.1 for each step of derivation', async () => {
    const root = await node.call('assert_fact', fact('user:zoe', 'memory:note', 'saw a badge'))
    const role = (who: string, more = {}) => node.call('assert_fact', fact(who, 'memory:role', 'leads the harbour', more))
    const plain = await role('user:bob')
    const once = await role('user:eve', { derived_from: [root.hash] })
    const twice = await role('user:amy', { derived_from: [once.hash] })
    const disputed = await role('user:cy')
    await node.call('assert_fact', fact('user:cy', 'memory:role', 'sweeps the street'))
    const { scores_debug } = await recall()
    expect(scores_debug).toMatchObject({
      [String(plain.id)]: { contradiction: 1, confidence: 1, score: expect.closeTo(0.5, 4) },
      [String(once.id)]: { contradiction: 1, confidence: expect.closeTo(0.9, 6) },
      [String(twice.id)]: { contradiction: 1, confidence: expect.closeTo(0.81, 6) },
      [String(disputed.id)]: { contradiction: 0.7, score: expect.closeTo(0.35, 4) },
    })
  })

  test('counts an unknown derivation as one step, and does not repeat a result as a derivation', async () => {
    const [value, two] = ['a', 'b'].map((sign) => sign.repeat(64))
    await putAll([
      stated('first', 'user:one', 'leads the harbour', { hash: value ?? null, derivedFrom: [two ?? ''] }),
      stated('second', 'user:two', 'leads the harbour', { derivedFrom: [value ?? ''] }),
    ])
    const answer = await recall()
    expect(listIn(answer, 'results').map(({ id }) => id)).toEqual(['first', 'second'])
    expect(answer.scores_debug).toMatchObject({
      first: { confidence: expect.closeTo(0.9, 6) },
      second: { confidence: expect.closeTo(0.81, 6) },
    })
  })
})

describe('statements that may be found', () => {
  test('include those of peers in the scope', async () => {
    await putAll([
      stated('own', 'user:a', 'leads the harbour'),
      stated('sent', 'user:b', 'leads the harbour', { receivedFrom: 'peer-1' }),
      stated('other', 'user:c', 'leads the harbour', { scope: 'public' }),
    ])
    expect((await found({ scope: 'company' })).sort()).toEqual(['own', 'sent'])
  })

  test('exclude those that no search finds', async () => {
    const near = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    await putAll([stated('far', 'user:b', 'Tea at noon')])
    expect(await found({ weights: { lex: 0, vec: 1, graph: 0 } })).toEqual([near.id])
    expect(await found({ query: 'noon', weights: { lex: 0, vec: 1, graph: 0 } })).toEqual(['far'])
  })

  test('are limited to one relation, also along the graph; a memory has the content relation', async () => {
    const [memory] = await remember(node.environment, { actor: 'test' }, [{ text: 'Who leads the harbour', scope: 'company' }])
    const ines = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    await node.call('assert_fact', fact('user:ines', 'memory:note', 'leads the harbour'))
    await node.call('assert_fact', ref('user:ines', 'memory:knows', 'user:bob'))
    const bob = await node.call('assert_fact', fact('user:bob', 'memory:role', 'sweeps'))
    await node.call('assert_fact', fact('user:bob', 'memory:hobby', 'stamps'))
    const weights = { lex: 0.5, vec: 0, graph: 0.5 }
    expect((await found({ relation: 'memory:role', weights, depth: 1 })).sort()).toEqual([ines.id, bob.id].sort())
    expect(await found({ relation: 'memory:content', weights, depth: 1 })).toEqual([memory?.id])
    const about = listIn(await recall({ entity: 'user:ines', relation: 'memory:note' }), 'results')
    expect(about.map(({ relation }) => relation)).toEqual(['memory:note'])
  })

  test('follow the graph only with a weight, and no edge of low trust', async () => {
    const ines = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    await node.call('assert_fact', ref('user:ines', 'memory:knows', 'user:bob', { confidence: 0.1 }))
    const bob = await node.call('assert_fact', fact('user:bob', 'memory:hobby', 'stamps'))
    // Retracted facts are not returned either, although an edge refers to them.
    await putAll([stated('none', 'user:cy', 'nothing', { confidence: 0 })])
    await node.call('assert_fact', ref('user:ines', 'memory:has', 'mneme:fact/none'))
    const along = { weights: { lex: 0.5, vec: 0, graph: 0.5 }, depth: 1 }
    expect(await found(along)).toEqual([ines.id])
    const all = await found({ ...along, include_low_trust: true, min_confidence: 0 })
    expect(all).toContain(bob.id)
    expect(all).not.toContain('none')
    expect(await found({ depth: 1, include_low_trust: true })).toEqual([ines.id])
  })

  test('appear once, even if an edge leads back to them', async () => {
    const ines = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    await node.call('assert_fact', ref('user:ines', 'memory:has', `mneme:fact/${ines.id}`))
    const all = listIn(await recall({ weights: { lex: 0.5, vec: 0, graph: 0.5 }, depth: 1 }), 'results')
    expect(all.filter(({ id }) => id === ines.id)).toMatchObject([{ hops: 0 }])
  })

  test('are searched deeper if hidden ones would take all places', async () => {
    const unsure = Array.from({ length: 210 }, (_, i) => stated(`u${i}`, `user:u${i}`, 'leads the harbour', { confidence: 0.1 }))
    await putAll([...unsure, stated('sure', 'user:sure', 'leads a choir, which sings in many towns along the long coast of the north')])
    expect(await found()).toEqual(['sure'])
  })
})

describe('recall about one entity', () => {
  test('searches by meaning too, unless that has no weight', async () => {
    const ines = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    const vec = async (weights: Record<string, number>) => {
      const { scores_debug } = await recall({ entity: 'user:ines', weights })
      return scores_debug
    }
    expect(await vec({ lex: 0, vec: 1, graph: 0 })).toMatchObject({ [String(ines.id)]: { vec: 1 } })
    expect(await vec(WORDS)).toMatchObject({ [String(ines.id)]: { vec: 0, lex: 1 } })
  })

  test('finds a fact by its own name: also the losing side of a contradiction, not a replaced one, within its scope', async () => {
    const [memory] = await remember(node.environment, { actor: 'test' }, [{ text: 'Stamps in a box', scope: 'team' }])
    const entity = `mneme:fact/${memory?.id}`
    expect(await found({ entity })).toEqual([memory?.id])
    expect(await found({ entity, scope: 'team' })).toEqual([memory?.id])
    expect(await found({ entity, scope: 'company' })).toEqual([])
    const loser = await node.call('assert_fact', fact('user:eve', 'memory:role', 'leads the harbour', { confidence: 0.5 }))
    await node.call('assert_fact', fact('user:eve', 'memory:role', 'sweeps the street'))
    const result = await recall({ entity: `mneme:fact/${loser.id}` })
    expect(listIn(result, 'results')).toMatchObject([{ id: loser.id, contradicted: true }])
    await putAll([stated('old', 'user:old', 'led', { status: 'superseded', validFrom: 1, validUntil: 2 })])
    expect(await found({ entity: 'mneme:fact/old' })).toEqual([])
  })

  test('returns the card of the scope with most results', async () => {
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour', { scope: 'public' }))
    for (const relation of ['memory:pet', 'memory:hobby'])
      await node.call('assert_fact', fact('user:ines', relation, `stamps of ${relation}`, { scope: 'team', confidence: 0.5 }))
    const answer = await recall({ entity: 'user:ines' })
    expect(listIn(answer, 'results')[0]).toMatchObject({ scope: 'public' })
    expect(answer.memory_card).toMatchObject({ scope: 'team' })
  })
})
