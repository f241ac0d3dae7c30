import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Backend } from '../../src/ports/backend.js'
import { handClock, NOON } from '../contract/samples.js'
import { openRam } from '../memory-backend/open.js'
import { sameSearches, sameView, viewOf } from '../properties/compare.js'
import { changesOf, embedWaiting, history, OWNERS, outcome } from '../properties/history.js'
import { MODEL } from '../properties/scratch.js'
import { runs } from '../runs.js'
import { emptyStore, freshDatabase, openAt, SERVER } from './server.js'

const RUNS = runs(4, 12)
const CLIENTS = 4

describe.skipIf(SERVER === undefined)('PostgreSQL against the oracle', () => {
  let url: string | undefined
  const clients: Backend[] = []
  /** Advances between commits: otherwise instants are unique within each owner only. */
  const clock = handClock()
  afterAll(async () => {
    for (const client of clients) await client.close()
  })

  /** An empty store with several clients. */
  const stores = async (): Promise<{ readonly all: readonly Backend[]; readonly ram: Backend }> => {
    if (url === undefined) url = await freshDatabase()
    else {
      for (const backend of clients.splice(0)) await backend.close()
      await emptyStore(url)
    }
    for (let i = 0; i < CLIENTS; i++) clients.push(await openAt(url, clock, { connections: 3 }))
    const ram = await openRam({ clock })
    for (const backend of [clients[0], ram]) await backend?.backlog.adopt(MODEL)
    return { all: clients, ram }
  }

  test('gives the same results for random histories, whichever client writes or reads', async () => {
    const property = fc.asyncProperty(history, fc.array(fc.nat({ max: 45 }), { minLength: 2, maxLength: 2 }), async (commits, instants) => {
      const { all, ram } = await stores()
      const client = (nth: number): Backend => {
        const backend = all[nth % all.length]
        if (backend === undefined) throw new Error('no client')
        return backend
      }
      for (const [tick, { steps, embed }] of commits.entries()) {
        clock.set(NOON + tick * 1000)
        const changes = await changesOf(ram, steps, tick)
        expect(await outcome(client(tick), changes)).toEqual(await outcome(ram, changes))
        if (embed) expect(await embedWaiting(client(tick + 1), 1000)).toBe(await embedWaiting(ram, 1000))
        if (tick % 4 === 0) await sameSearches(client(tick + 2), ram, instants[0] ?? 0)
      }
      for (const nth of [0, 1]) sameView(await viewOf(client(nth), instants), await viewOf(ram, instants))
      await sameSearches(client(3), ram, instants[1] ?? 0)
      expect(await client(0).maintenance.diagnose()).toEqual([])
    })
    await fc.assert(property, { numRuns: RUNS })
  }, 300_000)

  test('concurrent writes of four clients leave the result of a serial order', async () => {
    const property = fc.asyncProperty(fc.array(history, { minLength: CLIENTS, maxLength: CLIENTS }), async (histories) => {
      const { all } = await stores()
      const stored = await Promise.all(
        all.map(async (backend, nth) => {
          for (const [tick, { steps }] of (histories[nth] ?? []).entries()) await outcome(backend, await changesOf(backend, steps, tick))
        }),
      )
      expect(stored).toHaveLength(CLIENTS)
      const [first, second] = all
      if (first === undefined || second === undefined) throw new Error('no client')
      expect(await first.maintenance.diagnose()).toEqual([])
      // Every client sees the same, and each owner's journal is complete.
      sameView(await viewOf(first, [5]), await viewOf(second, [5]))
      for (const owner of OWNERS) {
        const seqs = (await first.store.journal({ owner, limit: 10_000 })).map(({ seq }) => seq)
        expect(seqs).toEqual(seqs.map((_, i) => i + 1))
      }
    })
    // Concurrency is not reproduced by shrinking.
    await fc.assert(property, { numRuns: Math.ceil(RUNS / 2), endOnFailure: true })
  }, 300_000)
})
