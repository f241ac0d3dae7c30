import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearPairs, numberedOverlap, numberedSets } from './near-sets.js'

const setsOf = (...lists: readonly string[]) => numberedSets(lists.map((list) => new Set(list === '' ? [] : list.split(' '))))

function pairs(
  sets: ReturnType<typeof setsOf>,
  min: number,
  mostLooks?: number,
): { readonly met: readonly string[]; readonly all: boolean } {
  const met: string[] = []
  const steps = nearPairs(
    sets,
    sets.map((_, index) => index),
    min,
    (earlier, later) => met.push(`${earlier} ${later}`),
    mostLooks,
  )
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return { met, all: step.value }
}

describe('near sets of words', () => {
  test('number words from the rarest, equal ones alphabetically', () => {
    expect(setsOf('c b a', 'c a', 'c').map((set) => [...set])).toEqual([[0, 1, 2], [1, 2], [2]])
  })

  test('overlap by their common share of all words', () => {
    const [a, b, c, none] = setsOf('x y z', 'y z w', 'v', '')
    if (a === undefined || b === undefined || c === undefined || none === undefined) throw new Error('four sets were made')
    expect([numberedOverlap(a, b), numberedOverlap(a, a), numberedOverlap(a, c), numberedOverlap(none, none)]).toEqual([0.5, 1, 0, 0])
  })

  test('returns each near pair once, the earlier first', () => {
    expect(pairs(setsOf('a b c d', 'a b c d', 'p q r s', 'a b c x', ''), 0.6)).toEqual({ met: ['0 1', '0 3', '1 3'], all: true })
    expect(pairs(setsOf('a b', 'a c'), 1 / 3).met).toEqual(['0 1'])
  })

  test('includes very large sets', () => {
    const many = Array.from({ length: 4200 }, (_, i) => `w${i}`).join(' ')
    expect(pairs(setsOf(many, many), 0.5).met).toEqual(['0 1'])
  })

  test('misses no near pair of any sets', () => {
    const words = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(words, { minLength: 2, maxLength: 12 }), fc.constantFrom(0.25, 0.3, 0.5, 0.75, 1), (lists, min) => {
        const sets = numberedSets(lists.map((list) => new Set(list)))
        const { met, all } = pairs(sets, min)
        expect(all).toBe(true)
        expect(new Set(met).size).toBe(met.length)
        for (const [j, later] of sets.entries())
          for (const [i, earlier] of sets.slice(0, j).entries())
            if (numberedOverlap(earlier, later) >= min) expect(met).toContain(`${i} ${j}`)
      }),
    )
  })

  test('omits most pairs that share too little', () => {
    const sets = setsOf(...Array.from({ length: 40 }, (_, i) => `common a${i} b${i} c${i} d${i} e${i} f${i} g${i}`))
    expect(pairs(sets, 0.5).met).toEqual([])
  })

  test('compares only the latest holders of a word that too many share, and reports it', () => {
    const sets = setsOf(...Array.from({ length: 10 }, () => 'a'))
    // 10 holders of one word are 50 looks.
    expect(pairs(sets, 0.5, 50)).toMatchObject({ all: true, met: { length: 45 } })
    const { met, all } = pairs(sets, 0.5, 49)
    expect(all).toBe(false)
    // 49 looks for 10 entries are 5 for each.
    expect(met.filter((pair) => pair.endsWith(' 9'))).toEqual(['4 9', '5 9', '6 9', '7 9', '8 9'])
  })
})
