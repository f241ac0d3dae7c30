import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Backend, WarmOptions } from '../../src/ports/backend.js'
import type { Clock } from '../../src/ports/clock.js'
import { commit, embedAll, handClock, idsFound, idsNear, putEntity, putFact, unit } from '../contract/samples.js'
import { bundleWriter, startWriter } from './start-writer.js'

const MODEL = { id: 'm', dimensions: 2, floor: 0 }
const EVERYONE: WarmOptions = { first: 'ann', maxBytes: Number.POSITIVE_INFINITY, untilIdle: async () => true }
const root = mkdtempSync(join(tmpdir(), 'mneme-processes-'))
let made = 0
let program = ''

beforeAll(async () => {
  program = await bundleWriter(root)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const newPath = (): string => join(root, `data-${made++}`)
const open = (directory: string, busyTimeoutMs = 20_000, clock: Clock = handClock()): Promise<Backend> =>
  openSqlite({ directory, clock, busyTimeoutMs })
/** The same clock as the writers. */
const wall: Clock = { now: () => Date.now() * 1000 }

async function withTwo(use: (backend: Backend, two: Backend) => Promise<void>): Promise<void> {
  const directory = newPath()
  const [backend, two] = [await open(directory), await open(directory)]
  try {
    await use(backend, two)
  } finally {
    await backend.close()
    await two.close()
  }
}

describe('two connections to one file', () => {
  test('each finds the writes of the other in its next search', () =>
    withTwo(async (backend, two) => {
      await backend.backlog.adopt(MODEL)
      await Promise.all([backend.warm(EVERYONE), two.warm(EVERYONE)])
      await commit(backend, putFact({ id: 'a', text: 'an otter' }))
      expect(await idsFound(two, 'ann', 'otter')).toEqual(['a'])
      expect(await embedAll(two, () => unit(1, 0))).toBe(1)
      expect(await idsNear(backend, 'ann', unit(1, 0))).toEqual(['a'])
      await commit(two, putFact({ id: 'a', text: 'a heron', version: 2 }), putFact({ id: 'b', text: 'an otter' }))
      expect(await idsFound(backend, 'ann', 'otter')).toEqual(['b'])
      expect(await idsNear(backend, 'ann', unit(1, 0))).toEqual([])
      await embedAll(backend, (id) => (id === 'a' ? unit(0, 1) : unit(1, 0)))
      expect(await idsNear(two, 'ann', unit(0, 1))).toEqual(['a', 'b'])
      await commit(backend, { op: 'fact.delete', id: 'a', owner: 'ann' })
      expect(await idsFound(two, 'ann', 'heron')).toEqual([])
      expect(await idsNear(two, 'ann', unit(0, 1))).toEqual(['b'])
      await commit(two, { op: 'reset', owner: null })
      expect(await idsNear(backend, 'ann', unit(0, 1))).toEqual([])
      expect(await idsFound(backend, 'ann', 'otter')).toEqual([])
    }))

  test('a model adopted by one is used by both', () =>
    withTwo(async (backend, two) => {
      await backend.backlog.adopt(MODEL)
      await commit(backend, putFact({ id: 'a' }), putFact({ id: 'b' }))
      await embedAll(backend, () => unit(1, 0))
      expect(await idsNear(two, 'ann', unit(1, 0))).toEqual(['a', 'b'])
      await two.backlog.adopt({ id: 'wider', dimensions: 4, floor: 0 })
      expect(await idsNear(backend, 'ann', unit(1, 0, 0, 0))).toEqual([])
      await embedAll(two, () => unit(0, 0, 0, 1))
      expect(await idsNear(backend, 'ann', unit(0, 0, 0, 1))).toEqual(['a', 'b'])
      await backend.backlog.discard({ id: 'wider', dimensions: 4, floor: 0 })
      expect(await idsNear(two, 'ann', unit(0, 0, 0, 1))).toEqual([])
      expect(await backend.maintenance.diagnose()).toEqual([])
    }))

  test('of two changes to the same version one succeeds, and names stay unique', () =>
    withTwo(async (entry, two) => {
      await commit(entry, putFact({ id: 'a' }))
      const outcomes = await Promise.allSettled(
        [entry, two].flatMap((backend, i) => [
          commit(backend, putFact({ id: 'a', text: `by ${i}`, version: 2 })),
          commit(backend, putEntity({ id: `e${i}`, name: 'Otter' })),
        ]),
      )
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(2)
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
      expect((await two.store.facts(['a']))[0]?.version).toBe(2)
      expect(await entry.store.counts('ann')).toMatchObject({ entities: 1 })
    }))

  test('instants grow across both, though their clocks stand still', () =>
    withTwo(async (backend, two) => {
      const receipts = await Promise.all(
        Array.from({ length: 20 }, (_, i) => commit(i % 2 === 0 ? backend : two, putFact({ id: `f${i}` }), putFact({ id: `g${i}` }))),
      )
      const instants = (await backend.store.journal({ limit: 100 })).map((entry) => entry.at)
      expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b))
      expect(new Set(receipts.map((receipt) => receipt.at)).size).toBe(20)
    }))
})

