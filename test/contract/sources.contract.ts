import { describe, expect, test, vi } from 'vitest'
import { CAPTURED_URI_PREFIX } from '../../src/core/graph/names.js'
import { EVENTUALLY } from '../eventually.js'
import { aFile, anEntity, aSource, commit, goneFile, NOON, putEdge, putEntity, putFact, unit } from './samples.js'
import type { Bench } from './store.contract.js'

export function sourcesContract(bench: () => Bench): void {
  const waiting = async () => (await bench().backend.backlog.next('passages', 100)).map((text) => text.text)

  describe('sources', () => {
    test('files are replaced and removed as a whole', async () => {
      const { backend } = bench()
      const source = aSource({ id: 's' })
      await commit(backend, { op: 'source.put', source, files: [aFile(source, 'a.ts', ['a0', 'a1']), aFile(source, 'b.ts', ['b0'])] })
      expect(await waiting()).toEqual(['to embed: a0', 'to embed: a1', 'to embed: b0'])
      await commit(backend, {
        op: 'source.put',
        source: { ...source, version: 2 },
        files: [aFile(source, 'a.ts', ['a2']), goneFile('b.ts')],
      })
      expect(await waiting()).toEqual(['to embed: a2'])
      expect(await backend.store.counts('ann')).toMatchObject({ sources: 1, passages: 1 })
      await commit(backend, { op: 'source.put', source: { ...source, version: 3 } })
      expect(await waiting()).toEqual(['to embed: a2'])
    })

    test('the journal has one entry for a source, however many files it brought', async () => {
      const { backend } = bench()
      const source = aSource({ id: 's' })
      await commit(backend, {
        op: 'source.put',
        source,
        files: [aFile(source, 'a.ts', ['a0']), aFile(source, 'b.ts', ['b0'])],
        reason: 'indexed',
      })
      const entries = await backend.store.journal({ limit: 10 })
      expect(entries).toHaveLength(1)
      expect(entries[0]).toMatchObject({
        op: 'source.put',
        target: 's',
        targetKind: 'source',
        before: null,
        after: { id: 's', files: 2 },
        reason: 'indexed',
      })
    })

    test('a passage id that is taken fails the whole commit', async () => {
      const { backend } = bench()
      const [source, two] = [aSource({ id: 's' }), aSource({ id: 't' })]
      await commit(backend, { op: 'source.put', source: source, files: [aFile(source, 'a.ts', ['a0'])] })
      const stolen = aFile(source, 'a.ts', ['mine'])
      await expect(commit(backend, { op: 'source.put', source: two, files: [stolen] })).rejects.toMatchObject({ code: 'conflict' })
      expect(await backend.store.counts('ann')).toMatchObject({ sources: 1, passages: 1 })
    })

    test('a deleted source takes its passages, vectors and edges along', async () => {
      const { backend } = bench()
      const source = aSource({ id: 's' })
      await backend.backlog.adopt({ id: 'm', dimensions: 2, floor: 0 })
      await commit(
        backend,
        { op: 'source.put', source, files: [aFile(source, 'a.ts', ['a0'])] },
        putEdge({ id: 'r', from: 's', fromKind: 'source', to: 's', toKind: 'source' }),
      )
      const passages = await backend.backlog.next('passages', 10)
      expect(
        await backend.backlog.fill(
          'passages',
          passages.map(({ owner, rid, id, version }) => ({ owner, rid, id, version, vector: unit(1, 2) })),
        ),
      ).toBe(1)
      expect(await backend.backlog.pending('passages')).toBe(0)
      await commit(backend, { op: 'source.delete', id: 's', owner: 'ann' })
      expect(await backend.store.counts('ann')).toMatchObject({ sources: 0, passages: 0, edges: 0 })
      expect((await backend.store.journal({ limit: 10 })).map(({ op, after }) => [op, after])).toEqual([
        ['source.put', null],
        ['edge.put', null],
        ['source.delete', null],
        ['edge.delete', null],
      ])
      await commit(backend, { op: 'source.put', source, files: [aFile(source, 'a.ts', ['a0'])] })
      expect(await waiting()).toEqual(['to embed: a0'])
    })

    test('sources and what they hold are read back as they were put, of any kind', async () => {
      const { backend } = bench()
      const folder = aSource({ id: 's' })
      const page = aSource({ id: 'p', kind: 'web', title: 'A page', origin: 'https://example.org/', owner: 'bob', createdAt: NOON + 1 })
      const [paged] = aFile(page, 'page', ['first']).passages
      const held = {
        ...aFile(page, 'page', ['first']),
        passages: paged === undefined ? [] : [{ ...paged, locator: { heading: ['Intro'], page: 3 } }],
      }
      await commit(
        backend,
        { op: 'source.put', source: folder, files: [aFile(folder, 'b.ts', ['b0']), aFile(folder, 'a.ts', ['a0', 'a1'])] },
        { op: 'source.put', source: page, files: [held] },
      )
      expect(await backend.store.sources(['p', 'none', 's'])).toEqual([page, folder])
      expect(await backend.store.pageSources({ limit: 1 })).toMatchObject({ items: [folder], next: expect.anything() })
      expect(await backend.store.pageSources({ owner: 'bob', limit: 9 })).toEqual({ items: [page], next: null })
      expect(await backend.store.sourceFiles('s', { after: '', limit: 9 })).toEqual([
        aFile(folder, 'a.ts', ['a0', 'a1']),
        aFile(folder, 'b.ts', ['b0']),
      ])
      expect((await backend.store.sourceFiles('s', { after: 'a.ts', limit: 9 })).map(({ path }) => path)).toEqual(['b.ts'])
      expect(await backend.store.sourceFiles('p', { after: '', limit: 9 })).toEqual([held])
      const range = async (path: string, from: number, limit: number) =>
        (await backend.store.passages('s', { path, from, limit })).map(({ text }) => text)
      expect([await range('a.ts', 0, 9), await range('a.ts', 1, 9), await range('a.ts', 0, 1), await range('c.ts', 0, 9)]).toEqual([
        ['a0', 'a1'],
        ['a1'],
        ['a0'],
        [],
      ])
      expect(await backend.store.passages('p', { path: 'page', from: 0, limit: 9 })).toEqual(held.passages)
    })

    test('captured sources may share a name, are not mentioned by texts, and get no vector', async () => {
      const { backend } = bench()
      const captured = anEntity({ id: 'n', name: 'otter', uri: `${CAPTURED_URI_PREFIX}module/otter` })
      await commit(
        backend,
        putFact({ id: 'f', text: 'An otter swims by.' }),
        { op: 'entity.put', entity: captured },
        { op: 'entity.put', entity: { ...captured, id: 'm', uri: `${CAPTURED_URI_PREFIX}module/other` } },
      )
      await commit(backend, putFact({ id: 'g', text: 'The otter is back.' }))
      await commit(backend, { op: 'entity.put', entity: { ...captured, name: 'otters', version: 2 } })
      expect(await backend.store.edges({ owner: 'ann', limit: 9 })).toEqual([])
      expect(await backend.graph.entitiesToEmbed('ann', 9)).toEqual([])
      await commit(backend, putEntity({ id: 'e', name: 'otter' }))
      await vi.waitFor(
        async () => expect((await backend.store.edges({ owner: 'ann', limit: 9 })).map(({ to }) => to)).toEqual(['e', 'e']),
        EVENTUALLY,
      )
      expect((await backend.graph.entitiesToEmbed('ann', 9)).map(({ id }) => id)).toEqual(['e'])
      await commit(backend, { op: 'entity.delete', id: 'n', owner: 'ann' })
      expect(await backend.store.edges({ owner: 'ann', limit: 9 })).toHaveLength(2)
    })

    test('code is searched without other sources, and they are followed like code', async () => {
      const { backend } = bench()
      const search = async (sourceKinds?: readonly string[]): Promise<readonly string[]> => {
        const question = {
          terms: ['otter'],
          fields: { title: 1, text: 1, near: 0, far: 0 },
          vector: undefined,
          rough: new Float32Array(1),
          names: [],
          limit: 9,
        }
        const { candidates } = await backend.code.search({ ...question, pool: { sourceKinds } })
        const places = await backend.code.passages(candidates.filter(({ bm25 }) => bm25 > 0).map(({ rid }) => rid))
        return places.map(({ passage }) => passage.sourceId).sort()
      }
      const folder = aSource({ id: 's' })
      await commit(backend, { op: 'source.put', source: folder, files: [aFile(folder, 'a.ts', ['otter one'])] })
      expect(await search(['repo'])).toEqual(['s'])
      const page = aSource({ id: 'p', kind: 'web', title: 'A page', origin: 'https://example.org/' })
      await commit(backend, { op: 'source.put', source: page, files: [aFile(page, 'page', ['otter two'])] })
      expect([await search(['repo']), await search(['web']), await search()]).toEqual([['s'], ['p'], ['p', 's']])
      await commit(backend, { op: 'source.delete', id: 'p', owner: 'ann' })
      expect([await search(['web']), await search()]).toEqual([[], ['s']])
    })
  })
}
