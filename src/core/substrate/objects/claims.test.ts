import { describe, expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { storeClaimEnds } from './claim-ends.js'
import { claimKey, scopesOverlap } from './claims.js'

describe('claims', () => {
  const statement = (id: string, value: string, more: Partial<Fact> = {}) =>
    aFact({ id, subject: 'Ann', predicate: 'likes', value, ...more })

  test('are compared by kind, subject and predicate', () => {
    expect(claimKey(statement('a', 'tea'))).toBe(claimKey(statement('b', 'milk')))
    expect(claimKey(statement('a', 'tea', { references: { subject_refs: ['node:a'] } }))).not.toBe(claimKey(statement('a', 'tea')))
    for (const none of [{ subject: null }, { predicate: null }, { form: 'activity' }])
      expect(claimKey(statement('a', 'tea', none))).toBeNull()
  })

  test.each([
    [null, ['q'], true],
    [['p'], null, true],
    [[], ['q'], true],
    [['p'], [], true],
    [['p', 'q'], ['q'], true],
    [['p'], ['q'], false],
  ])('hold where their scopes meet: %j and %j', (a, b, expected) => expect(scopesOverlap(a, b)).toBe(expected))

  test('end in a value, in another object, or in both', () => {
    expect(storeClaimEnds(3, null, { a: 1 })).toEqual({ value: 3, valueType: null, details: { a: 1 } })
    expect(storeClaimEnds(null, 'node:o', {})).toEqual({ value: 'node:o', valueType: 'ref', details: {} })
    expect(storeClaimEnds(3, 'node:o', {})).toEqual({ value: 3, valueType: null, details: { object: 'node:o' } })
  })
})
