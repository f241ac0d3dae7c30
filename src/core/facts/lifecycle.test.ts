import { expect, test } from 'vitest'
import { DAY_US, expiryOf, lifetimeOf } from './lifecycle.js'
import { endOf } from './validity.js'

test('the end of a fact is the earlier of its validity and its expiry', () => {
  expect([expiryOf({}, 5), expiryOf({ ttlDays: 2 }, 5), expiryOf({ ttlDays: 2, expiresAt: 9 }, 5)]).toEqual([undefined, 5 + 2 * DAY_US, 9])
  expect(lifetimeOf(0.5)).toBe(43_200e6)
  expect([
    endOf({ validUntil: null, expiresAt: 7 }),
    endOf({ validUntil: 5, expiresAt: null }),
    endOf({ validUntil: 5, expiresAt: 3 }),
  ]).toEqual([7, 5, 3])
  expect(endOf({ validUntil: null, expiresAt: null })).toBeNull()
})
