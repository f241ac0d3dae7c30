import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import { loadConfig } from '../../src/config.js'
import { migrateStore } from '../../src/open/migrate.js'
import type { Backend } from '../../src/ports/backend.js'
import { aFile, anEntity, aSource, commit, NOON, putEdge, putEntity, putFact, unit } from '../contract/samples.js'
import { viewOf } from '../properties/compare.js'
import { MODEL } from '../properties/scratch.js'
import { freshDatabase, openAt, SERVER } from './server.js'

/** MNEME_TEST_FULL runs the required size; otherwise a small one. */
const FACTS = process.env.MNEME_TEST_FULL === '1' ? 100_000 : 1500
const OWNERS = ['ann', 'bob', 'cy']
const clock = { now: () => Date.now() * 1000 }
const { config } = loadConfig({ flags: {}, env: {} })

/** Everything in a store, including vectors and calls. */
async function contents(backend: Backend): Promise<unknown> {
  const owners = await Promise.all(
    OWNERS.map(async (owner) => {
      const view = await backend.view(owner)
      const near = await view.vectors.search(unit(1, 2, 3), { at: clock.now() }, 50)
      const ids = await view.rows.idsOf(near.map(({ rid }) => rid))
      view.close()
      return near.map(({ rid, score }) => [ids.get(rid), score])
    }),
  )
  return {
    view: await viewOf(backend, [5]),
    owners,
    call: await backend.store.recordedCall({ owner: 'ann', actor: 'test', key: 'k', fingerprint: 'f' }).then((call) => call?.answer),
    files: await backend.store.sourceFiles('s', { after: '', limit: 10 }),
    healthy: await backend.maintenance.diagnose(),
  }
}

/** By id, because row numbers differ. */
const vectorOf = (id: string): Float32Array => {
  const n = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1009, 7)
  return unit((n % 7) - 3, n % 5, 1)
}

async function fill(backend: Backend, count = FACTS): Promise<void> {
  await backend.backlog.adopt(MODEL)
  for (let i = 0; i < count; i += 500)
    await commit(
      backend,
      ...Array.from({ length: Math.min(500, count - i) }, (_, j) =>
        putFact({
          id: `f${i + j}`,
          owner: OWNERS[(i + j) % 3] ?? '',
          text: `Otter ${i + j} near Heron Hill`,
          recordedAt: NOON + i + j,
          title: j % 9 === 0 ? 'Otter' : null,
        }),
      ),
    )
  const source = aSource({ id: 's' })
  await commit(backend, putEntity({ id: 'e', name: 'Heron Hill' }), putEdge({ id: 'r', from: 'e', to: 'f0', toKind: 'fact' }), {
    op: 'source.put',
    source,
    files: [aFile(source, 'a.ts', ['one', 'two'])],
  })
  const call = { owner: 'ann', actor: 'test', key: 'k', fingerprint: 'f' }
  await backend.store.commit({ actor: 'test', owners: ['ann'], call }, () => [
    putFact({ id: 'called', text: 'by a call', recordedAt: NOON + count }),
  ])
  await backend.store.recordAnswer(call, { id: 'called' })
  await commit(
    backend,
    { op: 'fact.delete', id: 'f4', owner: 'bob' },
    { op: 'entity.put', entity: anEntity({ id: 'e', name: 'Hill', version: 2 }) },
  )
  for (const name of ['facts', 'passages'] as const)
    for (let left = -1; left !== 0; ) {
      // Which texts wait, and their numbers, may differ; none is missing.
      const waiting = await backend.backlog.next(name, 2000)
      left = waiting.length
      await backend.backlog.fill(
        name,
        waiting.map(({ text: _, long: _long, ...entry }) => ({ ...entry, vector: vectorOf(entry.id) })),
      )
    }
}

/** A run that is stopped after this number of progress messages. */
const stopped = async (from: string, to: string, after: number): Promise<void> => {
  const stop = new AbortController()
  let heard = 0
  const progress = (): void => {
    if (++heard === after) stop.abort()
  }
  await expect(migrateStore(config, { from, to, progress, signal: stop.signal })).rejects.toThrow()
}

const whole = (from: string, to: string) =>
  migrateStore(config, { from, to, progress: () => undefined, signal: new AbortController().signal })

describe.skipIf(SERVER === undefined)('migrating', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-migrate-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('there and back with interruptions preserves everything', async () => {
    const [first, last] = [join(folder, 'first.db'), join(folder, 'last.db')]
    const source = await openSqlite({ directory: folder, file: first, clock, busyTimeoutMs: 5000 })
    await fill(source)
    const before = await contents(source)
    const journal = await source.store.journal({ limit: 10 * FACTS })
    await source.close()
    const url = await freshDatabase()
    await stopped(`sqlite:${first}`, url, 2)
    expect(await whole(`sqlite:${first}`, url)).toMatchObject({ owners: 3, resumed: 1, entries: journal.length })
    const server = await openAt(url, clock)
    expect(await contents(server)).toEqual(before)
    await server.close()
    await stopped(url, `sqlite:${last}`, 3)
    expect(await whole(url, `sqlite:${last}`)).toMatchObject({ owners: 3, resumed: 2, entries: journal.length })
    const back = await openSqlite({ directory: folder, file: last, clock, busyTimeoutMs: 5000 })
    expect(await contents(back)).toEqual(before)
    expect(await back.store.journal({ limit: 10 * FACTS })).toEqual(journal)
    // Both stores continue independently.
    await commit(back, putFact({ id: 'new' }), putFact({ id: 'other', owner: 'bob' }))
    expect(await back.maintenance.diagnose()).toEqual([])
    await back.close()
  }, 600_000)

  test('moves several owners with equal row numbers into a file', async () => {
    const url = await freshDatabase()
    const server = await openAt(url, clock)
    await fill(server, FACTS / 5)
    const before = await contents(server)
    await server.close()
    const file = join(folder, 'from-server.db')
    await whole(url, `sqlite:${file}`)
    const copy = await openSqlite({ directory: folder, file, clock, busyTimeoutMs: 5000 })
    expect(await contents(copy)).toEqual(before)
    await copy.close()
    await expect(whole(url, `sqlite:${file}`)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('not empty') })
    await expect(whole(`sqlite:${join(folder, 'absent.db')}`, url)).rejects.toMatchObject({ code: 'not_found' })
  }, 600_000)
})
