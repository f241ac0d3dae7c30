import { describe, expect, test } from 'vitest'
import { aFact, handClock, NOON } from '../../../test/contract/samples.js'
import type { NodeHit } from '../engine-services.js'
import { createSearchCache } from './search-cache.js'

const hit = (id: string): readonly NodeHit[] => [{ node: { kind: 'fact', fact: aFact({ id }) }, similarity: 1, score: 1 }]
const options = { enabled: true, size: 2, ttlSeconds: 5 }

describe('cached results of a query', () => {
  test('expire', () => {
    const clock = handClock()
    const cache = createSearchCache(options, clock)
    cache.put('a', 1, hit('a'))
    clock.set(NOON + 5e6 - 1)
    expect(cache.get('a', 1)).toEqual(hit('a'))
    clock.set(NOON + 5e6)
    expect(cache.get('a', 1)).toBeUndefined()
    expect(cache.stats().size).toBe(0)
  })

  test('are dropped after a write', () => {
    const cache = createSearchCache(options, handClock())
    cache.put('a', 1, hit('a'))
    expect(cache.get('a', 2)).toBeUndefined()
    cache.put('a', 2, hit('a'))
    cache.put('b', 3, hit('b'))
    expect([cache.get('a', 3), cache.get('b', 3)]).toEqual([undefined, hit('b')])
  })

  test('are evicted least recently used first', () => {
    const cache = createSearchCache(options, handClock())
    for (const key of ['a', 'b']) cache.put(key, 1, hit(key))
    expect(cache.get('a', 1)).toBeDefined()
    cache.put('c', 1, hit('c'))
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 1) !== undefined)).toEqual([true, false, true])
    expect(cache.stats()).toEqual({ enabled: true, size: 2, maxSize: 2, ttlSeconds: 5 })
  })

  test.each([{ enabled: false }, { size: 0 }, { ttlSeconds: 0 }])('are not cached with %j', (settings) => {
    const cache = createSearchCache({ ...options, ...settings }, handClock())
    cache.put('a', 1, hit('a'))
    expect(cache.get('a', 1)).toBeUndefined()
    expect(cache.stats()).toMatchObject({ enabled: false, size: 0 })
  })
})
