import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import type { Fact } from '../facts/fact.js'
import { isCurrentStatus } from '../facts/validity.js'
import { sameClaim } from './contradiction.js'
import {
  assignHlcAndHash,
  checkAcyclic,
  checkUnchanged,
  conflictFacts,
  deriveEffects,
  edgeOf,
  findSameAssertion,
  hasMoved,
  type LookupPlan,
  RETRACTS_KEY,
  retractsFact,
  type StatementLookup,
  shouldEmbed,
  sidesOf,
  strongestOther,
  toJournalPayload,
} from './statement-effects.js'

const statement = (id: string, input: Partial<Fact> = {}): Fact =>
  aFact({
    ...{ id, subject: 'user:ann', predicate: 'person:city', valueType: 'string', value: 'Rome', assertedConfidence: 1, source: 'agent:a' },
    ...input,
  })

/** Answers the lookups of the rules from a list of facts. */
function settle<T>(asking: LookupPlan<T>, stored: readonly Fact[]): T {
  const answer = (question: StatementLookup): readonly Fact[] => {
    if (question.about === 'ids') return stored.filter(({ id }) => question.ids.includes(id))
    if (question.about === 'hashes') return stored.filter(({ hash }) => hash !== null && question.hashes.includes(hash))
    if (question.about === 'derived') return stored.filter(({ derivedFrom }) => derivedFrom.includes(question.hash))
    const { fact, which } = question
    const live = stored.filter((entry) => isCurrentStatus(entry.status) && sameClaim(entry, fact))
    return which === 'same source'
      ? live.filter(({ source }) => source === fact.source)
      : strongestOther(fact, live, which === 'other value here')
  }
  let step = asking.next([])
  while (step.done !== true) step = asking.next(answer(step.value))
  return step.value
}
const effects = (fact: Fact, ...stored: readonly Fact[]) => settle(deriveEffects(fact, 50), stored)

