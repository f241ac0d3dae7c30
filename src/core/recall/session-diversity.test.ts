import { expect, test } from 'vitest'
import type { ScoredCandidate } from './candidate.js'
import { TUNED } from './recipe.js'
import { diversifySessions } from './session-diversity.js'

const SKETCH = {
  ...{ owner: 'o', subject: null, author: null, recordedAt: 0, validFrom: 0, validUntil: null, expiresAt: null },
  ...({ status: 'active', isCode: false } as const),
}

const found = (rid: number, session: string | null, score: number, length = 400): ScoredCandidate => ({
  sketch: { ...SKETCH, rid, id: `f${rid}`, session },
  ...{ cosine: 0.8, bm25: 1, matches: 1, near: 0, length, vector: 1, lexical: 1, graph: 0, via: null, boosts: [] },
  score,
})

const order = (results: ScoredCandidate[], terms: number, recipe = TUNED): readonly number[] => {
  diversifySessions(results, terms, recipe)
  return results.map(({ sketch }) => sketch.rid)
}

const talk = (length?: number): ScoredCandidate[] => [
  found(1, 'a', 1, length),
  found(2, 'a', 0.99, length),
  found(3, 'a', 0.98, length),
  found(4, 'b', 0.95, length),
]

test('after a long question the first message of another session comes before the third of one', () => {
  expect(order(talk(), 16)).toEqual([1, 2, 4, 3])
  const results = talk()
  diversifySessions(results, 16, TUNED)
  expect(results.map(({ score }) => score)).toEqual([1, 0.99, 0.98, 0.95])
})

test('short questions, short turns and given weights keep the order; in between it counts in part', () => {
  expect(order(talk(), 8)).toEqual([1, 2, 3, 4])
  expect(order(talk(80), 16)).toEqual([1, 2, 3, 4])
  expect(order(talk(), 16, { ...TUNED, weights: { vector: 1, bm25: 0, ppr: 0 } })).toEqual([1, 2, 3, 4])
  expect(order(talk(), 16, { ...TUNED, spread: 0 })).toEqual([1, 2, 3, 4])
  expect(order(talk(), 9)).toEqual([1, 2, 3, 4])
})

test('notes outside of sessions have no others of theirs', () => {
  expect(order([found(1, null, 1), found(2, null, 0.99), found(3, null, 0.98)], 20)).toEqual([1, 2, 3])
})

test('of few long texts among short ones less is taken', () => {
  const among = (length: number) => [found(1, 'a', 1, length), found(2, 'a', 0.95, 40), found(3, 'b', 0.92, 40), ...rest]
  const rest = Array.from({ length: 7 }, (_, i) => found(i + 4, 'c', 0.1, 40))
  expect(order(among(4000), 16).slice(0, 3)).toEqual([1, 2, 3])
  expect(order([...among(4000), found(20, 'd', 0.05, 4000)], 16).slice(0, 3)).toEqual([1, 3, 2])
})

test('sessions of two owners are two', () => {
  const [first, second] = [found(1, '~c', 1), found(2, '~c', 0.99)]
  const other = { ...found(3, '~c', 0.98), sketch: { ...found(3, '~c', 0.98).sketch, owner: 'p' } }
  expect(order([first, second, other], 16)).toEqual([1, 3, 2])
})
