import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/ports/backend.js'
import { commit, idsFound, putFact } from '../contract/samples.js'
import { freshDatabase, openAt, SERVER } from './server.js'

/** MNEME_TEST_FULL runs the required size; otherwise a small one. */
const FULL = process.env.MNEME_TEST_FULL === '1'
const WRITERS = FULL ? 64 : 16
const OWNERS = FULL ? 20 : 5
const WRITE_MS = FULL ? 30_000 : 2500
const SEARCHES = FULL ? 2000 : 120
const clock = { now: () => Date.now() * 1000 }

/** Reads an owner's journal from its last position; missing or repeated entries break the count. */
async function follow(backend: Backend, owner: string, seen: Map<string, number>, isOver: () => boolean): Promise<void> {
  for (let last = 0, ended = false; ; ) {
    const isLast = ended
    const entries = await backend.store.journal({ owner, after: last, limit: 500 })
    for (const { seq, target } of entries) {
      expect(seq).toBe(last + 1)
      last = seq
      seen.set(target, (seen.get(target) ?? 0) + 1)
    }
    if (isLast && entries.length === 0) return
    ended = isOver()
  }
}

describe.skipIf(SERVER === undefined)("following an owner's journal", () => {
  test('misses nothing with many writers', async () => {
    const url = await freshDatabase()
    const [writing, reading] = [await openAt(url, clock, { connections: 20 }), await openAt(url, clock, { connections: OWNERS })]
    const written: string[] = []
    const endAt = performance.now() + WRITE_MS
    let left = WRITERS
    const write = async (writer: number): Promise<void> => {
      for (let nth = 0; performance.now() < endAt; nth++) {
        const id = `w${writer}-${nth}`
        await commit(writing, putFact({ id, owner: `owner-${(writer + nth) % OWNERS}`, text: `Heron ${id}` }))
        written.push(id)
      }
      left--
    }
    const seen = Array.from({ length: OWNERS }, () => new Map<string, number>())
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
      ...seen.map((own, nth) => follow(reading, `owner-${nth}`, own, () => left === 0)),
    ])
    const all = new Map(seen.flatMap((own) => [...own]))
    expect(written.filter((id) => all.get(id) !== 1)).toEqual([])
    expect(all.size).toBe(written.length)
    await writing.close()
    await reading.close()
  }, 300_000)

  test('finds on one node what was acknowledged on another before', async () => {
    const url = await freshDatabase()
    const [writing, reading] = [await openAt(url, clock), await openAt(url, clock)]
    let missed = 0
    for (let nth = 0; nth < SEARCHES; nth++) {
      const owner = `owner-${nth % 7}`
      await commit(writing, putFact({ id: `f${nth}`, owner, text: `Stoat number${nth}` }))
      if (!(await idsFound(reading, owner, `number${nth}`)).includes(`f${nth}`)) missed++
    }
    expect(missed).toBe(0)
    await writing.close()
    await reading.close()
  }, 300_000)
})
