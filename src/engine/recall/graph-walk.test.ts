import { describe, expect, test } from 'vitest'
import { aCandidate, TUNED } from '../../../test/scored-candidate.js'
import { computeWalkShares, findRelationMatches } from './graph-walk.js'

const walk = (scores: Readonly<Record<string, number>>, ...neighbours: readonly string[]) => ({
  ...{ scores: new Map(Object.entries(scores)), nodes: 0, neighbours: new Set(neighbours) },
})
const [f1, f2, f3] = [1, 2, 3].map((rid) => aCandidate(rid, 0))
const candidates = [f1, f2, f3].flatMap((candidate) => candidate ?? [])

describe('the share of a walk', () => {
  test('is relative to the best', () => {
    expect(computeWalkShares(candidates, walk({ f1: 0.4, f2: 0.2 }), TUNED)).toEqual([1, 0.5, 0])
  })

  test('is less for a fact that names the entity itself', () => {
    expect(computeWalkShares(candidates, walk({ f1: 1, f2: 1 }, 'f1'), TUNED)).toEqual([TUNED.besideWalk, 1, 0])
  })

  test('is no less for such a fact where a caller sets weights', () => {
    const recipe = { ...TUNED, weights: { vector: 2, bm25: 4, ppr: 1 } }
    expect(computeWalkShares(candidates, walk({ f1: 1, f2: 0.5 }, 'f1'), recipe)).toEqual([1, 0.5, 0])
  })

  test('is 0 where the walk led nowhere', () => {
    expect(computeWalkShares(candidates, walk({}), TUNED)).toEqual([0, 0, 0])
  })
})

test('a fact counts as reached from a fifth of the best share', () => {
  expect([...findRelationMatches(walk({ a: 1, b: 0.2, c: 0.19 }))]).toEqual(['a', 'b'])
})