describe('several processes on one file', () => {
  test('no acknowledged write is lost if one of them is killed', async () => {
    const directory = newPath()
    const writers = ['w0', 'w1', 'w2'].map((name) => startWriter(program, 'write', directory, name, '60'))
    await Promise.all(writers.map((writer) => writer.said(1)))
    const backend = await open(directory, 20_000, wall)
    for (const writer of writers) writer.process.stdin.write('go\n')
    const [victim] = writers
    const own = Array.from({ length: 30 }, (_, i) => commit(backend, putFact({ id: `own-${i}`, text: `Walrus ${i}` })))
    await victim?.said(10)
    victim?.process.kill('SIGKILL')
    await Promise.all([...own, ...writers.map((writer) => writer.ended)])
    const acknowledged = [...writers.flatMap((writer) => writer.lines.slice(1)), ...own.map((_, i) => `own-${i}`)]
    expect(acknowledged.length).toBeGreaterThanOrEqual(30 + 120 + 9)
    expect((await backend.store.facts(acknowledged)).map((fact) => fact.id)).toEqual(acknowledged)
    const { hits } = await (await backend.view('ann')).words.search(['walru'], { at: 9e15 }, 1000, { title: 3, text: 1, near: 0, far: 0 })
    const found = new Set((await (await backend.view('ann')).rows.idsOf(hits.map((hit) => hit.rid))).values())
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    const journal = await backend.store.journal({ limit: 1000 })
    expect(journal.map((entry) => entry.seq)).toEqual(journal.map((_, i) => i + 1))
    expect(journal.every((entry, i) => i === 0 || entry.hlc > (journal[i - 1]?.hlc ?? ''))).toBe(true)
    expect(await backend.maintenance.diagnose()).toEqual([])
    await backend.close()
  })

  test('a vector written by another process is found by the next search', async () => {
    const directory = newPath()
    const backend = await open(directory)
    await backend.backlog.adopt(MODEL)
    await backend.warm(EVERYONE)
    expect(await startWriter(program, 'embed', directory, 'n').ended).toBe('')
    expect(await idsNear(backend, 'ann', unit(0, 1))).toEqual(['n'])
    expect(await idsFound(backend, 'ann', 'narwhal')).toEqual(['n'])
    await backend.close()
  })

  test('many may open a file that does not exist yet', async () => {
    const directory = newPath()
    const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter(program, 'write', directory, name, '1'))
    for (const writer of writers) writer.process.stdin.write('go\n')
    expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual(['', '', '', ''])
    const backend = await open(directory)
    expect(await backend.store.counts(undefined)).toMatchObject({ facts: 4 })
    await backend.close()
  })

  test('a lock held beyond the timeout is distinguished from a failure, and reads continue', async () => {
    const directory = newPath()
    const backend = await open(directory, 100)
    await commit(backend, putFact({ id: 'a', text: 'an otter' }))
    const holder = startWriter(program, 'hold', directory)
    await holder.said(1)
    const write = commit(backend, putFact({ id: 'b' }))
    expect(await idsFound(backend, 'ann', 'otter')).toEqual(['a'])
    await expect(write).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('mneme.db'),
      hint: expect.stringContaining('Retry'),
    })
    holder.process.stdin.write('stop\n')
    await holder.ended
    await commit(backend, putFact({ id: 'b' }))
    expect((await backend.store.facts(['a', 'b'])).length).toBe(2)
    await backend.close()
  })

  test('a lock released in time only delays the write', async () => {
    const directory = newPath()
    const backend = await open(directory)
    const holder = startWriter(program, 'hold', directory)
    await holder.said(1)
    const write = commit(backend, putFact({ id: 'b' }))
    holder.process.stdin.write('stop\n')
    await write
    expect((await backend.store.facts(['b'])).length).toBe(1)
    await holder.ended
    await backend.close()
  })
})
