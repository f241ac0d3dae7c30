import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../runs.js'
import { sameSearches, viewOf } from './compare.js'
import { changesOf, embedWaiting, history, outcome } from './history.js'
import { scratchStores } from './scratch.js'

describe('SQLite against the oracle', () => {
  const stores = scratchStores()

  test('random histories give the same answers on both', async () => {
    const property = fc.asyncProperty(history, fc.array(fc.nat({ max: 45 }), { minLength: 2, maxLength: 4 }), async (commits, instants) => {
      await stores.sqlite(async (sqlite) => {
        const ram = await stores.ram()
        for (const [tick, { steps, embed }] of commits.entries()) {
          const changes = await changesOf(ram, steps, tick)
          expect(await outcome(sqlite, changes)).toEqual(await outcome(ram, changes))
          if (embed) expect(await embedWaiting(sqlite)).toBe(await embedWaiting(ram))
          if (tick % 3 === 0) await sameSearches(sqlite, ram, instants[0] ?? 0)
        }
        expect(await viewOf(sqlite, instants)).toEqual(await viewOf(ram, instants))
        for (const instant of instants) await sameSearches(sqlite, ram, instant)
        expect(await sqlite.maintenance.diagnose()).toEqual([])
      })
    })
    await fc.assert(property, { numRuns: runs(12, 40) })
  }, 180_000)

  test('rebuilding links after a random history changes nothing', async () => {
    const property = fc.asyncProperty(history, async (commits) => {
      await stores.sqlite(async (sqlite) => {
        for (const [tick, { steps }] of commits.entries()) await outcome(sqlite, await changesOf(sqlite, steps, tick))
        const before = await viewOf(sqlite, [5])
        await sqlite.maintenance.relink(() => {}, new AbortController().signal)
        expect(await viewOf(sqlite, [5])).toEqual(before)
      })
    })
    await fc.assert(property, { numRuns: runs(4, 12) })
  })
})
