import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import { MIGRATIONS } from '../../src/backends/sqlite/schema.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, embedAll, handClock, NOON, putFact, unit } from '../contract/samples.js'
import { openWorld } from '../graph/world.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mneme-compaction-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const DAY = 86_400e6
const file = (): string => join(directory, 'mneme.db')
const silent = (): void => undefined
const signal = new AbortController().signal

interface Inside {
  readonly size: number
  readonly free: number
  readonly entries: number
  readonly contents: number
}

function inside(): Inside {
  const db = openFile(file(), { readonly: true })
  const count = (query: string): number => Number(db.prepare(query).value())
  try {
    return {
      size: statSync(file()).size,
      free: Number(db.pragma('freelist_count')),
      entries: count(`SELECT count(*) FROM journal`),
      contents: count(`SELECT count(*) FROM journal WHERE before IS NOT NULL OR after IS NOT NULL`),
    }
  } finally {
    db.close()
  }
}

const open = (clock = handClock(), retention = { contentDays: 0, entryDays: 0 }): Promise<Backend> =>
  openSqlite({ directory, clock, busyTimeoutMs: 20_000, retention })

const embedEverything = async (backend: Backend): Promise<void> => {
  while ((await embedAll(backend, () => unit(0, 1))) > 0);
}

const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    putFact({ id: `f${from + i}`, text: `an otter number ${from + i} ${'in the river '.repeat(20)}` }),
  )

describe('compaction of a file', () => {
  test('empties the free list and shrinks the file; all remaining data is found', async () => {
    const backend = await open()
    await commit(backend, ...many(0, 600))
    await commit(backend, ...Array.from({ length: 500 }, (_, i) => ({ op: 'fact.delete', id: `f${i}`, owner: 'ann' }) as const))
    const { bytesBefore, bytesAfter } = await backend.maintenance.compact(false, silent, signal)
    expect(bytesAfter).toBeLessThan(bytesBefore)
    expect((await backend.store.facts(['f10', 'f550', 'f599'])).map(({ id }) => id)).toEqual(['f550', 'f599'])
    expect(await backend.maintenance.diagnose()).toEqual([])
    const sliced = inside()
    expect(sliced.free).toBe(0)
    expect(sliced.size).toBe(bytesAfter)
    expect((await backend.maintenance.compact(true, silent, signal)).bytesAfter).toBeLessThanOrEqual(sliced.size)
    expect(await backend.maintenance.diagnose()).toEqual([])
    await backend.close()
  })

  test('repair 15: never leaves a larger file', async () => {
    for (const [count, gone] of [
      [1, 0],
      [40, 0],
      [200, 199],
    ] as const) {
      const backend = await open()
      await commit(backend, ...many(count * 1000, count))
      await commit(
        backend,
        ...Array.from({ length: gone }, (_, i) => ({ op: 'fact.delete', id: `f${count * 1000 + i}`, owner: 'ann' }) as const),
      )
      await embedEverything(backend)
      for (const full of [false, true, true]) {
        const { bytesBefore, bytesAfter } = await backend.maintenance.compact(full, silent, signal)
        expect(bytesAfter).toBeLessThanOrEqual(bytesBefore)
        expect(statSync(file()).size).toBe(bytesAfter)
      }
      await backend.close()
    }
  })

  test('leaves no unused places of vectors', async () => {
    const backend = await open()
    await backend.backlog.adopt({ id: 'm', dimensions: 2, floor: 0 })
    await commit(backend, ...many(0, 1100))
    await embedEverything(backend)
    // Every part of the table loses most of its vectors, but not all.
    for (let round = 0; round < 3; round++) {
      const gone = Array.from({ length: 1100 }, (_, i) => 1100 * round + i).filter((i) => i % 50 !== 0)
      await commit(backend, ...gone.map((i) => ({ op: 'fact.delete', id: `f${i}`, owner: 'ann' }) as const))
      await commit(backend, ...many(1100 * (round + 1), 1100))
      await embedEverything(backend)
    }
    await backend.maintenance.compact(false, silent, signal)
    const db = openFile(file(), { readonly: true })
    // 1,166 vectors remain.
    expect(db.prepare(`SELECT count(*) FROM vec_facts`).value()).toBe(1166)
    expect(db.pragma('freelist_count')).toBe(0)
    db.close()
    expect(await backend.maintenance.diagnose()).toEqual([])
    expect((await (await backend.view('ann')).vectors.search(unit(0, 1), { at: NOON + 1 }, 5)).length).toBe(5)
    await backend.close()
  })

  test('works on a migrated file of an earlier layout', async () => {
    const db = openFile(file())
    for (const step of MIGRATIONS.slice(0, 2)) for (const part of step) typeof part === 'string' ? db.exec(part) : part(db)
    db.pragma('user_version = 2')
    db.pragma(`application_id = ${0x6d6e656d}`)
    db.close()
    await (await open()).close()
    const now = openFile(file(), { readonly: true })
    expect(now.pragma('auto_vacuum')).toBe(2)
    now.close()
  })
})

