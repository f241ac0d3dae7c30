import { describe, expect, test } from 'vitest'
import type { Lease } from '../../src/ports/jobs.js'
import { NOON } from './samples.js'
import type { Bench } from './store.contract.js'

/** A database may use its own clock for leases: here a lease has long to run, or ends as it begins. */
const HOUR = 3600e6

export function jobsContract(bench: () => Bench): void {
  const take = async (holder: string, now: number, until: number): Promise<Lease> => {
    const lease = await bench().backend.jobs.take('embed', 'all', holder, now, until)
    if (lease === undefined) throw new Error('the lease is taken')
    return lease
  }

  describe('jobs', () => {
    test('one holder at a time, until the lease runs out', async () => {
      const { jobs } = bench().backend
      const first = await take('p1', NOON, NOON + HOUR)
      expect(first).toEqual({ kind: 'embed', subject: 'all', holder: 'p1', generation: 1, progress: {} })
      expect(await jobs.take('embed', 'all', 'p2', NOON + 9, NOON + HOUR)).toBeUndefined()
      expect(await jobs.take('embed', 'other', 'p2', NOON + 9, NOON + HOUR)).toMatchObject({ generation: 1 })
      expect(await jobs.renew(first, NOON + 2 * HOUR, { done: 5 })).toBe(true)
      expect(await jobs.take('embed', 'all', 'p2', NOON + 11, NOON + HOUR)).toBeUndefined()
      expect(await jobs.renew(first, 0, { done: 5 })).toBe(true)
      const second = await take('p2', NOON + 30, NOON + HOUR)
      expect(second).toMatchObject({ holder: 'p2', generation: 2, progress: { done: 5 } })
    })

    test('a holder who was presumed dead cannot write over its successor', async () => {
      const { jobs } = bench().backend
      const lost = await take('p1', NOON, NOON)
      const held = await take('p1', NOON + 10, NOON + HOUR)
      expect(await jobs.renew(lost, NOON + HOUR, { done: 1 })).toBe(false)
      await jobs.release(lost, NOON + 99, 'crashed')
      expect(await jobs.list()).toMatchObject([{ state: 'running', attempts: 0, progress: {}, error: null }])
      expect(await jobs.renew(held, NOON + HOUR, { done: 2 })).toBe(true)
    })

    test('a released lease is free at once, keeps its progress and counts failures', async () => {
      const { jobs } = bench().backend
      const first = await take('p1', NOON, NOON + 10)
      await jobs.renew(first, NOON + 10, { done: 7 })
      await jobs.release(first, NOON + 100, 'disk is full')
      expect(await jobs.list()).toEqual([
        { kind: 'embed', subject: 'all', state: 'failed', runAt: NOON + 100, attempts: 1, progress: { done: 7 }, error: 'disk is full' },
      ])
      expect(await jobs.renew(first, NOON + 10, {})).toBe(false)
      const second = await take('p2', NOON + 1, NOON + 10)
      expect(second).toMatchObject({ generation: 2, progress: { done: 7 } })
      await jobs.release(second, NOON + 200, 'again')
      expect((await jobs.list())[0]).toMatchObject({ attempts: 2 })
      await jobs.release(await take('p2', NOON + 2, NOON + 10), NOON + 300, null)
      expect((await jobs.list())[0]).toMatchObject({ state: 'idle', attempts: 0, error: null, progress: { done: 7 } })
    })

    test('one of many concurrent callers gets the lease', async () => {
      const { jobs } = bench().backend
      const leases = await Promise.all(Array.from({ length: 8 }, (_, i) => jobs.take('dedup', 'x', `p${i}`, NOON, NOON + HOUR)))
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1)
    })
  })
}
