import { describe, expect, it } from 'vitest'
import { leastTokens, RERANK, rerankWeight, sharesOf, tell } from './rerank.js'

describe('what the reranker reads', () => {
  it.each([
    [{ title: 'Oslo', author: 'Ann', text: 'A city' }, 'Oslo: A city'],
    [{ title: null, author: 'Ann', text: 'Hello' }, 'Ann: Hello'],
    [{ title: null, author: 'Assistant', text: 'Hello' }, 'Hello'],
    [{ title: null, author: 'user', text: 'Hello' }, 'Hello'],
    [{ title: '', author: null, text: 'Hello' }, 'Hello'],
  ])('%j', (told, expected) => {
    expect(tell(told)).toBe(expected)
  })
})

describe('the weight of the reranker', () => {
  it('is whole for short questions and plain memories, and falls to nothing', () => {
    expect(rerankWeight(5, 1, 0)).toBe(0.5)
    expect(rerankWeight(16, 1, 0)).toBe(0.5)
    expect(rerankWeight(24, 1, 0)).toBe(0.25)
    expect(rerankWeight(32, 1, 0)).toBe(0)
    expect(rerankWeight(400, 1, 0)).toBe(0)
    expect(rerankWeight(10, 0.5, 0)).toBe(0.25)
    expect(rerankWeight(10, 0, 0)).toBe(0)
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
    expect(sharesOf([-10, 5, 0], 0.5)).toEqual([0, 0.5, expect.closeTo(1 / 3, 10)])
  })

  it('are nothing where the model sees no difference', () => {
    expect(sharesOf([2, 2, 2], 0.5)).toEqual([0, 0, 0])
    expect(sharesOf([2], 0.5)).toEqual([0])
    expect(sharesOf([], 0.5)).toEqual([])
  })
})
