import { describe, expect, test } from 'vitest'
import type { Fact } from '../../src/core/facts/fact.js'
import type { FactFilter } from '../../src/ports/facets.js'
import type { PageCursor } from '../../src/ports/store.js'
import { commit, NOON, putEdge, putFact } from './samples.js'
import type { Bench } from './store.contract.js'

const DAY = 86_400_000_000
/** Everything stored is in the past. */
const THEN = NOON - 20 * DAY

export function facetsContract(bench: () => Bench): void {
  const found = async (filter: FactFilter): Promise<readonly string[]> =>
    (await bench().backend.store.browse(filter, { limit: 100 })).items.map(({ id }) => id)

  const fill = (): Promise<unknown> =>
    commit(
      bench().backend,
      putFact({ id: 'a', kind: 'rule', source: 'codex', author: 'Mara', text: 'The port is 8443', recordedAt: THEN + 1 }),
      putFact({ id: 'b', kind: 'note', source: 'codex', text: 'Portraits hang in the hall', recordedAt: THEN + DAY }),
      putFact({
        id: 'c',
        status: 'candidate',
        author: 'Jun',
        title: 'Postgres',
        text: 'ports are opened late',
        recordedAt: THEN + 2 * DAY,
      }),
      putFact({
        ...{ id: 'd', owner: 'bob', status: 'outdated', text: 'Old port', recordedAt: THEN + 2 * DAY + 5 },
        ...{ validFrom: THEN, validUntil: THEN + 3 * DAY },
      }),
      putFact({ id: 's', form: 'system', text: 'port of the store itself', recordedAt: THEN + 9 * DAY }),
    )

  describe('facets', () => {
    test('facts are found by what they are, newest first, without what the store notes itself', async () => {
      await fill()
      expect(await found({})).toEqual(['d', 'c', 'b', 'a'])
      expect(await found({ owners: ['ann'] })).toEqual(['c', 'b', 'a'])
      expect(await found({ owners: [] })).toEqual([])
      expect(await found({ statuses: ['candidate', 'outdated'] })).toEqual(['d', 'c'])
      expect(await found({ kinds: ['rule', 'note'] })).toEqual(['b', 'a'])
      expect(await found({ sources: ['codex'], kinds: ['note'] })).toEqual(['b'])
      expect(await found({ authors: ['Mara', 'Jun'] })).toEqual(['c', 'a'])
      expect(await found({ authors: [null] })).toEqual(['d', 'b'])
      expect(await found({ authors: [null, 'Jun'], owners: ['ann'] })).toEqual(['c', 'b'])
      expect(await found({ recordedFrom: THEN + DAY, recordedUntil: THEN + 2 * DAY })).toEqual(['b'])
      expect(await found({ validAt: { at: NOON } })).toEqual(['c', 'b', 'a'])
      expect(await found({ reach: { owners: [{ owner: 'bob', scopes: 'all', gardens: [], federated: false }] } })).toEqual(['d'])
    })

    test('facts are found by all of their words, the last as the beginning of one', async () => {
      await fill()
      expect(await found({ words: ['port'] })).toEqual(['d', 'c', 'b', 'a'])
      expect(await found({ words: ['port', 'is', '8443'] })).toEqual(['a'])
      expect(await found({ words: ['old', 'po'] })).toEqual(['d'])
      expect(await found({ words: ['post'], owners: ['ann'] })).toEqual(['c'])
      expect(await found({ words: ['nowhere'] })).toEqual([])
      expect(await found({ words: [] })).toEqual([])
      for (const word of ['"', "'", '*', 'a OR b', '(', ':', '\\', 'é']) expect(await found({ words: [word] })).toEqual([])
    })

    test('facts are found by the names that they are about or mention', async () => {
      await commit(
        bench().backend,
        putFact({ id: 'about', subject: 'atlas-api', text: 'It listens', recordedAt: THEN + 1 }),
        putFact({ id: 'mentions', text: 'The client of atlas-api retries', recordedAt: THEN + 2 }),
        putFact({ id: 'neither', text: 'An atlas of the api', recordedAt: THEN + 3 }),
      )
      expect(await found({ name: 'atlas api' })).toEqual(['mentions', 'about'])
    })

    test('subjects of facts are counted, and facts are found by subject', async () => {
      await commit(
        bench().backend,
        putFact({ id: 'a', subject: 'atlas-api', text: 'It listens', recordedAt: THEN + 1 }),
        putFact({ id: 'b', title: 'Atlas API', text: 'It retries', kind: 'rule', recordedAt: THEN + 2 }),
        putFact({ id: 'c', subject: 'checkout', text: 'It waits', recordedAt: THEN + 3 }),
        putFact({ id: 'd', owner: 'bob', subject: 'checkout', text: 'It blocks', recordedAt: THEN + 4 }),
        putFact({ id: 'e', text: 'About nothing', recordedAt: THEN + 5 }),
        putFact({ id: 's', form: 'system', subject: 'checkout', text: 'noted', recordedAt: THEN + 6 }),
      )
      const { store } = bench().backend
      expect(await store.subjects({}, 9)).toEqual([
        { subject: 'atlas api', label: 'Atlas API', count: 2 },
        { subject: 'checkout', label: 'checkout', count: 2 },
      ])
      expect(await store.subjects({ kinds: ['rule'] }, 9)).toEqual([{ subject: 'atlas api', label: 'Atlas API', count: 1 }])
      expect(await store.subjects({ owners: ['bob'] }, 9)).toEqual([{ subject: 'checkout', label: 'checkout', count: 1 }])
      expect(await store.subjects({}, 1)).toHaveLength(1)
      expect(await found({ subjects: ['atlas api'] })).toEqual(['b', 'a'])
      expect(await found({ subjects: ['checkout', 'atlas api'], owners: ['ann'] })).toEqual(['c', 'b', 'a'])
      expect(await found({ subjects: [] })).toEqual([])
    })

    test('pages go on behind a place, whatever is recorded or deleted before it', async () => {
      const { backend } = bench()
      await commit(backend, ...['e', 'a', 'd', 'b', 'c'].map((id) => putFact({ id })), putFact({ id: 'z', recordedAt: NOON - 5 }))
      const seen: string[] = []
      let after: PageCursor | undefined
      for (;;) {
        const page = await backend.store.browse({}, { limit: 2, ...(after === undefined ? {} : { after }) })
        seen.push(...page.items.map((fact: Fact) => fact.id))
        if (seen.length === 2)
          await commit(backend, { op: 'fact.delete', id: 'e', owner: 'ann' }, putFact({ id: 'new', recordedAt: NOON + 9 }))
        if (page.next === null) break
        after = page.next
      }
      expect(seen).toEqual(['e', 'd', 'c', 'b', 'a', 'z'])
    })

    test('each combination of values is counted once', async () => {
      await fill()
      const { store } = bench().backend
      expect(await store.facets({})).toEqual([
        { owner: 'ann', status: 'active', kind: 'note', source: 'codex', author: null, count: 1 },
        { owner: 'ann', status: 'active', kind: 'rule', source: 'codex', author: 'Mara', count: 1 },
        { owner: 'ann', status: 'candidate', kind: 'fact', source: 'test', author: 'Jun', count: 1 },
        { owner: 'bob', status: 'outdated', kind: 'fact', source: 'test', author: null, count: 1 },
      ])
      await commit(bench().backend, putFact({ id: 'e', kind: 'rule', source: 'codex', author: 'Mara', text: 'port' }))
      expect(await store.facets({ words: ['port'], kinds: ['rule'] })).toEqual([
        { owner: 'ann', status: 'active', kind: 'rule', source: 'codex', author: 'Mara', count: 2 },
      ])
    })

    test('a histogram counts what was recorded and what has ended', async () => {
      await fill()
      const query = { from: THEN, until: THEN + 10 * DAY, width: DAY }
      expect(await bench().backend.store.histogram({}, query)).toEqual([
        { at: THEN, learned: 1, ended: 0 },
        { at: THEN + DAY, learned: 1, ended: 0 },
        { at: THEN + 2 * DAY, learned: 2, ended: 0 },
        { at: THEN + 3 * DAY, learned: 0, ended: 1 },
      ])
      expect(await bench().backend.store.histogram({ kinds: ['rule'] }, { ...query, from: THEN + 1, until: THEN + 2 })).toEqual([
        { at: THEN + 1, learned: 1, ended: 0 },
      ])
    })

    test('claims that several current facts make are found, and pairs that are alike', async () => {
      const { backend } = bench()
      const claim = { kind: 'semantic', subject: 'atlas', predicate: 'port' }
      await commit(
        backend,
        putFact({ ...claim, id: 'a', text: '8080' }),
        putFact({ ...claim, id: 'b', text: '8443' }),
        putFact({ ...claim, id: 'c', predicate: 'host' }),
        putFact({ ...claim, id: 'd', owner: 'bob' }),
        putFact({ ...claim, id: 'e', owner: 'bob', status: 'outdated', validFrom: THEN, validUntil: THEN + 1 }),
      )
      const [found, ...more] = await backend.store.rivals({ limit: 9 })
      expect(more).toEqual([])
      const rivals = await backend.store.listFacts({ owner: 'ann', claim: found?.claim ?? '', limit: 9, offset: 0 })
      expect(rivals.map(({ id }) => id).sort()).toEqual(['a', 'b'])
      expect(await backend.store.rivals({ owners: ['bob'], limit: 9 })).toEqual([])
      const alike = { fromKind: 'fact', toKind: 'fact', type: 'SIMILAR_TO' } as const
      await commit(
        backend,
        putEdge({ ...alike, id: 'e1', from: 'b', to: 'a', weight: 0.8 }),
        putEdge({ ...alike, id: 'e2', from: 'c', to: 'a', weight: 0.9 }),
        putEdge({ ...alike, id: 'e3', from: 'c', to: 'b', weight: 0.5 }),
        putEdge({ ...alike, id: 'e4', from: 'c', to: 'b', type: 'RELATED_TO' }),
      )
      expect(await backend.store.alike({ least: 0.6, limit: 9 })).toEqual([
        { owner: 'ann', from: 'c', to: 'a', weight: 0.9 },
        { owner: 'ann', from: 'b', to: 'a', weight: 0.8 },
      ])
      expect(await backend.store.alike({ owners: ['bob'], least: 0, limit: 9 })).toEqual([])
    })
  })
}
