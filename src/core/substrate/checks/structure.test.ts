import { describe, expect, test } from 'vitest'
import { aFact, anEntity, NOON } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import type { Source } from '../../facts/source.js'
import { checkFacts } from './fact-checks.js'
import { checkStructure, governanceViolations } from './structure.js'

const aSource = (id: string, status: Source['status'] = 'active'): Source => ({
  ...{ id, owner: 'ann', kind: 'document', title: `Title of ${id}`, origin: 'x', fingerprint: 'f', status },
  ...{ metadata: {}, createdAt: NOON, updatedAt: NOON, version: 1 },
})
const governed = (id: string, more: Partial<Fact> = {}): Fact =>
  aFact({ id, origin: 'imported', title: id, reason: 'why', scopes: ['p'], ...more })
const evidence = [{ source_id: 'src:1', segment_id: '1' }]

describe('structural problems', () => {
  const issues = (
    facts: readonly Fact[],
    sources: readonly Source[] = [],
    entities: Parameters<typeof checkStructure>[0]['entities'] = [],
  ) =>
    checkStructure({ facts, entities, sources }).map(
      ({ kind, target, missing }) => `${kind} ${target}${missing === null ? '' : ` ${missing}`}`,
    )

  test('include references to missing objects', () => {
    const work = governed('w', { form: 'work_item', stage: 'open', references: { depends_on: ['work:gone', 'e'], artifact_refs: ['any'] } })
    expect(issues([work], [], [anEntity({ id: 'e', name: 'E' })])).toEqual(['missing_reference w work:gone'])
    const kept = checkStructure({ facts: [work], entities: [], sources: [aSource('src:9')] })
    expect(kept.map(({ kind, repairable }) => [kind, repairable])).toEqual([
      ['missing_reference', true],
      ['missing_reference', true],
      ['orphan_source', false],
    ])
  })

  test('include unknown stages', () => {
    expect(
      issues([
        governed('a', { form: 'activity', stage: 'open' }),
        governed('b', { form: 'activity', stage: 'draft' }),
        governed('c', { form: 'work_item', stage: 'draft' }),
        governed('d', { form: 'work_item', stage: null }),
        governed('e', { stage: 'any', evidence }),
      ]).filter((issue) => !issue.startsWith('missing')),
    ).toEqual(['invalid_status a', 'invalid_status c'])
  })

  test('include active knowledge without evidence', () => {
    expect(
      issues([
        governed('a'),
        governed('b', { evidence }),
        governed('c', { origin: 'user_declared' }),
        governed('d', { status: 'candidate' }),
        governed('e', { form: 'activity' }),
        aFact({ id: 'f', title: 'f' }),
      ]),
    ).toEqual(['active_knowledge_without_evidence a'])
  })

  test('include knowledge with similar titles in overlapping scopes', () => {
    const called = (id: string, more: Partial<Fact> = {}) => governed(id, { title: 'Same', evidence, ...more })
    expect(issues([called('a'), called('b', { title: 'SAME' })])).toEqual(['duplicate_identity b'])
    for (const other of [
      { scopes: ['q'] },
      { kind: 'idea' },
      { status: 'archived' as const },
      { subject: 'Ann', predicate: 'likes' },
      { form: 'activity' },
      { origin: null },
    ])
      expect(issues([called('a'), called('b', other)])).toEqual([])
  })

  test('include sources without references', () => {
    const sources = ['src:1', 'src:2', 'src:3', 'src:4'].map((id) => aSource(id))
    const activity = governed('x', { form: 'activity', references: { source_refs: ['src:2'] } })
    const entity = anEntity({ id: 'e', name: 'E', metadata: { source_id: 'src:3' } })
    expect(issues([governed('a', { evidence }), activity], [...sources, aSource('src:5', 'archived')], [entity])).toEqual([
      'orphan_source src:4',
    ])
  })

  test('include violated rules of governance', () => {
    expect(
      governanceViolations([
        governed('a', { reason: null, scopes: [], status: 'active' }),
        governed('b', { evidence }),
        governed('c', { scopes: null, evidence }),
        governed('d', { reason: null, status: 'archived' }),
        governed('e', { reason: null, form: 'activity' }),
        aFact({ id: 'f', reason: null }),
      ]),
    ).toEqual([
      { id: 'a', rules: ['reason_missing', 'scope_refs_missing', 'active_without_evidence'] },
      { id: 'c', rules: ['scope_refs_missing'] },
    ])
  })
})

describe('review items', () => {
  const checks = (facts: readonly Fact[], entities: Parameters<typeof checkFacts>[1] = []) => checkFacts(facts, entities, NOON)

  test('include entities with similar names, each group once', () => {
    const entities = [
      anEntity({ id: 'b', name: 'Node.js', aliases: ['NODE'] }),
      anEntity({ id: 'a', name: 'nodejs', aliases: ['node'] }),
      anEntity({ id: 'c', name: 'nodejs!', status: 'archived' }),
      anEntity({ id: 'd', name: '!' }),
      anEntity({ id: 'e', name: '?' }),
    ]
    expect(checks([], entities)).toEqual([{ kind: 'similar_entity_name', ids: ['a', 'b'], names: ['nodejs', 'Node.js'] }])
  })

  test('include expired facts', () => {
    const over = { title: 'T', validFrom: NOON - 10, validUntil: NOON }
    expect(
      checks([
        aFact({ id: 'a', ...over }),
        aFact({ id: 'b', ...over, validUntil: NOON + 1 }),
        aFact({ id: 'c', ...over, validUntil: null }),
        aFact({ id: 'd', ...over, status: 'candidate' }),
        aFact({ id: 'e', ...over, kind: 'idea' }),
        aFact({ id: 'f', ...over, form: 'activity' }),
      ]),
    ).toEqual([{ kind: 'stale_fact', id: 'a', title: 'T', validUntil: NOON }])
  })

  test('include facts with different values of the same claim', () => {
    const statement = (id: string, value: string, more: Partial<Fact> = {}) =>
      aFact({ id, subject: 'Ann', predicate: 'likes', value, ...more })
    expect(checks([statement('b', 'tea'), statement('a', 'milk'), statement('c', 'tea')])).toEqual([
      { kind: 'relationship_mismatch', ids: ['a', 'b', 'c'], subject: 'Ann', predicate: 'likes' },
    ])
    for (const other of [
      { value: 'tea' },
      { subject: 'Bob' },
      { subject: null },
      { predicate: 'drinks' },
      { predicate: null },
      { kind: 'idea' },
      { form: 'activity' },
      { status: 'contested' as const },
      { status: 'archived' as const },
    ])
      expect(checks([statement('a', 'tea'), statement('b', 'milk', other)])).toEqual([])
    expect(checks([statement('a', 'tea'), statement('b', 'milk', { status: 'candidate', validFrom: NOON - 5, validUntil: NOON })])).toEqual(
      [],
    )
  })
})
