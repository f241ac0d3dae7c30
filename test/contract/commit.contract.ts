import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/core/journal/change.js'
import { MemoryError } from '../../src/errors.js'
import {
  aFact,
  aFile,
  anEdge,
  anEntity,
  aSource,
  commit,
  embedAll,
  everything,
  idsFound,
  NOON,
  putEdge,
  putEntity,
  putFact,
  unit,
} from './samples.js'
import type { Bench } from './store.contract.js'

const CONFLICT = { code: 'conflict' }

export function commitContract(bench: () => Bench): void {
  describe('commit', () => {
    test('a list whose last change conflicts leaves no trace', async () => {
      const { backend } = bench()
      await backend.backlog.adopt({ id: 'm', dimensions: 2, floor: 0 })
      const source = aSource({ id: 's' })
      await commit(
        backend,
        putFact({ id: 'kept', text: 'Zebra crossing', title: 'Zebra', author: 'Ann Lee' }),
        putEntity({ id: 'e', name: 'Ann' }),
      )
      await commit(
        backend,
        { op: 'source.put', source, files: [aFile(source, 'a.ts', ['one'])] },
        putEdge({ id: 'r', from: 'e', to: 'kept', toKind: 'fact' }),
      )
      await embedAll(backend, () => unit(1, 0))
      const before = await everything(backend)
      const doomed: readonly Change[] = [
        putFact({ id: 'new', text: 'Yak wool from Ann', title: 'Yak', author: 'Bob' }),
        { op: 'fact.put', fact: aFact({ id: 'kept', text: 'Otter', version: 2 }) },
        putEntity({ id: 'e2', name: 'Zebra' }),
        { op: 'entity.put', entity: anEntity({ id: 'e', name: 'Anna', version: 2 }) },
        { op: 'edge.delete', id: 'r', owner: 'ann' },
        { op: 'source.put', source: { ...source, version: 2 }, files: [aFile(source, 'a.ts', ['two'], 'b')] },
        { op: 'fact.delete', id: 'kept', owner: 'ann' },
        { op: 'reset', owner: 'ann' },
        { op: 'fact.put', fact: aFact({ id: 'absent', version: 7 }) },
      ]
      await expect(commit(backend, ...doomed)).rejects.toMatchObject(CONFLICT)
      expect(await everything(backend)).toEqual(before)
      expect(await idsFound(backend, 'ann', 'yak')).toEqual([])
      expect(await idsFound(backend, 'ann', 'zebra')).toEqual(['kept'])
      expect(await (await backend.view('ann')).links.namesIn('ann', ['yak', 'anna', 'zebra', 'ann'])).toEqual(['zebra', 'ann'])
      expect(await (await backend.view('ann')).links.authorsIn('ann', ['bob', 'ann'])).toEqual(['Ann Lee'])
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    test('an error thrown by decide is passed on unchanged, and nothing is stored', async () => {
      const { backend } = bench()
      const mine = Object.assign(new Error('changed my mind'), { code: 'ENOENT' })
      const thrown = await backend.store
        .commit({ actor: 'tester', owners: ['ann'] }, () => {
          throw mine
        })
        .catch((error: unknown) => error)
      expect(thrown).toBe(mine)
      const refusal = new MemoryError('not_found', 'no such fact')
      await expect(
        backend.store.commit({ actor: 'tester', owners: ['ann'] }, () => {
          throw refusal
        }),
      ).rejects.toBe(refusal)
      expect(await backend.store.journal({ limit: 10 })).toEqual([])
    })

    test('a failing commit does not take its neighbours with it', async () => {
      const { backend } = bench()
      const outcomes = await Promise.allSettled([
        commit(backend, putFact({ id: 'a' })),
        commit(backend, putFact({ id: 'b' }), putFact({ id: 'a' })),
        commit(backend, putFact({ id: 'c' })),
      ])
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect((await backend.store.facts(['a', 'b', 'c'])).map((fact) => fact.id)).toEqual(['a', 'c'])
    })

    test('versions follow one another; anything else is a conflict', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'f' }), putEntity({ id: 'e', name: 'One' }), putEdge({ id: 'r', from: 'e', to: 'e' }), {
        op: 'source.put',
        source: aSource({ id: 's' }),
      })
      const wrong: readonly Change[] = [
        putFact({ id: 'f' }),
        putFact({ id: 'f', version: 3 }),
        putFact({ id: 'g', version: 2 }),
        putEntity({ id: 'e', name: 'One' }),
        putEntity({ id: 'e', name: 'One', version: 3 }),
        putEntity({ id: 'e2', name: 'Two', version: 2 }),
        putEdge({ id: 'r', from: 'e', to: 'e' }),
        putEdge({ id: 'r2', from: 'e', to: 'e', version: 2 }),
        { op: 'source.put', source: aSource({ id: 's' }) },
        { op: 'source.put', source: aSource({ id: 's2', version: 2 }) },
        { op: 'fact.delete', id: 'g', owner: 'ann' },
        { op: 'entity.delete', id: 'e2', owner: 'ann' },
        { op: 'edge.delete', id: 'r2', owner: 'ann' },
        { op: 'source.delete', id: 's2', owner: 'ann' },
      ]
      for (const change of wrong) await expect(commit(backend, change), JSON.stringify(change)).rejects.toMatchObject(CONFLICT)
      await commit(backend, putFact({ id: 'f', text: 'second', version: 2 }), putFact({ id: 'f', text: 'third', version: 3 }))
      await commit(
        backend,
        putEntity({ id: 'e', name: 'Uno', version: 2 }),
        putEdge({ id: 'r', from: 'e', to: 'e', weight: 2, version: 2 }),
      )
      expect(await backend.store.facts(['f'])).toEqual([aFact({ id: 'f', text: 'third', version: 3 })])
      expect(await backend.store.entities(['e'])).toEqual([anEntity({ id: 'e', name: 'Uno', version: 2 })])
      expect(await backend.store.edgesById(['r'])).toEqual([anEdge({ id: 'r', from: 'e', to: 'e', weight: 2, version: 2 })])
    })

    test('an edge begins and ends at what is there, of the same owner', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'f' }), putEntity({ id: 'e', name: 'One' }), putEntity({ id: 'b', owner: 'bob', name: 'Two' }))
      await commit(backend, putEdge({ id: 'r', from: 'f', fromKind: 'fact', to: 'e' }))
      await commit(backend, { op: 'fact.delete', id: 'f', owner: 'ann' })
      const wrong = [
        putEdge({ id: 'r', from: 'f', fromKind: 'fact', to: 'e' }),
        putEdge({ id: 'r', from: 'e', to: 'f', toKind: 'fact' }),
        putEdge({ id: 'r', from: 'e', to: 'b' }),
      ]
      for (const change of wrong) await expect(commit(backend, change), JSON.stringify(change)).rejects.toMatchObject(CONFLICT)
      expect(await backend.store.edges({ limit: 10 })).toEqual([])
    })

    test('imported puts create at any version, but never replace', async () => {
      const { backend } = bench()
      const fact: Change = { op: 'fact.put', fact: aFact({ id: 'f', version: 9 }), imported: true }
      const entity: Change = { op: 'entity.put', entity: anEntity({ id: 'e', name: 'One', version: 4 }), imported: true }
      const edge: Change = { op: 'edge.put', edge: anEdge({ id: 'r', from: 'e', to: 'f', version: 3 }), imported: true }
      await commit(backend, fact, entity, edge)
      for (const change of [fact, entity, edge]) await expect(commit(backend, change)).rejects.toMatchObject(CONFLICT)
      await expect(commit(backend, { ...entity, entity: anEntity({ id: 'e', name: 'One', version: 5 }) })).rejects.toMatchObject(CONFLICT)
      await commit(backend, putFact({ id: 'f', version: 10 }), putEntity({ id: 'e', name: 'One', version: 5 }))
      expect((await backend.store.facts(['f']))[0]?.version).toBe(10)
    })

    test('a clock that was years ahead does not affect later timestamps', async () => {
      const { backend, clock } = bench()
      clock.set(NOON + 10 * 365 * 86_400e6)
      await commit(backend, putFact({ id: 'a' }))
      clock.set(NOON + 1)
      const values: number[] = []
      for (const id of ['b', 'c']) {
        await backend.store.commit({ actor: 'test', owners: ['ann'] }, (now) => {
          values.push(now)
          return [putFact({ id })]
        })
      }
      expect(values).toEqual([NOON + 1, NOON + 2])
      const entries = await backend.store.journal({ limit: 10 })
      expect(entries.map((entry) => entry.target)).toEqual(['a', 'b', 'c'])
      expect(entries.map((entry) => entry.hlc)).toEqual(entries.map((entry) => entry.hlc).sort())
      expect(new Set(entries.map((entry) => entry.hlc)).size).toBe(3)
    })

    test('time is that of the wall, made unique; the order grows, whatever the wall does', async () => {
      const { backend, clock } = bench()
      const seen: number[] = []
      const write = async (id: string, count: number): Promise<void> => {
        await backend.store.commit({ actor: 'tester', owners: ['ann'] }, (now) => {
          seen.push(now)
          return Array.from({ length: count }, (_, i) => putFact({ id: `${id}${i}`, recordedAt: now + i }))
        })
      }
      await write('a', 3)
      await write('b', 1)
      clock.set(NOON - 3600e6)
      await write('c', 1)
      clock.set(NOON + 3600e6)
      await write('d', 1)
      expect(seen).toEqual([NOON, NOON + 3, NOON - 3600e6, NOON + 3600e6])
      const journal = await backend.store.journal({ limit: 100 })
      expect(journal.map((entry) => entry.at)).toEqual([NOON, NOON + 1, NOON + 2, NOON + 3, NOON - 3600e6, NOON + 3600e6])
      const order = journal.map((entry) => entry.hlc)
      expect(order).toEqual([...new Set(order)].sort())
    })

    test('an empty list is a commit of nothing', async () => {
      const { backend } = bench()
      const first = await commit(backend)
      expect(first).toEqual({ at: NOON, commit: expect.any(String), entries: [] })
      expect((await commit(backend)).at).toBe(NOON + 1)
    })

    test('created and deleted in one commit leaves nothing behind', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'old', text: 'the ocelot sleeps' }))
      await commit(
        backend,
        putFact({ id: 'f', text: 'Ocelot and Margay', title: 'Ocelot' }),
        putEntity({ id: 'e', name: 'Margay' }),
        { op: 'fact.delete', id: 'f', owner: 'ann' },
        { op: 'entity.delete', id: 'e', owner: 'ann' },
      )
      expect(await backend.store.counts(undefined)).toMatchObject({ facts: 1, entities: 0, edges: 0 })
      expect(await (await backend.view('ann')).links.postings('ann', ['ocelot', 'margay'], 10)).toEqual([
        { name: 'ocelot', subjects: [], mentions: [] },
        { name: 'margay', subjects: [], mentions: [] },
      ])
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    test('a fact that contradicts itself is refused, and nothing of its commit is kept', async () => {
      const { backend } = bench()
      for (const wrong of [
        { status: 'superseded' as const, validUntil: null },
        { status: 'superseded' as const, validUntil: NOON + 3600e6 },
        { validFrom: NOON, validUntil: NOON - 1 },
      ]) {
        await expect(commit(backend, putFact({ id: 'fine' }), putFact({ id: 'wrong', ...wrong }))).rejects.toMatchObject({
          code: 'invalid_input',
          message: expect.stringContaining('Fact wrong is inconsistent: it '),
        })
      }
      expect(await backend.store.facts(['fine', 'wrong'])).toEqual([])
    })
  })
}
