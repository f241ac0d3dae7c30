import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import type { Fact } from '../facts/fact.js'
import { DAY_US } from '../facts/lifecycle.js'
import { fromHlc, toHlc } from './hlc.js'
import { clampToNow, longestLease, nextInstant, repairTimestamps, toFutureThreshold } from './instants.js'

const LEAD = 100_000
const NOW = 1_000_000
const fact = (input: Partial<Fact>): Fact => aFact({ ...{ id: 'f', eventAt: 5, validFrom: 5, recordedAt: 5, updatedAt: 5 }, ...input })

test('the next instant is unused, unless a clock was far ahead', () => {
  expect([nextInstant(NOW, 7), nextInstant(NOW, NOW + 7), nextInstant(NOW, NOW + LEAD), nextInstant(NOW, NOW + LEAD + 1)]).toEqual([
    NOW,
    NOW + 7,
    NOW + LEAD,
    NOW,
  ])
  expect([toFutureThreshold(NOW), longestLease(NOW)]).toEqual([NOW + LEAD, NOW + 3600e6])
})

describe('future-dated fact', () => {
  const ahead = { eventAt: NOW + 9, validFrom: NOW + 9, recordedAt: NOW + 9, updatedAt: NOW + 9 }

  test('is shown as stored no later than now; times set by its author stay', () => {
    expect(clampToNow(fact({ ...ahead, dedupAt: NOW + 3 }), NOW)).toMatchObject({
      ...{ eventAt: NOW, validFrom: NOW, recordedAt: NOW, updatedAt: NOW, validUntil: null, dedupAt: NOW },
    })
    expect(clampToNow(fact({ ...ahead, eventAt: NOW + 50, validFrom: NOW + 60, validUntil: NOW + 70 }), NOW)).toMatchObject({
      ...{ eventAt: NOW + 50, validFrom: NOW + 60, recordedAt: NOW, validUntil: NOW + 70, dedupAt: null },
    })
    expect(clampToNow(fact({ status: 'superseded', validUntil: NOW + 9 }), NOW).validUntil).toBe(NOW)
    const past = fact({ status: 'superseded', validUntil: 9, dedupAt: 8 })
    expect(clampToNow(past, NOW)).toEqual(past)
  })

  test('is repaired with the times of its journal entries', () => {
    const mended = repairTimestamps(fact({ ...ahead, dedupAt: NOW + 3 }), 100, 200, NOW)
    expect(mended).toMatchObject({ recordedAt: 100, validFrom: 100, eventAt: 100, validUntil: null, dedupAt: NOW })
    expect(repairTimestamps(fact({ ...ahead, validFrom: NOW + 60, eventAt: 3 }), 100, 200, NOW)).toMatchObject({
      validFrom: NOW + 60,
      eventAt: 3,
    })
    expect(repairTimestamps(fact({ ...ahead, status: 'superseded', validUntil: NOW + 20 }), 100, 200, NOW).validUntil).toBe(200)
    expect(repairTimestamps(fact({ ...ahead, status: 'superseded', validUntil: 150 }), 100, 200, NOW).validUntil).toBe(150)
    expect(repairTimestamps(fact({ ...ahead, validUntil: NOW + 20 }), 100, 200, NOW).validUntil).toBe(NOW + 20)
    expect(repairTimestamps(fact({ recordedAt: NOW, validFrom: NOW }), 100, 200, NOW)).toMatchObject({ recordedAt: NOW, validFrom: NOW })
  })

  test('keeps its time to live, counted from its journal entry', () => {
    const expiry = (input: Partial<Fact>) => repairTimestamps(fact({ ...ahead, ...input }), 100, 200, NOW).expiresAt
    expect(expiry({ ttlDays: 2, expiresAt: NOW + 9 + 2 * DAY_US })).toBe(200 + 2 * DAY_US)
    expect(expiry({ ttlDays: 2, expiresAt: NOW + 2 * DAY_US })).toBe(NOW + 2 * DAY_US)
    expect([expiry({ ttlDays: null, expiresAt: NOW + 9 * DAY_US }), expiry({ ttlDays: 2, expiresAt: null })]).toEqual([
      NOW + 9 * DAY_US,
      null,
    ])
  })
})

test('HLC values sort as text in the global order', () => {
  expect(toHlc(1_780_000_000_123_456)).toBe('1780000000123.456')
  expect(fromHlc('1780000000123.456')).toBe(1_780_000_000_123_456)
  expect([toHlc(1_005), fromHlc('0000000000001.005')]).toEqual(['0000000000001.005', 1_005])
  expect([fromHlc('1780000000123'), fromHlc('x')]).toEqual([undefined, undefined])
})