describe('a new statement', () => {
  test('gets its hlc and its hash once, other facts get none', () => {
    const made = assignHlcAndHash(statement('a'), '7')
    expect(made).toMatchObject({ hlc: '7', hash: expect.stringMatching(/./) })
    expect(assignHlcAndHash(made, '9')).toEqual(made)
    expect(assignHlcAndHash(statement('a', { hlc: '3' }), '7').hlc).toBe('3')
    expect(assignHlcAndHash(statement('a', { form: 'system' }), '7')).toMatchObject({ hlc: '7', hash: null })
    for (const other of [statement('a', { version: 2 }), aFact({ id: 'a' })]) expect(assignHlcAndHash(other, '7')).toBe(other)
  })

  test('is a repeat only if its source asserted the same in every field', () => {
    const repeat = (input: Partial<Fact>) => settle(findSameAssertion(statement('b')), [statement('a', input)])?.id
    expect(repeat({})).toBe('a')
    for (const other of [
      { value: 'Oslo' },
      { receivedFrom: 'peer' },
      { assertedConfidence: 0.5 },
      { validUntil: 9 },
      { derivedFrom: ['h'] },
      { source: 'agent:b' },
    ])
      expect(repeat(other)).toBeUndefined()
  })

  test('is never derived from itself, directly or indirectly', () => {
    const check = (fact: Fact, ...stored: readonly Fact[]) => settle(checkAcyclic(fact), stored)
    const entry = (hash: string | null, ...derivedFrom: readonly string[]): Fact => statement(`of ${hash}`, { hash, derivedFrom })
    expect(() => check(entry('a', 'b', 'a'))).toThrow('would be derived from itself')
    expect(() => check(entry('a', 'b'), entry('b', 'a'))).toThrow('would be derived from itself')
    expect(() => check(entry('a', 'b'), entry('b', 'c', 'd'), entry('c', 'b'), entry('d', 'a'))).toThrow('would be derived from itself')
    for (const fact of [entry('a'), entry(null, 'b'), entry('a', 'b'), entry('a', 'c')])
      expect(() => check(fact, entry('b', 'c'), entry('c', 'b'))).not.toThrow()
    expect(() => check(entry('a', 'b'), entry('b', 'c'), entry('x', 'a'))).not.toThrow()
  })

  test('cannot be changed later', () => {
    const before = statement('a')
    expect(() => checkUnchanged(before, { ...before, confidence: 0, garden: 'g', status: 'retracted' })).not.toThrow()
    for (const other of [
      { text: 'x' },
      { subject: 'x' },
      { predicate: 'x' },
      { value: 'x' },
      { valueType: 'ref' as const },
      { source: 'x' },
      { scope: 'team' as const },
    ])
      expect(() => checkUnchanged(before, { ...before, ...other })).toThrow('immutable')
    for (const free of [undefined, aFact({ id: 'a' }), statement('a', { form: 'card' })])
      expect(() => checkUnchanged(free, statement('a', { value: 'x' }))).not.toThrow()
    expect([hasMoved(before, { ...before, garden: 'g' }), hasMoved(before, before), hasMoved(undefined, before)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('effects of a statement', () => {
  const ids = (facts: readonly Fact[]) => facts.map(({ id, status, confidence }) => `${id} ${status} ${confidence}`)

  test('zero confidence retracts the statements of its source, or the one it names', () => {
    const back = statement('b', { confidence: 0, value: null })
    const [mine, other, peers] = [statement('a'), statement('x', { source: 'agent:b' }), statement('p', { receivedFrom: 'peer' })]
    expect(ids(effects(back, back, mine, other, peers))).toEqual(['a retracted 0'])
    expect(effects(back, mine)).toMatchObject([{ version: 2, validUntil: expect.any(Number), updatedAt: 50 }])
    // It was not asserted, so it retracts nothing.
    for (const silent of [{ assertedConfidence: null }, { form: 'system' }]) expect(effects({ ...back, ...silent }, mine)).toEqual([])
    const naming = (id: string, input: Partial<Fact> = {}) =>
      statement('b', { confidence: 0, value: null, metadata: { [RETRACTS_KEY]: id }, ...input })
    expect(ids(effects(naming('x'), mine, other))).toEqual(['x retracted 0'])
    expect(effects(naming('x'), statement('x', { predicate: 'person:age' }))).toEqual([])
    expect(effects(naming('x'), statement('x', { status: 'retracted', validUntil: 5 }))).toEqual([])
    // A peer retracts only facts from that peer; a local retraction may name any fact.
    expect(effects(naming('x', { receivedFrom: 'peer' }), other)).toEqual([])
    expect(ids(effects(naming('p', { receivedFrom: 'peer' }), peers))).toEqual(['p retracted 0'])
    expect(ids(effects(naming('p'), peers))).toEqual(['p retracted 0'])
  })

  test('creates one conflict with the strongest contradicting fact, and for a peer another with the strongest local one', () => {
    const rivals = [statement('a', { value: 'Oslo', confidence: 0.9 }), statement('b', { value: 'Bern', confidence: 0.5 })]
    const [between, status, ...more] = effects(statement('new'), ...rivals)
    expect(more).toEqual([])
    expect(between === undefined ? [] : sidesOf(between)).toEqual(['a', 'new'])
    expect([between, status]).toMatchObject([{ form: 'system', receivedFrom: null, autoLink: false }, { value: 'unresolved' }])
    expect(effects(statement('new'), ...rivals, ...conflictFacts(statement('new'), statement('a', { value: 'Oslo' }), 1))).toEqual([])
    const sent = statement('p', { value: 'Paris', confidence: 1, receivedFrom: 'peer' })
    expect(
      effects(statement('new'), sent, ...rivals)
        .filter(({ predicate }) => predicate?.endsWith('between'))
        .map(sidesOf),
    ).toEqual([
      ['new', 'p'],
      ['a', 'new'],
    ])
    expect(effects(statement('new', { receivedFrom: 'peer' }), sent, ...rivals)).toHaveLength(2)
  })

  test('creates no conflict without a contradicting fact, or if it cannot be contradicted', () => {
    expect(effects(statement('new'), statement('a'), statement('b', { predicate: 'person:age', value: 3 }))).toEqual([])
    const against = statement('a', { value: 'Oslo' })
    for (const silent of [
      { form: 'system' },
      { status: 'superseded' as const, validUntil: 60 },
      { validUntil: 50 },
      { assertedConfidence: null },
    ])
      expect(effects(statement('new', silent), against)).toEqual([])
    expect(effects(statement('new', { validUntil: 51 }), against)).toHaveLength(2)
  })

  test('the strongest has the same claim, is disputable, and is local if required', () => {
    const strongest = (onlyHere: boolean, ...live: readonly Fact[]) => strongestOther(statement('new'), live, onlyHere).map(({ id }) => id)
    const sent = statement('p', { value: 'Paris', receivedFrom: 'peer' })
    expect(strongest(false, statement('a', { value: 'Oslo', confidence: 0.5 }), sent)).toEqual(['p'])
    expect(strongest(true, statement('a', { value: 'Oslo', confidence: 0.5 }), sent)).toEqual(['a'])
    expect(
      strongest(false, statement('a'), statement('b', { value: 'Oslo', scope: 'team' }), statement('c', { value: 'Oslo', confidence: 0 })),
    ).toEqual([])
  })
})

test('a reference creates an edge that ends with it', () => {
  const ref = statement('r', { valueType: 'ref', value: 'user:bob', confidence: 0.7 })
  expect(edgeOf(ref)).toMatchObject({ id: 'r', from: 'user:ann', to: 'user:bob', type: 'person:city', confidence: 0.7, validUntil: null })
  expect(edgeOf({ ...ref, status: 'retracted', validUntil: 9 })?.validUntil).toBe(9)
  for (const none of [{ valueType: 'string' as const }, { form: 'system' }, { assertedConfidence: null }, { value: 7 }])
    expect(edgeOf({ ...ref, ...none })).toBeUndefined()
})

test('keeps the fields of a card, and decides which facts get a vector', () => {
  expect(toJournalPayload(statement('a'))).toEqual(statement('a'))
  expect(toJournalPayload(statement('a', { form: 'card' }))).not.toHaveProperty('text')
  const wanted = (input: Partial<Fact>) => shouldEmbed(statement('a', input), 0.1)
  expect([
    wanted({ form: 'system' }),
    wanted({ form: 'card', confidence: 0 }),
    wanted({ assertedConfidence: null, confidence: 0 }),
  ]).toEqual([false, true, true])
  expect([wanted({ confidence: 0.2 }), wanted({ confidence: 0.1 }), wanted({ confidence: 0.05 })]).toEqual([true, undefined, false])
})

describe('target of a retraction', () => {
  const back = (input: Partial<Fact> = {}): Fact => statement('r', { assertedConfidence: 0, confidence: 0, ...input })
  const naming = (id: string, input: Partial<Fact> = {}): Fact => back({ metadata: { [RETRACTS_KEY]: id }, ...input })
  const peer = { receivedFrom: 'p' }
  const firstAt = (origin: string) => ({ attestation: { origin } })

  test.each([
    ['what the same source said', back(), statement('f'), true],
    ['what another source said', back(), statement('f', { source: 'agent:b' }), false],
    ['what another source said, if it names it', naming('f'), statement('f', { source: 'agent:b' }), true],
    ['another than the one it names', naming('g'), statement('f'), false],
    ['what came from a peer', back(), statement('f', peer), false],
    ['what came from a peer, if it names it', naming('f'), statement('f', peer), true],
    ['what has ended', back(), statement('f', { status: 'retracted', validUntil: 5 }), false],
    ['itself', back(), statement('r'), false],
    ['another claim', back(), statement('f', { predicate: 'person:job' }), false],
    ['of a peer: what it sent', back(peer), statement('f', peer), true],
    ['of a peer: what was said here', back(peer), statement('f'), false],
    ['of a peer: what another peer sent', back(peer), statement('f', { receivedFrom: 'q' }), false],
    [
      'of a peer: what was said first at it',
      back({ ...peer, ...firstAt('p') }),
      statement('f', { receivedFrom: 'q', ...firstAt('p') }),
      true,
    ],
    ['of a peer that passes it on', back({ ...peer, ...firstAt('o') }), statement('f', { receivedFrom: 'q', ...firstAt('p') }), false],
    [
      'of a peer: what was said first elsewhere',
      back({ ...peer, ...firstAt('p') }),
      statement('f', { receivedFrom: 'q', ...firstAt('o') }),
      false,
    ],
    ['of a peer: what it said before', back({ ...peer, hlc: 'h2' }), statement('f', { ...peer, hlc: 'h1' }), true],
    ['of a peer: what it said at the same time', back({ ...peer, hlc: 'h2' }), statement('f', { ...peer, hlc: 'h2' }), false],
    ['of a peer: what it said after', back({ ...peer, hlc: 'h2' }), statement('f', { ...peer, hlc: 'h3' }), false],
    ['of a peer: what it said after, if it names it', naming('f', { ...peer, hlc: 'h2' }), statement('f', { ...peer, hlc: 'h3' }), true],
    ['of a peer: what has no place in the order', back({ ...peer, hlc: 'h2' }), statement('f', { ...peer, hlc: null }), true],
    ['of a peer without a place in the order', back({ ...peer, hlc: null }), statement('f', { ...peer, hlc: 'h3' }), true],
  ])('%s', (_, record, fact, expected) => {
    expect(retractsFact(record, fact)).toBe(expected)
  })
})
