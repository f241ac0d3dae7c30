import { expect, test } from 'vitest'
import { isSpelled, relationSpellings, toRelationType } from './relation-type.js'

test('converts a relation between its display form and its stored form', () => {
  expect(['works at', ' Works-At! ', '--'].map(toRelationType)).toEqual(['WORKS_AT', 'WORKS_AT', 'RELATED_TO'])
  expect([isSpelled('works at'), isSpelled('--')]).toEqual([true, false])
  expect(relationSpellings('works at')).toEqual(['WORKS_AT', 'works at', 'works_at', 'works-at'])
})
