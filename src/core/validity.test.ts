import { describe, expect, test } from 'vitest'
import { aFact } from '../../test/contract/samples.js'
import type { Fact } from './fact.js'
import { isValidAt, withStatus } from './validity.js'

const fact = (given: Partial<Fact>): Fact => aFact({ id: 'f', validFrom: 10, ...given })

test('the window is half open, and expiry closes it', () => {
  expect([9, 10, 99].map((at) => isValidAt(fact({}), { at }))).toEqual([false, true, true])
  expect([19, 20].map((at) => isValidAt(fact({ validUntil: 20 }), { at }))).toEqual([true, false])
  expect([19, 20].map((at) => isValidAt(fact({ expiresAt: 20 }), { at }))).toEqual([true, false])
  expect([10].map((at) => isValidAt(fact({ validUntil: 10 }), { at }))).toEqual([false])
})

test('what has ended is over now, even inside its window; as of then it held', () => {
  const ended = fact({ status: 'superseded', validUntil: 90 })
  expect(isValidAt(ended, { at: 30, present: true })).toBe(false)
  expect(isValidAt(ended, { at: 30 })).toBe(true)
})

test('what was stored has begun for everyone who asks later, unless its author named another time', () => {
  const ahead = fact({ validFrom: 90, recordedAt: 90 })
  expect(isValidAt(ahead, { at: 30, present: true })).toBe(true)
  expect(isValidAt(ahead, { at: 30 })).toBe(false)
  expect(isValidAt(fact({ validFrom: 90, recordedAt: 20 }), { at: 30, present: true })).toBe(false)
})

describe('a change of status', () => {
  test('ends what was open, at once', () => {
    expect(withStatus(fact({}), 'outdated', 30)).toMatchObject({ status: 'outdated', validUntil: 30 })
    expect(withStatus(fact({ validUntil: 90 }), 'retracted', 30).validUntil).toBe(30)
    expect(withStatus(fact({ validUntil: 20 }), 'archived', 30).validUntil).toBe(20)
  })

  test('never ends before it began', () => {
    expect(withStatus(fact({ validFrom: 40 }), 'superseded', 30).validUntil).toBe(40)
  })

  test('back to a current one opens it again', () => {
    const ended = fact({ status: 'superseded', validUntil: 20, supersededBy: 'g' })
    expect(withStatus(ended, 'active', 30)).toMatchObject({ status: 'active', validUntil: null, supersededBy: null })
  })

  test('between current ones leaves the window alone', () => {
    expect(withStatus(fact({ validUntil: 20 }), 'stale', 30)).toMatchObject({ status: 'stale', validUntil: 20 })
  })
})
