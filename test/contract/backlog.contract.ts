import { describe, expect, test } from 'vitest'
import { commit, embedAll, idsNear, NOON, putFact, ridOf, unit } from './samples.js'
import type { Bench } from './store.contract.js'

const MODEL = { id: 'm', dimensions: 2, floor: 0 }

export function backlogContract(bench: () => Bench): void {
  const ids = async (limit = 10, only?: readonly string[]) =>
    (await bench().backend.backlog.next('facts', limit, only)).map((text) => text.id)

  describe('backlog and vectors', () => {
    test('every stored text waits for its vector, oldest first', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'c' }), putFact({ id: 'a', author: 'Ann' }), putFact({ id: 'b' }))
      expect(await backend.backlog.pending('facts')).toBe(3)
      expect(await ids()).toEqual(['c', 'a', 'b'])
      expect(await ids(2)).toEqual(['c', 'a'])
      expect(await ids(10, ['b', 'none', 'c'])).toEqual(['c', 'b'])
      expect(await ids(1, ['b', 'c'])).toEqual(['c'])
      expect((await backend.backlog.next('facts', 10, ['a']))[0]).toMatchObject({
        id: 'a',
        version: 1,
        text: 'Ann: text of a',
        rid: await ridOf(backend, 'a'),
      })
    })

    test('a vector of another model is refused', async () => {
      const { backend } = bench()
      await backend.backlog.adopt(MODEL)
      await commit(backend, putFact({ id: 'a', text: 'one' }))
      const vectors = (await backend.backlog.next('facts', 1)).map(({ owner, rid, id, version }) => ({
        owner,
        rid,
        id,
        version,
        vector: unit(1, 0),
      }))
      await expect(backend.backlog.fill('facts', vectors, { id: 'another' })).rejects.toMatchObject({ code: 'conflict' })
      expect(await backend.backlog.fill('facts', vectors, MODEL)).toBe(1)
    })

    test('a vector is taken only for the text it was made of', async () => {
      const { backend } = bench()
      await backend.backlog.adopt(MODEL)
      await commit(backend, putFact({ id: 'a', text: 'one' }), putFact({ id: 'b', text: 'two' }), putFact({ id: 'c', text: 'three' }))
      const waiting = await backend.backlog.next('facts', 10)
      await commit(backend, putFact({ id: 'a', text: 'changed', version: 2 }), { op: 'fact.delete', id: 'c', owner: 'ann' })
      const vectors = waiting.map(({ owner, rid, id, version }) => ({ owner, rid, id, version, vector: unit(1, 0) }))
      expect(await backend.backlog.fill('facts', vectors)).toBe(1)
      expect(await backend.backlog.fill('facts', vectors)).toBe(0)
      expect(await ids()).toEqual(['a'])
      expect(await idsNear(backend, 'ann', unit(1, 0))).toEqual(['b'])
    })

    test('a change of the text drops the vector, any other change keeps it', async () => {
      const { backend } = bench()
      await backend.backlog.adopt(MODEL)
      await commit(backend, putFact({ id: 'a', text: 'one' }))
      await embedAll(backend, () => unit(1, 0))
      await commit(backend, putFact({ id: 'a', text: 'one', importance: 0.9, version: 2 }))
      expect(await backend.backlog.pending('facts')).toBe(0)
      expect(await idsNear(backend, 'ann', unit(1, 0))).toEqual(['a'])
      await commit(backend, putFact({ id: 'a', text: 'two', version: 3 }))
      expect(await backend.backlog.pending('facts')).toBe(1)
      expect(await idsNear(backend, 'ann', unit(1, 0))).toEqual([])
      await embedAll(backend, () => unit(0, 1))
      const rid = await ridOf(backend, 'a')
      expect((await (await backend.view('ann')).vectors.similarities(unit(0, 1), [rid, 999])).get(rid)).toBeCloseTo(1, 4)
      expect([...((await (await backend.view('ann')).vectors.vectors([rid])).get(rid) ?? [])]).toEqual([0, 1])
    })

    test('search is exact, filtered before the cut, and ordered', async () => {
      const { backend } = bench()
      await backend.backlog.adopt(MODEL)
      await commit(
        backend,
        ...Array.from({ length: 40 }, (_, i) => putFact({ id: `old${i}`, validUntil: NOON + 5 })),
        putFact({ id: 'a' }),
        putFact({ id: 'b' }),
        putFact({ id: 'gone', expiresAt: NOON + 5 }),
      )
      await embedAll(backend, (id) => (id === 'b' ? unit(1, 1) : id === 'a' ? unit(1, 0.5) : unit(1, 0)))
      expect(await idsNear(backend, 'ann', unit(1, 0), 2)).toEqual(['a', 'b'])
      const hits = await (await backend.view('ann')).vectors.search(unit(1, 0), { at: NOON + 1e9 }, 1)
      expect(hits[0]?.score).toBeCloseTo(1 / Math.hypot(1, 0.5), 4)
      expect(await (await backend.view('ann')).vectors.search(unit(1, 0), { at: NOON }, 100)).toHaveLength(43)
      const view = await backend.view('ann')
      const all = await view.vectors.search(unit(1, 0), { at: NOON }, 100)
      const [middle = 0] = all
        .map((hit) => hit.rid)
        .sort((a, b) => a - b)
        .slice(20)
      const older = await view.vectors.search(unit(1, 0), { at: NOON, before: middle }, 100)
      expect([older.length, older.every((hit) => hit.rid < middle)]).toEqual([20, true])
      const others = await view.vectors.search(unit(1, 0), { at: NOON, except: middle }, 100)
      expect([others.length, others.some((hit) => hit.rid === middle)]).toEqual([42, false])
    })

    test('another model starts from nothing, the same one from where it was', async () => {
      const { backend } = bench()
      expect(await backend.backlog.model()).toBeUndefined()
      await backend.backlog.adopt(MODEL)
      await commit(backend, putFact({ id: 'a' }), putFact({ id: 'b' }))
      await embedAll(backend, () => unit(1, 0))
      await backend.backlog.adopt(MODEL)
      expect(await backend.backlog.pending('facts')).toBe(0)
      expect(await idsNear(backend, 'ann', unit(1, 0))).toEqual(['a', 'b'])
      await backend.backlog.adopt({ id: 'other', dimensions: 3, floor: 0 })
      expect(await backend.backlog.model()).toEqual({ id: 'other', dimensions: 3 })
      expect(await backend.backlog.pending('facts')).toBe(2)
      expect(await idsNear(backend, 'ann', unit(1, 0, 0))).toEqual([])
      await embedAll(backend, () => unit(0, 0, 1))
      expect(await idsNear(backend, 'ann', unit(0, 0, 1))).toEqual(['a', 'b'])
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    test('discarded vectors are gone until they are made again', async () => {
      const { backend } = bench()
      await backend.backlog.adopt(MODEL)
      await commit(backend, ...Array.from({ length: 12 }, (_, i) => putFact({ id: `f${i}` })))
      await embedAll(backend, () => unit(1, 0))
      expect(await idsNear(backend, 'ann', unit(1, 0))).toHaveLength(10)
      await backend.backlog.discard(MODEL)
      expect(await backend.backlog.pending('facts')).toBe(12)
      const last = await backend.backlog.next('facts', 1, ['f11'])
      await backend.backlog.fill(
        'facts',
        last.map(({ owner, rid, id, version }) => ({ owner, rid, id, version, vector: unit(0, 1) })),
      )
      expect(await idsNear(backend, 'ann', unit(1, 1), 1)).toEqual(['f11'])
    })
  })
}
