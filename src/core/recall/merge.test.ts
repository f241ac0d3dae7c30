import { describe, expect, it } from 'vitest'
import { mergeKinds } from './merge.js'

const found = (id: string, score: number, cosine: number | null = null) => ({ id, score, cosine })
const order = (...kinds: Parameters<typeof mergeKinds<ReturnType<typeof found>>>[0]) => mergeKinds(kinds).map((one) => one.id)

describe('mergeKinds', () => {
  it('puts a lone memory before code that is further from the question', () => {
    const code = Array.from({ length: 9 }, (_, i) => found(`c${i}`, 1 - i / 10, 0.81 - i / 100))
    expect(order([found('m', 0.9, 0.93)], code)[0]).toBe('m')
    expect(order([found('m', 0.9, 0.7)], code).at(-1)).toBe('m')
  })

  it('compares distances from the usual where both kinds have many', () => {
    const memories = [9, 5, 5, 5, 5, 5].map((score, i) => found(`m${i}`, score, 0.5))
    const code = [0.6, 0.5, 0.4, 0.3, 0.2].map((score, i) => found(`c${i}`, score, 0.9))
    expect(order(memories, code).slice(0, 2)).toEqual(['m0', 'c0'])
  })

  it('goes by the scores where there are no cosines', () => {
    expect(order([found('m', 0.2)], [found('c', 0.9)])).toEqual(['c', 'm'])
    expect(order([], [])).toEqual([])
  })
})
