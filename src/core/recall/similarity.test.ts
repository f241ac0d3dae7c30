import { expect, it } from 'vitest'
import { toRelationType } from '../graph/relation-type.js'
import { thresholdsFor } from './similarity.js'

it('places the thresholds of the shipped model where they were measured', () => {
  expect(thresholdsFor(0.74, {})).toEqual({ search: 0.8, autoLink: 0.86, neighbours: 0.9, duplicate: 0.96 })
})

it('prefers what was configured, zero too', () => {
  expect(thresholdsFor(0.74, { search: 0, duplicate: 1 })).toMatchObject({ search: 0, neighbours: 0.9, duplicate: 1 })
})

it('turns predicates into relation types', () => {
  expect(['works at', 'Works-At!', 'ÜBERWACHT von', '  ', '***', 'is_a'].map(toRelationType)).toEqual([
    'WORKS_AT',
    'WORKS_AT',
    'ÜBERWACHT_VON',
    'RELATED_TO',
    'RELATED_TO',
    'IS_A',
  ])
})
