import { describe, expect, test } from 'vitest'
import { LOCAL_PRINCIPAL, type Principal } from '../../src/core/access/access-filter.js'
import { type Authority, attested, attestedOf, HISTORY, trustOf } from '../../src/core/access/attestation.js'
import type { Fact } from '../../src/core/facts/fact.js'
import { byStrength, conflictIdOf, isDisputable, sameClaim, sameValue } from '../../src/core/statements/contradiction.js'
import { applyDecay, computeDecay, type DecayPolicy, policyFor, policyOf } from '../../src/core/statements/decay.js'
import { aFact } from '../contract/samples.js'

const statement = (input: Partial<Fact> = {}): Fact =>
  aFact({
    id: 'f',
    subject: 'user:ann',
    predicate: 'person:city',
    valueType: 'string',
    value: 'Rome',
    assertedConfidence: 1,
    eventAt: 0,
    ...input,
  })

describe('prevailing statement', () => {
  test('is the one of higher confidence, then the later, and neither if both are equal', () => {
    const order = (a: Partial<Fact>, b: Partial<Fact>): number => Math.sign(byStrength(statement(a), statement(b)))
    expect([order({ confidence: 0.9 }, { confidence: 0.5 }), order({ confidence: 0.5 }, { confidence: 0.9 })]).toEqual([-1, 1])
    expect([order({ hlc: '2' }, { hlc: '1' }), order({ hlc: '1' }, { hlc: '2' }), order({ hlc: '1' }, { hlc: '1' })]).toEqual([-1, 1, 0])
    expect(order({ hlc: '2', confidence: 0.5 }, { hlc: '1', confidence: 0.6 })).toBe(1)
    expect(order({ hlc: null }, { hlc: '1' })).toBe(1)
  })

  test('is chosen among facts with the same readers about the same property of the same entity', () => {
    expect(sameClaim(statement(), statement({ value: 'Oslo' }))).toBe(true)
    for (const other of [
      { owner: 'bob' },
      { subject: 'user:eve' },
      { predicate: 'person:age' },
      { scope: 'team' as const },
      { garden: 'g' },
    ])
      expect(sameClaim(statement(), statement(other))).toBe(false)
    expect(sameValue(statement(), statement())).toBe(true)
    expect([sameValue(statement(), statement({ value: 'Oslo' })), sameValue(statement(), statement({ valueType: 'ref' }))]).toEqual([
      false,
      false,
    ])
  })

  test('is never a system fact, an unasserted fact or a retracted fact', () => {
    expect(isDisputable(statement())).toBe(true)
    for (const other of [{ assertedConfidence: null }, { confidence: 0 }, { form: 'system' }, { form: 'card' }])
      expect(isDisputable(statement(other))).toBe(false)
    expect(conflictIdOf('a', 'b')).toBe(conflictIdOf('b', 'a'))
    expect(conflictIdOf('a', 'b')).not.toBe(conflictIdOf('a', 'c'))
  })
})

