import { describe, expect, it } from 'vitest'
import { combineLogOdds, computeRerankShares, formatForReranker, leastTokens, RERANK, rerankWeight } from './rerank.js'

describe('what the reranker reads', () => {
  it.each([
    [{ title: 'Oslo', author: 'Ann', text: 'A city' }, 'Oslo: A city'],
    [{ title: null, author: 'Ann', text: 'Hello' }, 'Ann: Hello'],
    [{ title: null, author: 'Assistant', text: 'Hello' }, 'Hello'],
    [{ title: null, author: 'user', text: 'Hello' }, 'Hello'],
    [{ title: '', author: null, text: 'Hello' }, 'Hello'],
  ])('%j', (told, expected) => {
    expect(formatForReranker(told)).toBe(expected)
  })
})

describe('the weight of the reranker', () => {
  const weight = (tokens: number, plain: number, long = 0): number => rerankWeight(tokens, { plain, alone: 0, long })

  it('is whole for short questions and plain memories, and falls to nothing', () => {
    expect(weight(5, 1)).toBe(0.5)
    expect(weight(16, 1)).toBe(0.5)
    expect(weight(24, 1)).toBe(0.25)
    expect(weight(32, 1)).toBe(0)
    expect(weight(400, 1)).toBe(0)
    expect(weight(10, 0.5)).toBe(0.25)
    expect(weight(10, 0)).toBe(0)
  })

  it('is more among long texts', () => {
    expect(weight(16, 1, 1)).toBeCloseTo(0.7, 9)
    expect(weight(24, 1, 0.5)).toBeCloseTo(0.3, 9)
    expect(weight(16, 0, 1)).toBe(0)
  })

  it('is known to be nothing for a long question without its tokens', () => {
    expect(leastTokens('Where does Ann work?')).toBe(5)
    expect(leastTokens('a-b')).toBe(3)
    expect(leastTokens('a😀b')).toBe(1)
    expect(leastTokens('')).toBe(0)
    expect(leastTokens('日本語')).toBe(1)
    expect(leastTokens('word '.repeat(10_000))).toBe(RERANK.noneFrom)
  })
})

describe('the shares', () => {
  it('go from nothing for the least to the whole weight for the best', () => {
    expect(computeRerankShares([-10, 5, 0], 0.5)).toEqual([0, 0.5, expect.closeTo(1 / 3, 10)])
  })

  it('are the mean of the others where the model was not asked', () => {
    expect(computeRerankShares([0, null, 4, null, 2], 0.5)).toEqual([0, 0.25, 0.5, 0.25, 0.25])
    expect(computeRerankShares([null, null], 0.5)).toEqual([0, 0])
  })

  it('are nothing where the model sees no difference', () => {
    expect(computeRerankShares([2, 2, 2], 0.5)).toEqual([0, 0, 0])
    expect(computeRerankShares([2], 0.5)).toEqual([0])
    expect(computeRerankShares([], 0.5)).toEqual([])
  })
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
