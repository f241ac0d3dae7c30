import { describe, expect, test } from 'vitest'
import {
  aFact,
  aFile,
  anEdge,
  aSource,
  commit,
  embedAll,
  everything,
  idsFound,
  idsNear,
  putEdge,
  putEntity,
  putFact,
  unit,
} from './samples.js'
import type { Bench } from './store.contract.js'

export function ownersContract(bench: () => Bench): void {
  const fill = async (): Promise<void> => {
    const { backend } = bench()
    await backend.backlog.adopt({ id: 'm', dimensions: 2, floor: 0 })
    for (const owner of ['ann', 'bob']) {
      const source = aSource({ id: `s-${owner}`, owner })
      await commit(
        backend,
        putFact({ id: `f-${owner}`, owner, text: 'Kestrel over the Marsh', title: 'Kestrel', author: 'Cy Twombly', session: 's' }),
        putEntity({ id: `e-${owner}`, owner, name: 'Marsh' }),
        putEdge({ id: `r-${owner}`, owner, from: `e-${owner}`, to: `e-${owner}` }),
        { op: 'source.put', source, files: [aFile(source, 'a.ts', ['text'])] },
      )
    }
    await embedAll(backend, () => unit(1, 1))
  }

  describe('owners', () => {
    test('an owner does not see data of another', async () => {
      const { backend } = bench()
      await fill()
      expect(await idsFound(backend, 'ann', 'kestrel')).toEqual(['f-ann'])
      expect(await idsFound(backend, 'cat', 'kestrel')).toEqual([])
      expect((await idsFound(backend, undefined, 'kestrel')).length).toBe(2)
      expect(await idsNear(backend, 'bob', unit(1, 1))).toEqual(['f-bob'])
      expect(await idsNear(backend, 'cat', unit(1, 1))).toEqual([])
      expect((await backend.store.listFacts({ owner: 'ann', limit: 10, offset: 0 })).map((fact) => fact.id)).toEqual(['f-ann'])
      expect(
        (await backend.store.listEntities({ owner: 'ann', names: ['marsh'], limit: 10, offset: 0 })).map((entity) => entity.id),
      ).toEqual(['e-ann'])
      expect((await backend.store.edges({ owner: 'ann', limit: 10 })).every((edge) => edge.owner === 'ann')).toBe(true)
      expect(await backend.store.edges({ nodes: ['e-bob'], owner: 'ann', limit: 10 })).toEqual([])
      expect((await backend.store.journal({ owner: 'bob', limit: 10 })).every((entry) => entry.target.endsWith('bob'))).toBe(true)
      expect(await (await backend.view('ann')).links.namesIn('cat', ['kestrel', 'marsh'])).toEqual([])
      expect(await (await backend.view('ann')).links.authorsIn('cat', ['cy'])).toEqual([])
      expect(await (await backend.view('ann')).links.authorsIn(undefined, ['cy'])).toEqual(['Cy Twombly'])
      const [posting] = await (await backend.view('ann')).links.postings('ann', ['kestrel'], 10)
      expect(posting?.subjects).toEqual([...(await (await backend.view('ann')).rows.ridsOf(['f-ann'])).values()])
    })

    test('nothing is changed, deleted or taken over by another', async () => {
      const { backend } = bench()
      await fill()
      const before = await everything(backend)
      await expect(commit(backend, { op: 'fact.put', fact: aFact({ id: 'f-bob', owner: 'ann', version: 2 }) })).rejects.toMatchObject({
        code: 'conflict',
      })
      await expect(commit(backend, putEntity({ id: 'e-bob', owner: 'ann', name: 'Mine', version: 2 }))).rejects.toMatchObject({
        code: 'conflict',
      })
      await expect(
        commit(backend, { op: 'edge.put', edge: anEdge({ id: 'r-bob', from: 'e-ann', to: 'e-ann', version: 2 }) }),
      ).rejects.toMatchObject({ code: 'conflict' })
      await expect(commit(backend, { op: 'source.put', source: aSource({ id: 's-bob', owner: 'ann', version: 2 }) })).rejects.toMatchObject(
        { code: 'conflict' },
      )
      for (const kind of ['fact', 'entity', 'edge', 'source'] as const) {
        const id = { fact: 'f-bob', entity: 'e-bob', edge: 'r-bob', source: 's-bob' }[kind]
        await expect(commit(backend, { op: `${kind}.delete`, id, owner: 'ann' })).rejects.toMatchObject({ code: 'conflict' })
      }
      expect(await everything(backend)).toEqual(before)
    })

    test('names are unique per owner, whatever their case and article', async () => {
      const { backend } = bench()
      await fill()
      for (const name of ['Marsh', 'the MARSH', ' marsh. ']) {
        await expect(commit(backend, putEntity({ id: 'x', name })), name).rejects.toMatchObject({ code: 'conflict' })
        await expect(commit(backend, putEntity({ id: 'x', name: 'Other', aliases: [name] })), name).rejects.toMatchObject({
          code: 'conflict',
        })
      }
      await commit(backend, putEntity({ id: 'x', owner: 'cat', name: 'Marsh' }))
      await commit(backend, putEntity({ id: 'e-ann', name: 'Fen', version: 2 }), putEntity({ id: 'y', name: 'Marsh' }))
      await commit(backend, { op: 'entity.delete', id: 'y', owner: 'ann' }, putEntity({ id: 'z', name: 'Marsh' }))
      expect((await backend.store.listEntities({ owner: 'ann', limit: 10, offset: 0 })).map((entity) => entity.name).sort()).toEqual([
        'Fen',
        'Marsh',
      ])
    })

    test('names that differ in signs alone belong to different entities, and a text that could mean either is linked to both', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putEntity({ id: 'net', name: 'Net' }),
        putEntity({ id: 'dotnet', name: '.NET', aliases: ['.NET Core', 'Net (framework)'] }),
        putFact({ id: 'f', text: 'The service was written for .net last year' }),
      )
      const links = () => backend.store.edges({ owner: 'ann', nodes: ['f'], types: ['MENTIONS_ENTITY'], limit: 10 })
      expect((await links()).map((edge) => edge.to).sort()).toEqual(['dotnet', 'net'])
      expect((await backend.store.listEntities({ owner: 'ann', keys: ['.net'], limit: 5, offset: 0 })).map((entity) => entity.id)).toEqual([
        'dotnet',
      ])
      // It keeps a name with the same mention, then loses the last one.
      await commit(backend, putEntity({ id: 'dotnet', name: '.NET', aliases: [], version: 2 }))
      expect((await links()).map((edge) => edge.to).sort()).toEqual(['dotnet', 'net'])
      await commit(backend, putEntity({ id: 'dotnet', name: 'Mono', aliases: [], version: 3 }))
      expect((await links()).map((edge) => edge.to)).toEqual(['net'])
      await commit(backend, { op: 'entity.delete', id: 'net', owner: 'ann' })
      expect(await links()).toEqual([])
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    test('a reset takes one owner, or everyone, and the journal keeps only that it happened', async () => {
      const { backend } = bench()
      await fill()
      await commit(backend, { op: 'reset', owner: 'ann', reason: 'start over' })
      expect(await backend.store.counts('ann')).toEqual({
        facts: 0,
        entities: 0,
        edges: 0,
        relations: 0,
        sources: 0,
        passages: 0,
        activeFacts: 0,
        outdatedFacts: 0,
      })
      expect(await backend.store.counts('bob')).toMatchObject({ facts: 1, entities: 1, sources: 1, passages: 1 })
      expect(await idsFound(backend, undefined, 'kestrel')).toEqual(['f-bob'])
      expect(await idsNear(backend, undefined, unit(1, 1))).toEqual(['f-bob'])
      const past = await backend.store.journal({ owner: 'ann', limit: 10 })
      expect(past.map(({ op, before, after }) => [op, before, after])).toEqual(
        ['fact.put', 'entity.put', 'edge.put', 'source.put', 'reset'].map((op) => [op, null, null]),
      )
      expect(past.at(-1)?.reason).toBe('start over')
      expect(await (await backend.view('ann')).links.namesIn('ann', ['kestrel', 'marsh'])).toEqual([])
      await commit(backend, putFact({ id: 'f-ann', text: 'kestrel again' }))
      expect(await idsFound(backend, 'ann', 'kestrel')).toEqual(['f-ann'])
      await commit(backend, putFact({ id: 'brief', text: 'Kestrel and Marsh' }), { op: 'reset', owner: null })
      expect(await backend.store.counts(undefined)).toMatchObject({ facts: 0, entities: 0, edges: 0, sources: 0, passages: 0 })
      expect((await backend.store.journal({ newestFirst: true, limit: 1 }))[0]).toMatchObject({
        op: 'reset',
        owner: '*',
        target: '*',
        targetKind: 'store',
      })
      expect(await idsFound(backend, undefined, 'kestrel')).toEqual([])
      expect(await idsNear(backend, undefined, unit(1, 1))).toEqual([])
      expect(await backend.maintenance.diagnose()).toEqual([])
    })
  })
}
