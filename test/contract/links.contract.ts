import { describe, expect, test } from 'vitest'
import { commit, everything, putEntity, putFact, ridOf } from './samples.js'
import type { Bench } from './store.contract.js'

export function linksContract(bench: () => Bench): void {
  const mentionEdges = async (): Promise<readonly string[]> => {
    const edges = await bench().backend.store.edges({ types: ['MENTIONS_ENTITY'], limit: 100 })
    return edges.map((edge) => `${edge.from} -> ${edge.to}`).sort()
  }
  const mentionsOf = async (id: string): Promise<readonly string[]> => {
    const { backend } = bench()
    const rid = await ridOf(backend, id)
    return [...((await (await backend.view('ann')).links.mentions([rid])).get(rid) ?? [])].sort()
  }

  describe('links', () => {
    test('a fact is linked to the entities it names, whichever came first', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'before', text: 'we asked the acme corp about pumps' }))
      await commit(backend, putEntity({ id: 'acme', name: 'Acme Corp', aliases: ['ACM'] }))
      await commit(backend, putFact({ id: 'after', text: 'ACM answered' }), putFact({ id: 'neither', text: 'corp acme, acmecorp' }))
      expect(await mentionEdges()).toEqual(['after -> acme', 'before -> acme'])
      const [edge] = await backend.store.edges({ nodes: ['before'], limit: 1 })
      expect(edge).toMatchObject({
        owner: 'ann',
        fromKind: 'fact',
        toKind: 'entity',
        weight: 1,
        confidence: 1,
        properties: { auto_linked: true },
        version: 1,
      })
      expect(await backend.store.counts('ann')).toMatchObject({ edges: 2, relations: 0 })
      expect((await backend.store.journal({ limit: 10 })).map((entry) => entry.op)).toEqual([
        'fact.put',
        'entity.put',
        'fact.put',
        'fact.put',
      ])
    })

    test('facts and entities of one commit find each other in any order', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', text: 'the otter and the heron' }),
        putEntity({ id: 'o', name: 'otter' }),
        putFact({ id: 'h', title: 'Heron', text: 'a bird' }),
      )
      expect(await mentionEdges()).toEqual(['a -> o'])
      expect(await mentionsOf('a')).toEqual(['heron', 'otter'])
      const [heron] = await (await backend.view('ann')).links.postings('ann', ['heron'], 10)
      expect(heron).toEqual({ name: 'heron', subjects: [await ridOf(backend, 'h')], mentions: [await ridOf(backend, 'a')] })
    })

    test('a name in a text is a mention even if no entity has it', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', text: 'We met Maria van der Berg to fix parse_header in src/net/http.ts, see https://example.org/x' }),
      )
      expect(await mentionsOf('a')).toEqual(
        expect.arrayContaining(['maria van der berg', 'parse_header', 'src net http ts', 'https example org x']),
      )
      expect(await mentionEdges()).toEqual([])
    })

    test('a changed text, a renamed entity and a deletion take their links along', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', text: 'otter and heron' }),
        putFact({ id: 'b', text: 'only the heron' }),
        putEntity({ id: 'o', name: 'Otter', aliases: ['heron'] }),
      )
      expect(await mentionEdges()).toEqual(['a -> o', 'b -> o'])
      await commit(backend, putEntity({ id: 'o', name: 'Otter', version: 2 }))
      expect(await mentionEdges()).toEqual(['a -> o'])
      expect(await mentionsOf('b')).toEqual([])
      await commit(backend, putFact({ id: 'a', text: 'a stoat', version: 2 }), putFact({ id: 'b', text: 'only the otter', version: 2 }))
      expect(await mentionEdges()).toEqual(['b -> o'])
      expect(await mentionsOf('a')).toEqual([])
      await commit(backend, { op: 'entity.delete', id: 'o', owner: 'ann' })
      expect(await mentionEdges()).toEqual([])
      expect(await mentionsOf('b')).toEqual([])
      expect(await (await backend.view('ann')).links.namesIn('ann', ['otter'])).toEqual([])
    })

    test('facts that want no links get none, now or later', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'a', text: 'Otter', autoLink: false }), putEntity({ id: 'o', name: 'Otter' }))
      expect(await mentionEdges()).toEqual([])
      expect(await mentionsOf('a')).toEqual([])
      await commit(backend, putFact({ id: 'a', text: 'Otter', version: 2 }))
      expect(await mentionEdges()).toEqual(['a -> o'])
      await commit(backend, putFact({ id: 'a', text: 'Otter', autoLink: false, version: 3 }))
      expect(await mentionEdges()).toEqual([])
    })

    test('names too plain to mean anything link nothing', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putEntity({ id: 'it', name: 'IT' }),
        putEntity({ id: 'n', name: '42' }),
        putEntity({ id: 's', name: '🎉 !?' }),
        putEntity({ id: 'u', name: '__' }),
      )
      await commit(backend, putFact({ id: 'a', text: 'it is 42 🎉 !? __' }), putFact({ id: 'b', title: '🎉 !?', text: 'x' }))
      expect(await mentionEdges()).toEqual([])
      expect((await backend.store.listEntities({ owner: 'ann', names: ['it'], limit: 5, offset: 0 })).map((entity) => entity.id)).toEqual([
        'it',
      ])
    })

    test('a name stays known while anything still bears it', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', title: 'Otter', text: 'x' }),
        putFact({ id: 'b', title: 'The Otter', text: 'y' }),
        putEntity({ id: 'o', name: 'otter' }),
      )
      const known = async () => (await backend.view('ann')).links.namesIn('ann', ['the', 'otter', 'swims'])
      await commit(backend, { op: 'fact.delete', id: 'a', owner: 'ann' })
      expect(await known()).toEqual(['otter'])
      await commit(backend, { op: 'entity.delete', id: 'o', owner: 'ann' })
      expect(await known()).toEqual(['otter'])
      await commit(backend, putFact({ id: 'b', title: 'Stoat', text: 'y', version: 2 }))
      expect(await known()).toEqual([])
    })

    test('the longest known name wins', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putEntity({ id: 'y', name: 'york' }),
        putEntity({ id: 'ny', name: 'new york' }),
        putFact({ id: 'a', text: 'off to new york, not york' }),
      )
      expect(await (await backend.view('ann')).links.namesIn('ann', ['new', 'york', 'city'])).toEqual(['new york'])
      expect(await mentionEdges()).toEqual(['a -> ny', 'a -> y'])
    })

    test('authors are known by their first name while a fact of theirs is there', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', author: 'Ann Lee' }),
        putFact({ id: 'b', author: 'Ann Lee' }),
        putFact({ id: 'c', author: 'Ann Ray' }),
      )
      expect([...(await (await backend.view('ann')).links.authorsIn('ann', ['ann', 'lee']))].sort()).toEqual(['Ann Lee', 'Ann Ray'])
      await commit(backend, { op: 'fact.delete', id: 'a', owner: 'ann' }, putFact({ id: 'c', author: null, version: 2 }))
      expect(await (await backend.view('ann')).links.authorsIn('ann', ['ann'])).toEqual(['Ann Lee'])
    })

    test('surroundings are the turns of the same session and owner, clipped', async () => {
      const { backend } = bench()
      const put = (id: string, text: string, session: string | null, more = {}) => putFact({ id, text, session, ...more })
      await commit(
        backend,
        put('a', 'first turn', 's', { author: 'Ann' }),
        put('x', 'elsewhere', 't'),
        put('z', 'foreign', 's', { owner: 'bob' }),
      )
      await commit(
        backend,
        put('b', 'second turn', 's', { author: 'Bob' }),
        put('c', 'third turn 🎉', 's'),
        put('n', 'alone', null, { title: 'T' }),
      )
      const rids = await Promise.all(['a', 'b', 'c', 'n'].map((id) => ridOf(backend, id)))
      const found = await (await backend.view('ann')).links.surroundings([...rids, 999], 6)
      expect(rids.map((rid) => found.get(rid))).toEqual([
        { title: null, author: 'Ann', text: 'first ', before: null, after: { author: 'Bob', text: 'second' } },
        { title: null, author: 'Bob', text: 'second', before: { author: 'Ann', text: 't turn' }, after: { author: null, text: 'third ' } },
        { title: null, author: null, text: 'third ', before: { author: 'Bob', text: 'd turn' }, after: null },
        { title: 'T', author: null, text: 'alone', before: null, after: null },
      ])
      expect(found.size).toBe(4)
    })

    test('sketches hold what ranking looks at', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', title: 'The Otter', author: 'Ann', expiresAt: 9e15 }),
        putFact({ id: 'b', text: 'def f(x):\n  return x(1)' }),
      )
      const rids = [await ridOf(backend, 'b'), 999, await ridOf(backend, 'a')]
      const sketches = await (await backend.view('ann')).links.sketches(rids)
      expect(sketches.map(({ id, subject, author, isCode, expiresAt }) => ({ id, subject, author, isCode, expiresAt }))).toEqual([
        { id: 'b', subject: null, author: null, isCode: true, expiresAt: null },
        { id: 'a', subject: 'otter', author: 'Ann', isCode: false, expiresAt: 9e15 },
      ])
    })

    test('postings are cut one after the limit', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putEntity({ id: 'o', name: 'otter' }),
        ...Array.from({ length: 5 }, (_, i) => putFact({ id: `f${i}`, text: 'an otter' })),
      )
      const [posting] = await (await backend.view('ann')).links.postings('ann', ['otter'], 2)
      expect(posting?.mentions).toHaveLength(3)
    })

    test('rebuilding all links changes nothing', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a', text: 'Otter at ACME, see parseHeader', title: 'River' }),
        putEntity({ id: 'o', name: 'otter' }),
      )
      await commit(backend, putFact({ id: 'b', text: 'the river', autoLink: false }))
      const before = await everything(backend)
      const steps: number[] = []
      expect(await backend.maintenance.relink((done) => steps.push(done), new AbortController().signal)).toBe(2)
      expect(await backend.maintenance.reterm(() => {}, new AbortController().signal)).toBe(2)
      expect(await everything(backend)).toEqual(before)
      expect(await backend.maintenance.diagnose()).toEqual([])
    })
  })
}
