import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import { FACT_STATUSES, type Fact } from './fact.js'
import { isExpired, isGone, lifeOf } from './lifecycle.js'
import {
  checkConsistent,
  contradictionOf,
  isValidAt,
  isValidPacked,
  marksOf,
  repairValidity,
  toValidityRange,
  withStatus,
} from './validity.js'

const fact = (input: Partial<Fact>): Fact => aFact({ id: 'f', validFrom: 10, ...input })

test('the window is half open, and expiry closes it', () => {
  expect([9, 10, 99].map((now) => isValidAt(fact({}), { at: now }))).toEqual([false, true, true])
  expect([19, 20].map((now) => isValidAt(fact({ validUntil: 20 }), { at: now }))).toEqual([true, false])
  expect([19, 20].map((now) => isValidAt(fact({ expiresAt: 20 }), { at: now }))).toEqual([true, false])
  expect([10].map((now) => isValidAt(fact({ validUntil: 10 }), { at: now }))).toEqual([false])
})

test('an ended fact is not valid now, even inside its window, but is valid as of an earlier time', () => {
  const ended = fact({ status: 'superseded', validUntil: 90 })
  expect(isValidAt(ended, { at: 30, present: true })).toBe(false)
  expect(isValidAt(ended, { at: 30 })).toBe(true)
})

test('a stored fact has begun for every later query, unless its author set another time', () => {
  const ahead = fact({ validFrom: 90, recordedAt: 90 })
  expect(isValidAt(ahead, { at: 30, present: true })).toBe(true)
  expect(isValidAt(ahead, { at: 30 })).toBe(false)
  expect(isValidAt(fact({ validFrom: 90, recordedAt: 20 }), { at: 30, present: true })).toBe(false)
})

describe('a change of status', () => {
  test('to an ended one closes the window now', () => {
    expect(withStatus(fact({}), 'outdated', 30)).toMatchObject({ status: 'outdated', validUntil: 30 })
    expect(withStatus(fact({ validUntil: 90 }), 'retracted', 30).validUntil).toBe(30)
    expect(withStatus(fact({ validUntil: 20 }), 'archived', 30).validUntil).toBe(20)
  })

  test('never ends a fact before it began', () => {
    expect(withStatus(fact({ validFrom: 40 }), 'superseded', 30).validUntil).toBe(40)
  })

  test('back to a current one reopens the window', () => {
    const ended = fact({ status: 'superseded', validUntil: 20, supersededBy: 'g' })
    expect(withStatus(ended, 'active', 30)).toMatchObject({ status: 'active', validUntil: null, supersededBy: null })
    // Also at the instant at which it ended, and before it began.
    expect(withStatus(withStatus(fact({}), 'superseded', 30), 'active', 30).validUntil).toBeNull()
    expect(withStatus(withStatus(fact({ validFrom: 40 }), 'superseded', 30), 'active', 30).validUntil).toBeNull()
  })

  test('between current ones leaves the window unchanged', () => {
    expect(withStatus(fact({ validUntil: 20 }), 'stale', 30)).toMatchObject({ status: 'stale', validUntil: 20 })
  })
})

const instant = fc.integer({ min: 0, max: 6 })
const orNever = fc.option(instant, { nil: null })
const anyFact = fc
  .record({
    status: fc.constantFrom(...FACT_STATUSES),
    validFrom: instant,
    validUntil: orNever,
    expiresAt: orNever,
    recordedAt: instant,
    updatedAt: instant,
  })
  .map((input) => fact(input))
const moment = fc.record({ at: instant, present: fc.boolean() })

describe('validity rules in every form', () => {
  test('agree for packed columns and for facts', () => {
    const asNumbers = (fact: Fact, when: { at: number; present: boolean }): boolean =>
      isValidPacked(
        fact.validFrom,
        fact.validUntil ?? Number.POSITIVE_INFINITY,
        fact.expiresAt ?? Number.POSITIVE_INFINITY,
        marksOf(fact),
        when,
      )
    fc.assert(
      fc.property(anyFact, moment, (fact, when) => {
        const [from, until] = toValidityRange(fact, when.present)
        expect([asNumbers(fact, when), from <= when.at && until > when.at]).toEqual([isValidAt(fact, when), isValidAt(fact, when)])
      }),
      { numRuns: 2000 },
    )
  })

  test('a fact valid now is active, and no ended fact is valid', () => {
    fc.assert(
      fc.property(anyFact, instant, (fact, index) => {
        if (!isValidAt(fact, { at: index, present: true })) return
        expect([lifeOf(fact, index), isExpired(fact, index), isGone(fact, index)]).toEqual(['active', false, false])
      }),
      { numRuns: 2000 },
    )
  })

  test('an ended fact is not valid however long its window, and an archived one is not current', () => {
    expect(lifeOf(fact({ status: 'superseded', validUntil: 90 }), 30)).toBe('outdated')
    expect(lifeOf(fact({ status: 'archived', validUntil: null }), 30)).toBe('archived')
    expect([isExpired(fact({ expiresAt: 30 }), 30), isGone(fact({ expiresAt: 30, status: 'archived' }), 30)]).toEqual([true, false])
  })
})

describe('a fact whose status and window disagree', () => {
  const ended = 'superseded' as const
  test.each([
    ['has ended but has no end of validity', { status: ended, validUntil: null }],
    ['has ended but is valid until later', { status: ended, validUntil: 90 }],
    ['ends before it begins', { validFrom: 20, validUntil: 10 }],
  ])('%s', (what, input) => {
    expect(contradictionOf(fact(input), 30)).toBe(what)
    expect(() => checkConsistent(fact(input), undefined, 30)).toThrow(`is inconsistent: it ${what}`)
    expect(() => checkConsistent(fact({ ...input, title: 'x' }), fact(input), 30)).not.toThrow()
  })

  test('is repaired from the time of its last change, and repairing it again changes nothing', () => {
    expect(repairValidity(fact({ status: ended, validUntil: 90, updatedAt: 25 }), 30).validUntil).toBe(25)
    expect(repairValidity(fact({ status: ended, validUntil: null, updatedAt: 99 }), 30).validUntil).toBe(30)
    fc.assert(
      fc.property(anyFact, instant, (fact, index) => {
        const whole = repairValidity(fact, index)
        expect(contradictionOf(whole, index)).toBeUndefined()
        expect(repairValidity(whole, index)).toBe(whole)
        if (contradictionOf(fact, index) === undefined) expect(whole).toBe(fact)
      }),
      { numRuns: 2000 },
    )
  })

  test('is never the result of a change of status', () => {
    fc.assert(
      fc.property(anyFact, fc.constantFrom(...FACT_STATUSES), instant, (fact, status, now) => {
        if (contradictionOf(fact, now) === undefined) expect(contradictionOf(withStatus(fact, status, now), now)).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })
})
