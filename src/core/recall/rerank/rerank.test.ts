import { describe, expect, it, test } from 'vitest'
import { combineLogOdds, estimateTokens, formatForReranker, RERANK } from './rerank.js'

describe('the input of the reranker', () => {
  it.each([
    [{ title: 'Oslo', author: 'Ann', text: 'A city' }, 'Oslo: A city'],
    [{ title: null, author: 'Ann', text: 'Hello' }, 'Ann: Hello'],
    [{ title: null, author: 'Assistant', text: 'Hello' }, 'Hello'],
    [{ title: null, author: 'user', text: 'Hello' }, 'Hello'],
    [{ title: '', author: null, text: 'Hello' }, 'Hello'],
  ])('%j', (input, expected) => {
    expect(formatForReranker(input)).toBe(expected)
  })
})

test('tokens of a query are counted without a model, up to the limit', () => {
  expect(estimateTokens('Where does Ann work?')).toBe(5)
  expect(estimateTokens('a-b')).toBe(3)
  expect(estimateTokens('a😀b')).toBe(1)
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('日本語')).toBe(1)
  expect(estimateTokens('word '.repeat(10_000))).toBe(RERANK.maxTokens)
})

describe('a text that was read in several places', () => {
  it('has the sum of their odds', () => {
    expect(combineLogOdds([1, 1])).toBeCloseTo(1 + Math.LN2, 9)
    expect(combineLogOdds([Math.log(2), Math.log(3), Math.log(5)])).toBeCloseTo(Math.log(10), 9)
    expect(combineLogOdds([4, -20])).toBeCloseTo(4, 9)
    expect(combineLogOdds([2000, -2000])).toBe(2000)
  })

  it('has the score of its place where there is only one', () => {
    expect(combineLogOdds([-3.25])).toBe(-3.25)
  })
})
