import { describe, expect, it } from 'vitest'
import { mergeKinds } from './merge.js'

const found = (id: string, score: number, cosine: number | null = null) => ({ id, score, cosine })
type Results = readonly ReturnType<typeof found>[]
const order = (one: Results, other: Results) => mergeKinds(one, other).map((result) => result.id)

describe('mergeKinds', () => {
  const code = Array.from({ length: 9 }, (_, i) => found(`c${i}`, 1 - i / 10, 0.81 - i / 100))

  it('puts a few memories where their cosines belong, and leaves the code in its order', () => {
    expect(order([found('m', 0.9, 0.93)], code)).toEqual(['m', ...code.map((one) => one.id)])
    expect(order([found('m', 0.9, 0.7)], code).at(-1)).toBe('m')
    expect(order([found('m', 0.9, 0.795)], code).indexOf('m')).toBe(2)
    expect(order(code, [found('m', 1, 0.95), found('n', 0.9, 0.94), found('o', 0.1, 0.2)])).toEqual([
      'm',
      'n',
      ...code.map((one) => one.id),
      'o',
    ])
  })

  it('compares distances from the usual where both kinds have many', () => {
    const memories = [9, 5, 5, 5, 5, 5].map((score, i) => found(`m${i}`, score, 0.5))
    const others = [0.6, 0.5, 0.4, 0.3, 0.2].map((score, i) => found(`c${i}`, score, 0.9))
    expect(order(memories, others).slice(0, 2)).toEqual(['m0', 'c0'])
  })

  it('goes by the scores where there are no cosines, and takes nothing for an answer', () => {
    expect(order([found('m', 0.2)], [found('c', 0.9)])).toEqual(['c', 'm'])
    expect(order([], [])).toEqual([])
    expect(order([], [found('c', 0.9)])).toEqual(['c'])
  })
})
