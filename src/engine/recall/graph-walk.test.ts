import { describe, expect, test } from 'vitest'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { TUNED } from '../../core/recall/recipe.js'
import { addWalk, findRelationMatches } from './graph-walk.js'

const scored = (id: string, score: number, graph = 0): ScoredCandidate => ({
  sketch: {
    ...{ rid: 1, id, owner: 'ann', subject: null, author: null, session: null, status: 'active', recordedAt: 0, validFrom: 0 },
    ...{ validUntil: null, expiresAt: null, isCode: false },
  },
  ...{ cosine: 0.8, bm25: 1, matches: 1, near: 0, length: 10, score, vector: 0.5, lexical: 0.25, graph, via: null, boosts: [] },
})
const walk = (scores: Readonly<Record<string, number>>, ...beside: readonly string[]) => ({
  ...{ scores: new Map(Object.entries(scores)), nodes: 0, beside: new Set(beside) },
})
const signalsOf = (list: readonly ScoredCandidate[]): readonly (readonly [number, number])[] =>
  list.map(({ score, graph }) => [score, graph])

describe('what a walk adds', () => {
  const recipe = { ...TUNED, graphGain: 0.5, besideWalk: 0.2 }

  test('to the score, beside the best share; the best score is 1 at most', () => {
    const low = [scored('a', 0.1), scored('b', 0.2), scored('c', 0.3, 0.9)]
    addWalk(low, walk({ a: 0.4, b: 0.2 }), recipe)
    expect(signalsOf(low)).toEqual([
      [0.6, 1],
      [0.45, 0.5],
      [0.3, 0.9],
    ])
    const high = [scored('a', 1.5), scored('b', 0.5)]
    addWalk(high, walk({ a: 1 }), recipe)
    expect(signalsOf(high)).toEqual([
      [1, 1],
      [0.25, 0],
    ])
    const whole = [scored('a', 0.5), scored('b', 0.25)]
    addWalk(whole, walk({ a: 1 }), recipe)
    expect(signalsOf(whole)).toEqual([
      [1, 1],
      [0.25, 0],
    ])
  })

  test('less to a fact that names the entity itself', () => {
    const list = [scored('a', 0), scored('b', 0)]
    addWalk(list, walk({ a: 1, b: 1 }, 'a'), recipe)
    expect(signalsOf(list)).toEqual([
      [0.1, 0.2],
      [0.5, 1],
    ])
  })

  test('as much as the weights of a contract say, and there no less to such a fact', () => {
    const list = [scored('a', 9), scored('b', 9)]
    addWalk(list, walk({ a: 1, b: 0.5 }, 'a'), { ...recipe, weights: { vector: 2, bm25: 4, ppr: 1 } })
    expect(signalsOf(list)).toEqual([
      [3, 1],
      [2.5, 0.5],
    ])
  })

  test('nothing where it led nowhere', () => {
    const list = [scored('a', 0.4)]
    addWalk(list, walk({}), recipe)
    expect(signalsOf(list)).toEqual([[0.4, 0]])
  })
})

test('a fact counts as told from a fifth of the best share on', () => {
  expect([...findRelationMatches(walk({ a: 1, b: 0.2, c: 0.19 }))]).toEqual(['a', 'b'])
})
