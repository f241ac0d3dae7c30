import { describe, expect, test } from 'vitest'
import type { FactQuery } from '../../src/ports/store.js'
import { aFact, anEdge, anEntity, commit, idsFound, NOON, putEdge, putEntity, putFact } from './samples.js'
import type { Bench } from './store.contract.js'

export function readsContract(bench: () => Bench): void {
  const list = async (query: Partial<FactQuery>): Promise<readonly string[]> =>
    (await bench().backend.store.listFacts({ limit: 100, offset: 0, ...query })).map((fact) => fact.id)

  describe('reads', () => {
    test('rows by id come in the requested order, without unknown ones, hundreds at once', async () => {
      const { backend } = bench()
      const ids = Array.from({ length: 700 }, (_, i) => `f${i}`)
      await commit(backend, ...ids.map((id) => putFact({ id, text: 'x' })))
      const wanted = [...ids].reverse().flatMap((id) => [id, `no-${id}`])
      expect((await backend.store.facts(wanted)).map((fact) => fact.id)).toEqual([...ids].reverse())
      expect((await (await backend.view('ann')).rows.ridsOf(wanted)).size).toBe(700)
      expect(await backend.store.facts([])).toEqual([])
      expect(await backend.store.entities(['absent'])).toEqual([])
      expect(await backend.store.edgesById(['nothing'])).toEqual([])
    })

    test('row numbers are never used again', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'a' }), putFact({ id: 'b' }))
      const [a, b] = [...(await (await backend.view('ann')).rows.ridsOf(['a', 'b'])).values()]
      await commit(backend, { op: 'fact.delete', id: 'b', owner: 'ann' }, putFact({ id: 'c' }))
      const c = (await (await backend.view('ann')).rows.ridsOf(['c'])).get('c') ?? 0
      expect(c).toBeGreaterThan(Math.max(a ?? 0, b ?? 0))
      expect(await (await backend.view('ann')).rows.idsOf([a ?? 0, b ?? 0, c])).toEqual(
        new Map([
          [a, 'a'],
          [c, 'c'],
        ]),
      )
    })

    test('lists filter, order and page', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', session: 's1', subject: 'user:1', recordedAt: NOON + 1 }),
        putFact({ id: 'b', session: 's1', status: 'outdated', validFrom: NOON - 99, validUntil: NOON - 50, recordedAt: NOON + 2 }),
        putFact({ id: 'c', session: 's2', expiresAt: NOON + 100, recordedAt: NOON + 3 }),
        putFact({ id: 'd', owner: 'bob', validFrom: NOON + 200, recordedAt: NOON + 4 }),
      )
      expect(await list({})).toEqual(['d', 'c', 'b', 'a'])
      expect(await list({ oldestFirst: true })).toEqual(['a', 'b', 'c', 'd'])
      expect(await list({ limit: 2, offset: 1 })).toEqual(['c', 'b'])
      expect(await list({ limit: 2, offset: 4 })).toEqual([])
      expect(await list({ owner: 'ann' })).toEqual(['c', 'b', 'a'])
      expect(await list({ session: 's1' })).toEqual(['b', 'a'])
      expect(await list({ status: 'outdated' })).toEqual(['b'])
      expect(await list({ subject: 'user:1' })).toEqual(['a'])
      expect(await list({ recordedAfter: NOON + 2 })).toEqual(['d', 'c'])
      expect(await backend.store.countFacts({ owner: 'ann', session: 's1', status: 'active' })).toBe(1)
      expect(await backend.store.counts('ann')).toEqual({
        facts: 3,
        entities: 0,
        edges: 0,
        relations: 0,
        sources: 0,
        passages: 0,
        activeFacts: 2,
        outdatedFacts: 1,
      })
    })

    test('pages keep the order of recording and miss nothing when rows before them go', async () => {
      const { backend } = bench()
      // Ids in the reverse order of storing: at one instant the row decides.
      const facts = ['z', 'y', 'x', 'w', 'v', 'u']
      await commit(
        backend,
        ...facts.map((id) => putFact({ id, text: 'x' })),
        putFact({ id: 'old', recordedAt: NOON - 1 }),
        putFact({ id: 'b', owner: 'bob' }),
      )
      await commit(
        backend,
        ...['e3', 'e1', 'e2', 'e4'].map((id) => putEntity({ id, name: `name ${id}` })),
        putEntity({ id: 'e0', name: 'late', createdAt: NOON + 1 }),
      )
      const first = await backend.store.pageFacts({ owner: 'ann', limit: 3 })
      expect(first.items.map((fact) => fact.id)).toEqual(['old', 'z', 'y'])
      await commit(
        backend,
        { op: 'fact.delete', id: 'old', owner: 'ann' },
        { op: 'fact.delete', id: 'y', owner: 'ann' },
        { op: 'fact.delete', id: 'w', owner: 'ann' },
      )
      const rest = await backend.store.pageFacts({ owner: 'ann', limit: 10, ...(first.next === null ? {} : { after: first.next }) })
      expect([rest.items.map((fact) => fact.id), rest.next]).toEqual([['x', 'v', 'u'], null])
      const two = await backend.store.pageEntities({ limit: 2 })
      await commit(backend, { op: 'entity.delete', id: 'e1', owner: 'ann' }, { op: 'entity.delete', id: 'e2', owner: 'ann' })
      const others = await backend.store.pageEntities({ limit: 10, ...(two.next === null ? {} : { after: two.next }) })
      expect([...two.items, ...others.items].map((entity) => entity.id)).toEqual(['e1', 'e2', 'e3', 'e4', 'e0'])
      expect((await backend.store.pageFacts({ owner: 'absent', limit: 5 })).next).toBeNull()
    })

    test('validity is half open, and expiry ends it', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'w', validFrom: NOON, validUntil: NOON + 10 }),
        putFact({ id: 'x', validFrom: NOON, expiresAt: NOON + 5 }),
      )
      const index = async (offset: number) => (await list({ validAt: { at: NOON + offset }, oldestFirst: true })).join('')
      expect([await index(-1), await index(0), await index(4), await index(5), await index(9), await index(10)]).toEqual([
        '',
        'wx',
        'wx',
        'w',
        'w',
        '',
      ])
    })

    test('entities by name or alias, edges by ends, kinds and types', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putEntity({ id: 'e1', name: 'The Acme Corp (holding)', aliases: ['ACME'], createdAt: NOON + 1 }),
        putEntity({ id: 'e2', name: 'Böb', createdAt: NOON + 2 }),
        putFact({ id: 'f' }),
        putEdge({ id: 'r1', from: 'e1', to: 'e2', createdAt: NOON + 1 }),
        putEdge({ id: 'r2', from: 'e2', to: 'e1', type: 'OWNS', createdAt: NOON + 3 }),
        putEdge({ id: 'r3', from: 'f', fromKind: 'fact', to: 'e1', createdAt: NOON + 2 }),
      )
      const entities = async (names?: readonly string[]) =>
        (await backend.store.listEntities({ owner: 'ann', limit: 10, offset: 0, ...(names === undefined ? {} : { names }) })).map(
          (entity) => entity.id,
        )
      expect(await entities()).toEqual(['e2', 'e1'])
      expect(await entities(['acme corp', 'acme', 'absent'])).toEqual(['e1'])
      expect(await entities(['bob'])).toEqual(['e2'])
      expect(await entities([])).toEqual([])
      const edges = async (query: Partial<Parameters<typeof backend.store.edges>[0]>) =>
        (await backend.store.edges({ limit: 10, ...query })).map((edge) => edge.id)
      expect(await edges({})).toEqual(['r1', 'r3', 'r2'])
      expect(await edges({ limit: 2 })).toEqual(['r1', 'r3'])
      expect(await edges({ nodes: ['e1'] })).toEqual(['r1', 'r3', 'r2'])
      expect(await edges({ nodes: ['e1'], limit: 2 })).toEqual(['r1', 'r3'])
      expect(await edges({ nodes: ['e1'], direction: 'outgoing' })).toEqual(['r1'])
      expect(await edges({ nodes: ['e1'], direction: 'incoming' })).toEqual(['r3', 'r2'])
      expect(await edges({ nodes: ['e1', 'e2'], types: ['OWNS'] })).toEqual(['r2'])
      expect(await edges({ nodes: [] })).toEqual([])
      expect(await edges({ from: 'e2', to: 'e1' })).toEqual(['r2'])
      expect(await edges({ betweenKinds: ['fact', 'entity'] })).toEqual(['r3'])
    })

    test('a text with NUL, which not every database can keep, is refused by all', async () => {
      const { backend } = bench()
      const values = [
        putFact({ id: 'a', text: 'end\u0000' }),
        putFact({ id: 'a\u0000' }),
        putEntity({ id: 'e', name: 'A\u0000' }),
        putEdge({ id: 'r', from: 'e', to: 'e', type: '\u0000' }),
      ]
      for (const change of values)
        await expect(commit(backend, putFact({ id: 'fine' }), change)).rejects.toMatchObject({
          code: 'invalid_input',
          message: expect.stringContaining('NUL'),
        })
      expect(await backend.store.facts(['a', 'fine'])).toEqual([])
    })

    test('every field comes back as it went in, whatever it holds', async () => {
      const { backend } = bench()
      const text = '"quotes\' \\ %_*? 日本語 ٣ 👩‍👩‍👧 e\u0301 \u{10ffff} \r\n\t AND OR NOT NEAR( title:'
      const fact = aFact({
        id: 'id with spaces and 💥',
        text,
        kind: text,
        title: text,
        subject: text,
        predicate: text,
        author: text,
        session: text,
        date: text,
        value: { deep: [[{ null: null, no: false, big: 1e308, tiny: 5e-324, text }]] },
        scope: 'company',
        garden: text,
        status: 'contested',
        confidence: 0.1,
        importance: 1 / 3,
        source: text,
        reason: text,
        eventAt: 1,
        validFrom: 2,
        validUntil: 2 ** 53 - 1,
        recordedAt: 4,
        updatedAt: 5,
        expiresAt: 2 ** 53 - 2,
        ttlDays: 0.5,
        supersededBy: text,
        derivedFrom: ['a', text],
        metadata: { [text]: { inner: null, nul: 'a\u0000b' } },
        autoLink: false,
        dedupAt: 7,
      })
      const entity = anEntity({
        id: 'e',
        name: text,
        type: text,
        description: text,
        aliases: ['Q', text],
        uri: text,
        status: 'stale',
        source: text,
        metadata: { n: null },
        expiresAt: 1,
        ttlDays: 2,
      })
      const edge = anEdge({
        id: 'r',
        from: 'e',
        to: fact.id,
        toKind: 'fact',
        type: text,
        trust: 0.25,
        properties: { [text]: [1] },
        factId: fact.id,
        validUntil: 3,
      })
      await commit(backend, { op: 'fact.put', fact }, { op: 'entity.put', entity }, { op: 'edge.put', edge })
      expect(await backend.store.facts([fact.id])).toEqual([fact])
      expect(await backend.store.entities(['e'])).toEqual([entity])
      expect(await backend.store.edgesById(['r'])).toEqual([edge])
    })

    test('values as large as a caller may send', async () => {
      const { backend } = bench()
      const text = `${'lorem ipsum '.repeat(900_000)}needle`
      await commit(backend, putFact({ id: 'large', text, metadata: { text } }))
      expect((await backend.store.facts(['large']))[0]?.text).toBe(text)
      expect(await idsFound(backend, 'ann', 'needl')).toEqual(['large'])
    })

    test('search sees titles, texts and authors, and is never confused by query syntax', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', text: 'The heron waits', author: 'Ann Lee' }),
        putFact({ id: 'b', text: 'nothing', title: 'Heron colonies' }),
        putFact({ id: 'c', text: 'herons; herons', validFrom: NOON + 1e12 }),
      )
      expect(await idsFound(backend, 'ann', 'heron')).toEqual(['b', 'a'])
      expect(await idsFound(backend, 'ann', 'lee')).toEqual(['a'])
      expect(await idsFound(backend, 'ann', '" OR 1', '*', 'NEAR(')).toEqual([])
      await commit(backend, putFact({ id: 'a', text: 'The egret waits', author: 'Ann Lee', version: 2 }))
      expect(await idsFound(backend, 'ann', 'heron')).toEqual(['b'])
      expect(await idsFound(backend, 'ann', 'egret')).toEqual(['a'])
    })
  })
}
