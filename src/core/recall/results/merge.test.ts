import { describe, expect, it } from 'vitest'
import { computeAnswerLogOdds, mergeKinds } from './merge.js'

const FLOOR = 0.74
const found = (id: string, score: number, cosine: number | null = null) => ({ id, score, cosine })
type Results = readonly ReturnType<typeof found>[]
const order = (first: Results, other: Results) => mergeKinds(first, other, FLOOR).map((result) => result.id)

describe('mergeKinds', () => {
  const code = Array.from({ length: 9 }, (_, i) => found(`c${i}`, 1 - i / 10, 0.81 - i / 100))

  it('puts a kind with few results by how much speaks for it, and leaves the other in its order', () => {
    expect(order([found('m', 0.9, 0.93)], code)).toEqual(['m', ...code.map((hit) => hit.id)])
    expect(order([found('m', 0.9, 0.7)], code).indexOf('m')).toBeGreaterThan(3)
    expect(order(code, [found('m', 1, 0.95), found('n', 0.9, 0.94), found('o', 0.1, 0.5)]).slice(0, 2)).toEqual(['m', 'n'])
  })

  it('does not let a kind without an answer stand before one that has it', () => {
    const flat = Array.from({ length: 50 }, (_, i) => found(`c${i}`, 1 - i / 50, 0.8 - i / 5000))
    const memories = [0.86, 0.77, 0.76, 0.76, 0.75, 0.75].map((cosine, i) => found(`m${i}`, 1 - i / 10, cosine))
    expect(order(memories, flat)[0]).toBe('m0')
  })

  it('compares distances from the usual where neither has more to say for it', () => {
    const memories = [9, 5, 5, 5, 5, 5].map((score, i) => found(`m${i}`, score, 0.8))
    const others = [0.6, 0.5, 0.4, 0.3, 0.2].map((score, i) => found(`c${i}`, score, 0.8))
    expect(order(memories, others).slice(0, 2)).toEqual(['m0', 'c0'])
  })

  it('places few by how far they stand behind their best: by cosines, or by scores where one has none', () => {
    const scores = (...results: Results): readonly number[] => mergeKinds([], results, FLOOR).map(({ score }) => score)
    const drop = (...results: Results): number => (scores(...results)[0] ?? 0) - (scores(...results)[1] ?? 0)
    expect(drop(found('m', 1, 0.95), found('n', 0.9, 0.92))).toBeCloseTo(1, 9)
    expect(drop(found('m', 1), found('n', 0.6))).toBeCloseTo(0.4, 9)
    expect(drop(found('m', 1, 0.95), found('n', 0.6))).toBeCloseTo(0.4, 9)
    expect(drop(found('m', 1), found('n', 0.6, 0.9))).toBeCloseTo(0.4, 9)
    // The evidence for a kind is its best cosine at any rank.
    const evidence = computeAnswerLogOdds([0.95, 0.75], FLOOR) ?? 0
    expect(scores(found('a', 1, 0.75), found('b', 0.9, 0.95))).toEqual([evidence, evidence])
    // Five are enough to know what is usual.
    expect(scores(...[5, 4, 3, 2, 1].map((score, i) => found(`f${i}`, score)))[0]).toBeGreaterThan(0)
  })

  it('lets nothing speak for one kind where nothing can for the other', () => {
    expect(order([found('c', 0.9)], [found('m', 1, 0.99)])).toEqual(['c', 'm'])
  })

  it('goes on without cosines, and takes nothing for an answer', () => {
    expect(order([found('m', 0.2)], [found('c', 0.9)]).sort()).toEqual(['c', 'm'])
    expect(order([], [])).toEqual([])
    expect(order([], [found('c', 0.9)])).toEqual(['c'])
  })
})
