import { describe, expect, test } from 'vitest'
import { passes, relationFilter } from './relation-glob.js'

describe('relation filter', () => {
  test('accepts labels and prefixes', () => {
    const filter = relationFilter('person:city, memory:*')
    const relations = ['person:city', 'person:cityhall', 'memory:content', 'memory', 'city']
    expect(relations.filter((relation) => passes(filter, relation))).toEqual(['person:city', 'memory:content'])
    expect(passes(relationFilter('*'), 'anything')).toBe(true)
  })

  test.each(['', 'a,,b', 'a.*x', '**', 'a|b', 'a?', '(a)', 'a*b*'])('refuses %j', (text) => {
    expect(() => relationFilter(text)).toThrow('is neither a label nor a prefix')
  })

  test('accepts at most fifty', () => {
    const labels = (count: number): string => Array.from({ length: count }, (_, i) => `r${i}`).join(',')
    expect(relationFilter(labels(50)).labels).toHaveLength(50)
    expect(() => relationFilter(labels(51))).toThrow('more than 50 labels')
  })
})
