import { expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { findCompetingClaims, resolveNewClaim } from './duplicate-claims.js'

const statement = (id: string, value: string, more: Partial<Fact> = {}) => aFact({ id, subject: 'Ann', predicate: 'likes', value, ...more })

test('claims with equal values are duplicates, with other values conflicts', () => {
  const others = [
    statement('a', 'tea'),
    statement('same', 'tea'),
    statement('other', 'milk'),
    statement('far', 'milk', { scopes: ['q'] }),
    statement('elsewhere', 'milk', { predicate: 'drinks' }),
  ]
  const own = statement('a', 'tea', { scopes: ['p'] })
  const { duplicates, conflicts } = findCompetingClaims(own, others)
  expect([duplicates.map(({ id }) => id), conflicts.map(({ id }) => id)]).toEqual([['same'], ['other']])
  expect(findCompetingClaims({ ...own, predicate: null }, others)).toEqual({ duplicates: [], conflicts: [] })
  expect(() => resolveNewClaim(own, others, false)).toThrow('duplicate knowledge exists: same')
  expect(resolveNewClaim(own, [...others, statement('also', 'milk')], true)).toMatchObject({
    status: 'contested',
    conflicts: ['also', 'other'],
  })
  expect(resolveNewClaim(own, [statement('same', 'tea')], true)).toBe(own)
  expect(resolveNewClaim(own, [statement('other', 'milk')], false)).toMatchObject({ status: 'contested' })
})