describe('decay of statements', () => {
  const policy = (input: Partial<DecayPolicy>): DecayPolicy => ({
    id: input.relation ?? '*',
    relation: '*',
    scope: null,
    mode: 'confidence',
    ttlSeconds: null,
    halfLifeSeconds: 10,
    leastConfidence: 0,
    exempt: [],
    ...input,
  })
  const chosen = (policies: readonly DecayPolicy[], input: Partial<Fact> = {}) => policyFor(policies, statement(input))?.id

  test('follows the most specific matching rule', () => {
    const all = policy({ id: 'all' })
    const space = policy({ id: 'space', relation: 'person:*' })
    const wider = policy({ id: 'wider', relation: 'per*' })
    const exact = policy({ id: 'exact', relation: 'person:city' })
    expect([chosen([all]), chosen([all, space]), chosen([space, all, wider]), chosen([all, exact, space])]).toEqual([
      'all',
      'space',
      'space',
      'exact',
    ])
    expect([chosen([policy({ relation: 'person:age' })]), chosen([policy({ relation: 'place:*' })])]).toEqual([undefined, undefined])
    const local = policy({ id: 'local', scope: 'local' })
    expect([chosen([all, local]), chosen([local, all]), chosen([all, local], { scope: 'team' })]).toEqual(['local', 'local', 'all'])
    expect(chosen([local], { scope: 'team' })).toBeUndefined()
    // The longer name wins over the scope.
    expect(chosen([policy({ id: 'scoped', scope: 'local' }), policy({ id: 'named', relation: 'p*' })])).toBe('named')
    expect(chosen([policy({ id: 'scoped', scope: 'local' }), space])).toBe('space')
    expect(chosen([policy({ id: 'short', relation: 'person:c*', scope: 'local' }), exact])).toBe('exact')
  })

  test('excludes relations between entities', () => {
    const all = [policy({ id: 'all' })]
    expect(chosen(all, { assertedConfidence: null })).toBeUndefined()
    expect(chosen(all, { form: 'system' })).toBeUndefined()
    expect([chosen(all, { predicate: 'stigmem:ttl' }), chosen(all, { predicate: 'rel:knows' })]).toEqual([undefined, undefined])
    expect(chosen([policy({ exempt: ['person:c*'] })])).toBeUndefined()
    expect(chosen([policy({ id: 'all', exempt: ['person:age', 'place:*'] })])).toBe('all')
  })

  test('halves the confidence with each half-life, down to the minimum', () => {
    expect(applyDecay(0.8, 10, 10, 0)).toBeCloseTo(0.4, 9)
    expect(applyDecay(0.8, 5, 10, 0)).toBeCloseTo(0.565685, 6)
    expect([applyDecay(0.8, -5, 10, 0), applyDecay(0.8, 1000, 10, 0.3), applyDecay(0.2, 10, 10, 0.3)]).toEqual([0.8, 0.3, 0.2])
  })

  test('ends a statement at the period of its rule', () => {
    const node = (seconds: number, input: Partial<DecayPolicy>, fact: Partial<Fact> = {}) =>
      computeDecay(statement(fact), policy(input), seconds * 1e6)
    const kept = { mode: 'retract', ttlSeconds: 60 } as const
    expect([node(60, kept), node(61, kept)]).toEqual([undefined, { to: 'nothing' }])
    expect(node(61, kept, { eventAt: 1e6 })).toBeUndefined()
    expect(node(61, { ttlSeconds: 60, halfLifeSeconds: null })).toEqual({ to: 'nothing' })
    expect(node(10, { ttlSeconds: 5 })).toEqual({ to: 0.5 })
    expect(node(10, { mode: 'retract', halfLifeSeconds: null })).toBeUndefined()
    // Computed from the asserted confidence, so that a repetition changes nothing.
    expect(node(10, {}, { confidence: 0.5 })).toBeUndefined()
    expect(node(10, {}, { confidence: 0.501 })).toEqual({ to: 0.5 })
    expect(node(10, {}, { confidence: 0.5005 })).toBeUndefined()
  })

  test('reads a rule in its stored form', () => {
    const data = {
      relation: 'a:*',
      scope: 'team',
      mode: 'retract',
      ttl_s: 5,
      half_life_s: 6,
      min_confidence: 0.1,
      exempt_relations: ['a:b', 3],
    }
    expect(policyOf('p', data)).toEqual({
      id: 'p',
      relation: 'a:*',
      scope: 'team',
      mode: 'retract',
      ttlSeconds: 5,
      halfLifeSeconds: 6,
      leastConfidence: 0.1,
      exempt: ['a:b'],
    })
    expect(policyOf('p', { relation: 7, scope: 'moon', mode: 'x', ttl_s: '5', exempt_relations: 'a:b' })).toEqual({
      id: 'p',
      relation: '*',
      scope: null,
      mode: 'confidence',
      ttlSeconds: null,
      halfLifeSeconds: null,
      leastConfidence: 0,
      exempt: [],
    })
  })
})

describe('source attestation', () => {
  const holder: Principal = { ...LOCAL_PRINCIPAL, proof: 'key', entity: 'user:ann', sources: ['agent:a'] }

  test('covers the entity of the key and its further sources', () => {
    expect([attested(holder, 'user:ann', 'enforce'), attested(holder, 'agent:a', 'enforce')]).toEqual([true, true])
    expect(attested(holder, 'user:bob', 'warn')).toBe(false)
    expect(() => attested(holder, 'user:bob', 'enforce')).toThrow(
      expect.objectContaining({ message: 'This key does not speak for user:bob', hint: 'Leave source out, or give user:ann.' }),
    )
    expect(() => attested({ ...holder, entity: null }, 'user:bob', 'enforce')).toThrow(
      expect.objectContaining({ hint: 'Use a key with an entity of its own.' }),
    )
    expect([attested(holder, 'user:bob', 'off'), attested(LOCAL_PRINCIPAL, 'user:bob', 'enforce')]).toEqual([null, null])
  })

  test('is recorded with the fact', () => {
    expect(
      [{ attested: true }, { attested: false }, { attested: 'yes' }, {}, null].map((attestation) => attestedOf({ attestation })),
    ).toEqual([true, false, null, null, null])
  })

  test('gives trust by identity, history, authority and mode', () => {
    const trust = (facts: number, failures: number, blocked = false, authority: Authority = 'none'): number =>
      trustOf({ identity: 'token', history: { facts, failures, blocked }, authority, mode: 'warn' })
    // 0.35 * 0.5 + 0.3 * history + 0.25 * 0.2 + 0.1 * 0.6
    expect([trust(0, 0), trust(9, 0), trust(10, 0), trust(100, 0), trust(1000, 1)]).toEqual([0.435, 0.435, 0.495, 0.585, 0.495])
    expect([trust(100, 5), trust(101, 5), trust(100, 0, true)]).toEqual([0.375, 0.495, 0.285])
    expect(trust(100, 0, false, 'token')).toBe(0.785)
    expect(HISTORY).toBe(30 * 86_400e6)
  })
})
