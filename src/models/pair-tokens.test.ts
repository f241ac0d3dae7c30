import { expect, it } from 'vitest'
import { toPair } from './pair-tokens.js'

const run = (first: number, length: number): number[] => Array.from({ length }, (_, i) => first + i)

it('places the memory between the query and the surrounding turns', () => {
  expect(toPair({ question: [1, 2], memory: [3], before: [4], after: [5, 6] })).toEqual({
    ids: [101, 1, 2, 102, 3, 102, 4, 1064, 5, 6, 102],
    types: [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0],
  })
})

it('omits missing parts', () => {
  expect(toPair({ question: [1], memory: [2], before: null, after: null }).ids).toEqual([101, 1, 102, 2, 102])
  expect(toPair({ question: [1], memory: [2], before: [3], after: null }).ids).toEqual([101, 1, 102, 2, 102, 3, 102])
  expect(toPair({ question: [1], memory: [2], before: null, after: [3] }).ids).toEqual([101, 1, 102, 2, 102, 1064, 3, 102])
})

it('truncates each part: the previous turn at its beginning, the others at their end', () => {
  const { ids } = toPair({ question: run(2000, 100), memory: run(3000, 200), before: run(4000, 50), after: run(5000, 50) })
  expect(ids).toEqual([101, ...run(2000, 64), 102, ...run(3000, 112), 102, ...run(4022, 28), 1064, ...run(5000, 20), 102])
})
