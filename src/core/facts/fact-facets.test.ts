import { expect, test } from 'vitest'
import { countFacets } from './fact-facets.js'

const cell = (owner: string, kind: string, author: string | null, count: number) =>
  ({ owner, kind, author, count, status: 'active', source: 'codex' }) as const

const CELLS = [cell('ann', 'rule', 'Mara', 3), cell('ann', 'note', null, 2), cell('bob', 'rule', null, 4)]

test('without a choice every fact counts in every facet', () => {
  const { total, facets } = countFacets(CELLS, {})
  expect(total).toBe(9)
  expect(facets.owner).toEqual([
    { value: 'ann', count: 5 },
    { value: 'bob', count: 4 },
  ])
  expect(facets.author).toEqual([
    { value: null, count: 6 },
    { value: 'Mara', count: 3 },
  ])
})

test('a facet counts its other values as well, under what the other facets chose', () => {
  const { total, facets } = countFacets(CELLS, { kind: ['rule'], owner: ['ann'] })
  expect(total).toBe(3)
  expect(facets.kind).toEqual([
    { value: 'rule', count: 3 },
    { value: 'note', count: 2 },
  ])
  expect(facets.owner).toEqual([
    { value: 'bob', count: 4 },
    { value: 'ann', count: 3 },
  ])
  expect(facets.author).toEqual([{ value: 'Mara', count: 3 }])
})

test('the absence of an author can be chosen', () => {
  expect(countFacets(CELLS, { author: [null] }).total).toBe(6)
  expect(countFacets(CELLS, { author: [] }).total).toBe(0)
})
