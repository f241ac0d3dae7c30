import { describe, expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import { FACT_STATUSES, type Fact } from '../../facts/fact.js'
import { isProvisional, provisionalValues } from '../provisional.js'
import { toProbability } from '../rank.js'
import { canSupersede, newestFirst, type RankedFact, type Revision, revisionMarksOf, revisionValues } from './supersession.js'

const NOW = 100
const placed = (id: string, rid: number, validFrom: number, recordedAt: number, score = 1): RankedFact => ({
  fact: aFact({ id, validFrom, recordedAt }),
  score,
  contributions: [{ name: 'base', value: score }],
  rid,
  isCode: false,
})
const order = (...all: readonly RankedFact[]): string =>
  newestFirst(all, NOW)
    .map(({ fact }) => fact.id)
    .join(' ')

describe('newest first', () => {
  test('by when they began to hold, then by when they were stored, then by their rows', () => {
    expect(order(placed('a', 1, 10, 10), placed('b', 2, 20, 20), placed('c', 3, 5, 30))).toBe('b a c')
    expect(order(placed('a', 1, 10, 40), placed('b', 2, 10, 30))).toBe('a b')
    expect(order(placed('a', 1, 10, 30), placed('b', 2, 10, 30))).toBe('b a')
    expect(order(placed('b', 2, 10, 30), placed('c', 3, 10, 30), placed('a', 1, 10, 30))).toBe('c b a')
  })

  test('one whose clock ran ahead was stored before whatever was stored after it', () => {
    expect(order(placed('z', 1, 40, 40), placed('x', 2, 500, 500), placed('y', 3, 60, 60))).toBe('y x z')
    expect(order(placed('x', 2, 500, 500), placed('y', 3, 60, 60), placed('z', 1, 40, 40))).toBe('y x z')
    expect(order(placed('z', 1, 40, 40), placed('x', 2, 10, 500), placed('y', 3, 60, 60))).toBe('y z x')
    // Between a and c by its row, although it holds since long.
    expect(order(placed('a', 1, 10, 20), placed('x', 2, 10, 500), placed('c', 3, 10, 60))).toBe('c x a')
  })

  test('one that was stored at this instant is not ahead, and clocks that went back are believed', () => {
    expect(order(placed('now', 1, NOW, NOW), placed('y', 2, 60, 60))).toBe('now y')
    expect(order(placed('p', 3, 30, 30), placed('q', 2, 50, 50), placed('r', 1, 40, 20))).toBe('q r p')
  })
})

describe('what may take the place of another', () => {
  const fact = (given: Partial<Fact>): Fact => aFact({ id: 'f', author: null, source: 'mcp:a', ...given })

  test('the undecided does not replace what is decided', () => {
    expect(canSupersede(fact({ status: 'candidate' }), fact({}))).toBe(false)
    expect(canSupersede(fact({ status: 'candidate' }), fact({ status: 'stale' }))).toBe(true)
    expect(canSupersede(fact({}), fact({ status: 'contested' }))).toBe(true)
  })

  test('the client decides where one of the two names no author', () => {
    expect(canSupersede(fact({ author: 'Ann' }), fact({}))).toBe(true)
    expect(canSupersede(fact({}), fact({ author: 'Ann' }))).toBe(true)
    expect(canSupersede(fact({ author: 'Ann', source: 'mcp:b' }), fact({}))).toBe(false)
    expect(canSupersede(fact({ author: 'Ann' }), fact({ author: 'Bob' }))).toBe(false)
  })

  test('equal certainty is enough', () => {
    expect(canSupersede(fact({ confidence: 0.5 }), fact({ confidence: 0.5 }))).toBe(true)
    expect(canSupersede(fact({ confidence: 0.4 }), fact({ confidence: 0.5 }))).toBe(false)
  })
})

describe('what a revision changes', () => {
  const [newer, older, third] = [placed('newer', 2, 20, 20, 0.5), placed('older', 1, 10, 10, 1), placed('third', 3, 1, 1, 0.7)]
  const scores = (all: readonly RankedFact[], ...revisions: Parameters<typeof revisionValues>[1]): readonly number[] =>
    revisionValues(all, revisions).map((value, i) => (all[i]?.score ?? 0) + value)

  const replaces = (a: RankedFact, b: RankedFact, probability = 0.9): Revision => ({
    ...{ older: a.fact, newer: b.fact, why: 'says so later', trusted: true, probability },
    isCertain: probability > 0.8,
  })

  test('the older one keeps the probability that it still holds, the newer one takes what it replaces', () => {
    const [low, high, other] = scores([newer, older, third], replaces(older, newer))
    expect(toProbability(high ?? 0)).toBeCloseTo(0.1 * toProbability(1), 9)
    expect(toProbability(low ?? 0)).toBeCloseTo(0.9 * toProbability(1), 9)
    expect(other).toBe(0.7)
    expect(revisionMarksOf(older.fact, [replaces(older, newer)]).supersededBy).toEqual({ id: 'newer', why: 'says so later' })
    expect(revisionMarksOf(newer.fact, [replaces(older, newer)])).toEqual({ supersededBy: null, contradicts: [] })
  })

  test('an improbable revision only lowers the older one, and marks nothing', () => {
    const [low, high] = scores([newer, older], replaces(older, newer, 0.4))
    expect([low, toProbability(high ?? 0)]).toEqual([0.5, expect.closeTo(0.6 * toProbability(1), 9)])
    expect(revisionMarksOf(older.fact, [replaces(older, newer, 0.4)]).supersededBy).toBeNull()
  })

  test('a chain of revisions ends with its last statement first', () => {
    const [first, second, last] = [placed('a', 1, 1, 1, 3), placed('b', 2, 2, 2, 2), placed('c', 3, 3, 3, 1)]
    const [a = 0, b = 0, c = 0] = scores([first, second, last], replaces(second, last), replaces(first, last), replaces(first, second))
    expect([c > b, c > a]).toEqual([true, true])
  })

  test('a statement that only contradicts falls below the one it contradicts', () => {
    const revision = {
      older: older.fact,
      newer: { ...newer.fact },
      why: 'says otherwise',
      trusted: false,
      probability: 0.9,
      isCertain: true,
    }
    const better = { ...newer, score: 2 }
    expect(scores([better, third, older], revision)).toEqual([expect.closeTo(0.99, 9), 0.7, 1])
    expect(scores([newer, third, older], revision)).toEqual([0.5, 0.7, 1])
    expect(revisionMarksOf(older.fact, [revision]).contradicts).toEqual(['newer'])
  })
})

describe('what is settled', () => {
  test('is what holds without a doubt, or no more', () => {
    expect(FACT_STATUSES.filter((status) => isProvisional({ status }))).toEqual(
      FACT_STATUSES.filter((status) => ['candidate', 'contested', 'stale'].includes(status)),
    )
  })

  test('keeps its score, and what is provisional falls below it', () => {
    const of = (id: string, status: Fact['status'], score: number) => ({ fact: aFact({ id, status }), score })
    const values = provisionalValues([of('a', 'candidate', 1), of('b', 'active', 0.8), of('c', 'stale', 0.2), of('d', 'active', 0.4)])
    expect(values).toEqual([expect.closeTo(-0.61, 9), 0, 0, 0])
    for (const same of [[of('a', 'candidate', 1), of('b', 'stale', 0.5)], [of('a', 'active', 1)], []])
      expect(provisionalValues(same)).toEqual(same.map(() => 0))
  })
})
