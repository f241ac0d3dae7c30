import { describe, expect, test } from 'vitest'
import { aFact, NOON } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { DAY_US } from '../../facts/lifecycle.js'
import { DEFAULT_RULES, duplicateGroups, isPromotable, isStale, lacksEvidence, mergeEvidence } from './upkeep-rules.js'

const rules = { ...DEFAULT_RULES, reference: NOON }
const ref = (segment_id: string) => ({ source_id: 's', segment_id })
const about = { references: { subject_refs: ['node:a'] } }
const candidate = (more: Partial<Fact> = {}): Fact =>
  aFact({ id: 'c', status: 'candidate', confidence: 0.75, evidence: [ref('1')], ...about, ...more })

describe('a candidate', () => {
  test.each([
    ['sure enough, with evidence', {}, true, false],
    ['less sure', { confidence: 0.74 }, false, false],
    ['without evidence', { evidence: null }, false, true],
    ['about nothing', { references: null }, false, false],
    ['active already', { status: 'active' as const }, false, false],
    ['no knowledge', { form: 'activity' }, false, false],
  ])('%s', (_, more, promotable, lacking) => {
    expect([isPromotable(candidate(more), rules), lacksEvidence(candidate(more), rules)]).toEqual([promotable, lacking])
  })
})

describe('a verification', () => {
  const border = NOON - 30 * DAY_US
  test.each([
    ['thirty days ago', { verifiedAt: border }, false],
    ['longer ago', { verifiedAt: border - 1 }, true],
    ['longer ago, of a candidate', { verifiedAt: border - 1, status: 'candidate' as const }, true],
    ['longer ago, of what is stale already', { verifiedAt: border - 1, status: 'stale' as const }, false],
    ['longer ago, of an activity', { verifiedAt: border - 1, form: 'activity' }, false],
    ['never', { verifiedAt: null }, false],
  ])('%s', (_, more, stale) => {
    expect(isStale(aFact({ id: 'v', ...more }), rules)).toBe(stale)
  })
})

describe('facts with the same content', () => {
  const statement = (id: string, more: Partial<Fact> = {}): Fact => aFact({ id, ...about, predicate: 'likes', value: 'tea', ...more })
  const groups = (...facts: readonly Fact[]) => duplicateGroups(facts).map((group) => group.map(({ id }) => id).join(' '))

  test('must have the same subject and be current', () => {
    expect(groups(statement('a'), statement('b'))).toEqual(['a b'])
    for (const other of [
      { value: 'milk' },
      { predicate: 'drinks' },
      { predicate: null },
      { references: { subject_refs: ['node:b'] } },
      { references: null },
      { kind: 'idea' },
      { form: 'activity' },
      { status: 'archived' as const },
    ])
      expect(groups(statement('a'), statement('b', other))).toEqual([])
  })

  test.each([
    ['the stronger status', { status: 'candidate' as const }, { status: 'stale' as const }],
    ['active before candidate', {}, { status: 'candidate' as const, confidence: 1 }],
    ['the surer', { confidence: 0.9, verifiedAt: 1 }, { confidence: 0.8, verifiedAt: 2 }],
    ['the one verified last', { verifiedAt: 2, recordedAt: NOON }, { verifiedAt: 1, recordedAt: 1 }],
    ['verified before never', { verifiedAt: 1, recordedAt: NOON }, { recordedAt: 1 }],
    ['the older', { verifiedAt: 5, recordedAt: 1 }, { verifiedAt: 5, recordedAt: 2 }],
  ])('%s wins', (_, winner, loser) => {
    expect(groups(statement('z', winner), statement('a', loser))).toEqual(['z a'])
    expect(groups(statement('a', loser), statement('z', winner))).toEqual(['z a'])
  })

  test('of equal facts, the first by id is kept', () => {
    const equal = { verifiedAt: 5 }
    expect(groups(statement('b', equal), statement('a', equal), statement('c', equal))).toEqual(['a b c'])
  })

  test('the kept fact receives evidence, scopes and confidence of the others', () => {
    const winner = statement('a', { confidence: 0.5, evidence: [ref('1')], scopes: ['p'] })
    const united = mergeEvidence(winner, [statement('b', { confidence: 0.9, evidence: [ref('1'), ref('2')], scopes: ['q', 'p'] })])
    expect(united).toMatchObject({ id: 'a', confidence: 0.9, evidence: [ref('1'), ref('2')], scopes: ['p', 'q'] })
    expect(mergeEvidence(statement('a'), [statement('b')])).toMatchObject({ evidence: null, scopes: null })
  })
})
