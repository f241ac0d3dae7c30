import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AccessFilter } from '../../src/core/access/access-filter.js'
import type { Backend } from '../../src/ports/backend.js'
import type { View } from '../../src/ports/view.js'
import { commit, putFact } from '../contract/samples.js'
import { EVENTUALLY } from '../eventually.js'
import { emptyStore, freshDatabase, openAt, query, SERVER } from './server.js'

const FACTS = 150
const DIMENSIONS = 8
const MODEL = { id: 'eight', dimensions: DIMENSIONS }
const THINGS = ['ladder', 'compass', 'kettle', 'lantern', 'anvil']
const FIELDS = { title: 2, text: 1, near: 0.4, far: 0.2 }
const clock = { now: () => Date.now() * 1000 }
const pool = () => ({ at: clock.now(), present: true })

/** Different for each number, and deterministic. */
const vectorOf = (n: number): Float32Array => {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(n * 7.31 + i * (n % 13)))
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

const factOf = (n: number, owner = 'ann') =>
  putFact({ id: `${owner}-${n}`, owner, text: `Item ${n} is next to the ${THINGS[n % THINGS.length]}.`, session: `s${n % 10}` })

describe.skipIf(SERVER === undefined)('an owner too large for memory', () => {
  let url: string
  let large: Backend
  let exact: Backend
  beforeAll(async () => {
    url = await freshDatabase()
    large = await openAt(url, clock, { largeFrom: 100 })
    exact = await openAt(url, clock, { largeFrom: Number.POSITIVE_INFINITY })
  })
  afterEach(() => emptyStore(url))
  afterAll(async () => {
    await large?.close()
    await exact?.close()
  })

  const fill = async (backend: Backend, from: number, to: number): Promise<void> => {
    const numbers = Array.from({ length: to - from }, (_, i) => from + i)
    await commit(backend, ...numbers.map((n) => factOf(n)))
    await backend.backlog.adopt({ ...MODEL, floor: 0 })
    const texts = await backend.backlog.next('facts', 1000)
    await backend.backlog.fill(
      'facts',
      texts.map(({ text: _text, ...entry }) => ({ ...entry, vector: vectorOf(Number(entry.id.split('-')[1])) })),
    )
  }
  const viewed = async <T>(backend: Backend, use: (view: View) => Promise<T>): Promise<T> => {
    const view = await backend.view('ann')
    try {
      return await use(view)
    } finally {
      view.close()
    }
  }
  const built = (): Promise<void> => vi.waitFor(() => viewed(large, async (view) => expect(view.approximate).toBe(true)), EVENTUALLY)
  const idsBy = async (view: View, rids: readonly number[]): Promise<readonly (string | undefined)[]> => {
    const ids = await view.rows.idsOf(rids)
    return rids.map((rid) => ids.get(rid))
  }
  const nearest = (backend: Backend, n: number) =>
    viewed(backend, async (view) =>
      idsBy(
        view,
        (await view.vectors.search(vectorOf(n), pool(), 5)).map(({ rid }) => rid),
      ),
    )
  const byWords = (backend: Backend, ...terms: readonly string[]) =>
    viewed(backend, async (view) =>
      idsBy(
        view,
        (await view.words.search(terms, pool(), 20, FIELDS)).hits.map(({ rid }) => rid),
      ),
    )

  test('is searched by its shard until the index exists, then by the index, with the same results', async () => {
    await fill(exact, 0, FACTS)
    expect(await nearest(large, 17)).toEqual(await nearest(exact, 17))
    await built()
    for (const n of [3, 17, 99]) expect(await nearest(large, n)).toEqual(await nearest(exact, n))
    expect((await byWords(large, '42', 'kettle'))[0]).toBe('ann-42')
    expect(new Set(await byWords(large, '42', '17', '7'))).toEqual(new Set(await byWords(exact, '42', '17', '7')))
    await viewed(large, async (view) => {
      const rids = await view.rows.ridsOf(['ann-1', 'ann-2', 'absent'])
      expect([...rids.keys()].sort()).toEqual(['ann-1', 'ann-2'])
      expect((await view.links.sketches([...rids.values()])).map(({ id }) => id).sort()).toEqual(['ann-1', 'ann-2'])
    })
  })

  test('shows immediately what another node stored, changed and deleted', async () => {
    await fill(exact, 0, FACTS)
    await built()
    await fill(exact, FACTS, FACTS + 5)
    expect((await byWords(large, String(FACTS + 3)))[0]).toBe(`ann-${FACTS + 3}`)
    expect((await nearest(large, FACTS + 3))[0]).toBe(`ann-${FACTS + 3}`)
    await commit(exact, { op: 'fact.delete', id: 'ann-42', owner: 'ann' })
    expect(
      await query(url, `SELECT 1 FROM large_facts l WHERE NOT EXISTS (SELECT 1 FROM facts f WHERE f.owner = l.owner AND f.rid = l.rid)`),
    ).toEqual([])
    expect(await byWords(large, '42')).not.toContain('ann-42')
    expect(await nearest(large, 42)).not.toContain('ann-42')
  })

  test('has nothing in the index after a reset, and small owners never have', async () => {
    await fill(exact, 0, FACTS)
    await commit(exact, factOf(1, 'bob'))
    await built()
    expect(await query(url, `SELECT DISTINCT owner FROM large_facts`)).toEqual([{ owner: 'ann' }])
    await commit(exact, { op: 'reset', owner: 'ann' })
    expect(await query(url, `SELECT * FROM large_facts`)).toEqual([])
    expect(await byWords(large, 'kettle')).toEqual([])
  })

  test('gives the same as-of results as memory, however much was stored since', async () => {
    const place = await freshDatabase()
    const [large, exact] = [
      await openAt(place, clock, { largeFrom: 100 }),
      await openAt(place, clock, { largeFrom: Number.POSITIVE_INFINITY }),
    ]
    const [then, now] = [clock.now() - 2e9, clock.now() - 1e9]
    const texts = (n: number) => (n < 15 ? `Item ${n} is next to the old kettle.` : `Item ${n} is next to the kettle.`)
    const numbers = Array.from({ length: 900 }, (_, n) => n)
    await commit(
      exact,
      ...numbers.map((n) =>
        putFact({ id: `ann-${n}`, owner: 'ann', text: texts(n), validFrom: n < 15 ? then : now, validUntil: n < 15 ? now : null }),
      ),
    )
    await exact.backlog.adopt({ ...MODEL, floor: 0 })
    const waiting = await exact.backlog.next('facts', 1000)
    // Valid now, nearest to the query, and newest.
    await exact.backlog.fill(
      'facts',
      waiting.map(({ text: _text, ...entry }) => {
        const n = Number(entry.id.split('-')[1])
        return { ...entry, vector: n < 15 ? vectorOf(n) : vectorOf(1000).map((component, i) => component + (i === n % 8 ? n / 1e5 : 0)) }
      }),
    )
    await vi.waitFor(() => viewed(large, async (view) => expect(view.approximate).toBe(true)), EVENTUALLY)
    const past = { at: then + 1e6 }
    const found = (backend: Backend) =>
      viewed(backend, async (view) => ({
        near: await idsBy(
          view,
          (await view.vectors.search(vectorOf(1000), past, 10)).map(({ rid }) => rid),
        ),
        words: new Set(
          await idsBy(
            view,
            (await view.words.search(['kettl', 'stand'], past, 50, FIELDS)).hits.map(({ rid }) => rid),
          ),
        ),
        before: await idsBy(
          view,
          (await view.vectors.search(vectorOf(1000), { ...past, before: 6, except: 2 }, 10)).map(({ rid }) => rid),
        ),
      }))
    const wanted = await found(exact)
    expect(wanted.near).toHaveLength(10)
    expect(wanted.words.size).toBe(15)
    expect(await found(large)).toEqual(wanted)
    // Ended facts are not found.
    expect(await byWords(large, 'old', 'kettl')).not.toContain('ann-3')
    await commit(exact, putFact({ id: 'ann-800', owner: 'ann', text: texts(800), validFrom: now, validUntil: now + 1e6, version: 2 }))
    expect(await byWords(large, '800')).toEqual([])
    for (const backend of [large, exact]) await backend.close()
  }, 120_000)

  test('is searched in memory for readers with restricted access: hidden facts have no influence', async () => {
    await fill(exact, 0, FACTS)
    await built()
    const outside = { owners: [{ owner: 'ann', scopes: 'all', gardens: [], federated: false }] } as const
    const isApproximate = async (reach: AccessFilter): Promise<boolean> => {
      const view = await large.view('ann', reach)
      view.close()
      return view.approximate === true
    }
    expect(await isApproximate(outside)).toBe(true)
    await commit(exact, putFact({ id: 'hidden', owner: 'ann', text: 'A kettle in the garden.', garden: 'roses' }))
    expect(await isApproximate(outside)).toBe(false)
    expect(await isApproximate({ owners: [{ ...outside.owners[0], scopes: ['local'] }] })).toBe(false)
    expect(await isApproximate('everything')).toBe(true)
  })
})
