import { expect, test } from 'vitest'
import { isSpelled, relationSpellings, toRelationType } from './relation-type.js'

test('a relation as people write it and as edges carry it', () => {
  expect(['works at', ' Works-At! ', '--'].map(toRelationType)).toEqual(['WORKS_AT', 'WORKS_AT', 'RELATED_TO'])
  expect([isSpelled('works at'), isSpelled('--')]).toEqual([true, false])
  expect(relationSpellings('works at')).toEqual(['WORKS_AT', 'works at', 'works_at', 'works-at'])
})