describe('retention of the journal', () => {
  const texts = ['one', 'two', 'three']
  const versions = async (backend: Backend): Promise<void> => {
    for (const [i, text] of texts.entries()) await commit(backend, putFact({ id: 'a', text, version: i + 1 }))
  }

  test('is unlimited by default', async () => {
    const clock = handClock()
    const backend = await open(clock)
    await versions(backend)
    clock.set(NOON + 4000 * DAY)
    await backend.maintenance.compact(false, silent, signal)
    expect(inside()).toMatchObject({ entries: 3, contents: 3 })
    expect(await backend.store.journalTrimmed()).toBe(0)
    await backend.close()
  })

  test('removes old contents, keeps the entries, and the store stays sound', async () => {
    const clock = handClock()
    const backend = await open(clock, { contentDays: 10, entryDays: 0 })
    await versions(backend)
    clock.set(NOON + 8 * DAY)
    await commit(backend, putFact({ id: 'b', text: 'young' }))
    clock.set(NOON + 11 * DAY)
    expect(await backend.maintenance.compact(false, silent, signal)).toMatchObject({ entries: 3 })
    expect(inside()).toMatchObject({ entries: 4, contents: 1 })
    expect(await backend.store.journalTrimmed()).toBe(3)
    expect(await backend.maintenance.diagnose()).toEqual([])
    await backend.close()
  })

  test('removes old entries, except the last of each existing object', async () => {
    const clock = handClock()
    const backend = await open(clock, { contentDays: 10, entryDays: 20 })
    await versions(backend)
    await commit(backend, putFact({ id: 'gone' }))
    await commit(backend, { op: 'fact.delete', id: 'gone', owner: 'ann' })
    clock.set(NOON + 21 * DAY)
    await backend.maintenance.compact(false, silent, signal)
    expect((await backend.store.journal({ limit: 10 })).map(({ seq, target }) => [seq, target])).toEqual([
      [3, 'a'],
      [4, 'gone'],
      [5, 'gone'],
    ])
    // The newest entry stays, because the next number follows it. An entry kept as the last one goes once a newer one is old.
    await commit(backend, putFact({ id: 'a', text: 'four', version: 4 }))
    clock.set(NOON + 42 * DAY)
    await commit(backend, putFact({ id: 'c' }))
    await backend.maintenance.compact(false, silent, signal)
    expect((await backend.store.journal({ limit: 10 })).map(({ seq }) => seq)).toEqual([6, 7])
    expect(await backend.maintenance.diagnose()).toEqual([])
    await backend.close()
  })

  test('history reports what was dropped, and undo rejects it instead of deleting', async () => {
    const world = await openWorld({ journalDays: 10 })
    const stored = await world.call('memory/store_memory', { content: 'The first text' })
    await world.call('memory/update_memory', { id: stored.id, content: 'The second text' })
    const [latest] = await world.backend.store.journal({ newestFirst: true, limit: 1 })
    world.clock.advance(11 * DAY)
    await world.call('memory/store_memory', { content: 'A later text' })
    expect(await world.call('admin/compact')).toMatchObject({ journal_entries: 2 })
    expect(await world.call('admin/history', { id: String(stored.id), values: true })).toMatchObject({
      changes: [{ contents: 'dropped for their age' }, { contents: 'dropped for their age' }],
    })
    await expect(world.call('admin/undo', { what: String(latest?.seq) })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('dropped for its age'),
    })
    expect(await world.call('memory/get_memory', { id: stored.id })).toMatchObject({ content: 'The second text' })
    await world.close()
  })
})
