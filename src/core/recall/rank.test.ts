import { describe, expect, test } from 'vitest'
import { rank, type Scored, type Stage, toProbability } from './rank.js'

interface Named extends Scored {
  readonly id: string
}
const named = (id: string, value: number): Named => ({ id, contributions: [{ name: 'base', value }], score: value })
const byId = (a: Named, b: Named): number => (a.id < b.id ? -1 : 1)

describe('rank', () => {
  const lift: Stage<Named> = { name: 'lift', values: (all) => all.map(({ id }) => (id === 'c' ? 5 : 0)) }
  const drop: Stage<Named> = { name: 'drop', values: (all) => all.map(({ score }) => -score / 2) }

  test('orders candidates by the sum of their contributions', () => {
    const ranked = rank([named('a', 1), named('b', 2), named('c', 0)], [lift, drop], byId)
    expect(ranked.map(({ id, score }) => [id, score])).toEqual([
      ['c', 2.5],
      ['b', 1],
      ['a', 0.5],
    ])
    expect(ranked[0]?.contributions).toEqual([
      { name: 'base', value: 0 },
      { name: 'lift', value: 5 },
      { name: 'drop', value: -2.5 },
    ])
  })

  test('leaves out contributions of 0 and breaks ties by the given order', () => {
    const ranked = rank([named('b', 1), named('a', 1)], [lift], byId)
    expect(ranked.map(({ id, contributions }) => [id, contributions.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })

  test('does not change its input', () => {
    const candidates = [named('a', 1), named('c', 0)]
    rank(candidates, [lift], byId)
    expect(candidates).toEqual([named('a', 1), named('c', 0)])
  })
})

test('a score is the log-odds of a probability', () => {
  expect(toProbability(0)).toBe(0.5)
  expect(toProbability(Math.log(3))).toBeCloseTo(0.75, 12)
})
