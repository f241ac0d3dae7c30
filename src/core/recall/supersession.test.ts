import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import { FACT_STATUSES, type Fact } from '../facts/fact.js'
import { isProvisional, rankProvisionalLast } from './provisional.js'
import { applyRevisions, canSupersede, newestFirst, type RankedFact } from './supersession.js'

const NOW = 100
const placed = (id: string, rid: number, validFrom: number, recordedAt: number, score = 1): RankedFact => ({
  fact: aFact({ id, validFrom, recordedAt }),
  score,
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

test('what contradicts from elsewhere stands behind also where it fitted better, and the best score stays in front', () => {
  const [newer, older, third] = [placed('newer', 2, 20, 20, 0.5), placed('older', 1, 10, 10, 1), placed('third', 3, 1, 1, 0.7)]
  const revision = { older: older.fact, newer: newer.fact, why: 'says otherwise', trusted: false }
  expect(applyRevisions([newer, third, older], [revision]).map(({ fact, score, contradicts }) => [fact.id, score, ...contradicts])).toEqual(
    [
      ['older', 1, 'newer'],
      ['newer', 0.7, 'older'],
      ['third', 0.5],
    ],
  )
})

describe('what is settled', () => {
  test('is what holds without a doubt, or no more', () => {
    expect(FACT_STATUSES.filter((status) => isProvisional({ status }))).toEqual(
      FACT_STATUSES.filter((status) => ['candidate', 'contested', 'stale'].includes(status)),
    )
  })

  test('stands first, each kind in its order, and scores go on falling', () => {
    const of = (id: string, status: Fact['status'], score: number) => ({ fact: aFact({ id, status }), score })
    const told = rankProvisionalLast([of('a', 'candidate', 1), of('b', 'active', 0.8), of('c', 'stale', 0.2), of('d', 'active', 0.4)])
    expect(told.map(({ fact, score }) => [fact.id, score])).toEqual([
      ['b', 0.8],
      ['d', 0.4],
      ['a', 0.4 * 0.999],
      ['c', 0.2],
    ])
    for (const same of [[of('a', 'candidate', 1), of('b', 'stale', 0.5)], [of('a', 'active', 1)], []])
      expect(rankProvisionalLast(same)).toBe(same)
  })
})
