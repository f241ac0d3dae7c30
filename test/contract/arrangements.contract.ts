import { describe, expect, test } from 'vitest'
import { type AccessFilter, canReadFact } from '../../src/core/access/access-filter.js'
import type { ControlRecord } from '../../src/core/access/control-record.js'
import type { Change } from '../../src/core/journal/change.js'
import { commit, putFact } from './samples.js'
import type { Bench } from './store.contract.js'

const aKey = (input: Partial<ControlRecord> = {}): ControlRecord => ({
  kind: 'key',
  id: 'k1',
  owner: 'ann',
  name: null,
  data: { rights: ['read'] },
  createdAt: 1,
  updatedAt: 1,
  version: 1,
  ...input,
})
const put = (arrangement: ControlRecord, digest?: string): Change => ({
  op: 'arrangement.put',
  arrangement,
  ...(digest === undefined ? {} : { digest }),
})

export function arrangementsContract(bench: () => Bench): void {
  describe('arrangements', () => {
    test('are kept, changed by version, listed oldest first, and leave no secret in the journal', async () => {
      const { store } = bench().backend
      const before = await store.arrangementsMark()
      await commit(bench().backend, put(aKey(), 'digest-1'), put(aKey({ id: 'k2', owner: 'bob', createdAt: 2 }), 'digest-2'))
      await commit(bench().backend, put(aKey({ kind: 'garden', id: 'g1', name: 'den', data: {} })))
      expect((await store.arrangements({ kind: 'key' })).map(({ id }) => id)).toEqual(['k1', 'k2'])
      expect(await store.arrangements({ kind: 'key', owner: 'ann' })).toEqual([aKey()])
      expect((await store.arrangements({ kind: 'garden', owner: 'ann', name: 'den' })).map(({ id }) => id)).toEqual(['g1'])
      expect(await store.digestOf('key', 'k1')).toBe('digest-1')
      expect(await store.digestOf('key', 'k9')).toBeUndefined()
      await commit(bench().backend, put(aKey({ data: { revoked: true }, version: 2 })))
      expect(await store.digestOf('key', 'k1')).toBe('digest-1')
      expect(await store.arrangementsMark()).toBeGreaterThan(before)
      const entries = await store.journal({ target: 'k1', limit: 10 })
      expect(entries.map(({ op, targetKind, owner }) => [op, targetKind, owner])).toEqual([
        ['arrangement.put', 'key', 'ann'],
        ['arrangement.put', 'key', 'ann'],
      ])
      expect(entries[1]?.before).toMatchObject({ data: { rights: ['read'] } })
      expect(JSON.stringify(await store.journal({ limit: 100 }))).not.toContain('digest-1')
    })

    test('a version that does not follow and a name that is taken are refused, and nothing is changed', async () => {
      const { backend } = bench()
      await commit(backend, put(aKey({ kind: 'garden', id: 'g1', name: 'den' })))
      for (const change of [
        put(aKey({ kind: 'garden', id: 'g1', name: 'den' })),
        put(aKey({ kind: 'garden', id: 'g1', name: 'den', version: 2, owner: 'bob' })),
        put(aKey({ kind: 'garden', id: 'g2', name: 'den' })),
        { op: 'arrangement.delete', kind: 'garden', id: 'g1', owner: 'bob' } as const,
      ])
        await expect(commit(backend, change)).rejects.toMatchObject({ code: 'conflict' })
      await commit(backend, put(aKey({ kind: 'garden', id: 'g2', owner: 'bob', name: 'den' })))
      expect((await backend.store.arrangements({ kind: 'garden' })).map(({ id }) => id).sort()).toEqual(['g1', 'g2'])
    })

    test('deleting one empties what the journal said about it', async () => {
      const { backend } = bench()
      await commit(backend, put(aKey({ kind: 'peer', id: 'p1' })))
      await commit(backend, { op: 'arrangement.delete', kind: 'peer', id: 'p1', owner: 'ann', reason: 'moved' })
      expect(await backend.store.arrangements({ kind: 'peer' })).toEqual([])
      const entries = await backend.store.journal({ target: 'p1', limit: 10 })
      expect(entries.map(({ op, before, after, reason }) => [op, before, after, reason])).toEqual([
        ['arrangement.put', null, null, null],
        ['arrangement.delete', null, null, 'moved'],
      ])
    })

    test('a reset of an owner leaves keys and gardens as they are', async () => {
      const { backend } = bench()
      await commit(backend, put(aKey(), 'digest-1'))
      await commit(backend, { op: 'reset', owner: null })
      expect((await backend.store.arrangements({ kind: 'key' })).map(({ id }) => id)).toEqual(['k1'])
      expect(await backend.store.digestOf('key', 'k1')).toBe('digest-1')
    })

    test('a denial is kept and changes nothing', async () => {
      const { backend } = bench()
      await commit(backend, { op: 'denial', owner: 'ann', who: 'k1', reason: 'write' })
      const [entry] = await backend.store.journal({ target: 'k1', limit: 10 })
      expect([entry?.op, entry?.targetKind, entry?.owner, entry?.reason]).toEqual(['denial', 'door', 'ann', 'write'])
    })

    test('a nonce counts once, until its time is over', async () => {
      const { backend, clock } = bench()
      const now = clock.now()
      expect(await backend.store.useNonce('p1', 'n', now + 10_000_000)).toBe(true)
      expect(await backend.store.useNonce('p1', 'n', now + 10_000_000)).toBe(false)
      expect(await backend.store.useNonce('p2', 'n', now + 10_000_000)).toBe(true)
    })

    test('a reach in a question for facts is what the rule says of each', async () => {
      const { backend } = bench()
      const kinds = ['ann', 'bob'].flatMap((owner) =>
        (['local', 'public'] as const).flatMap((scope) =>
          [null, 'den', 'loft'].flatMap((garden) => [null, 'p1'].map((receivedFrom) => ({ owner, scope, garden, receivedFrom }))),
        ),
      )
      await commit(backend, ...kinds.map((kind, index) => putFact({ id: `f${index}`, ...kind })))
      const facts = await backend.store.listFacts({ limit: 100, offset: 0 })
      expect(facts.length).toBe(kinds.length)
      const conditionOf = (owner: string, input: object = {}) =>
        ({ owner, scopes: 'all', gardens: 'all', federated: true, ...input }) as const
      const cases: readonly AccessFilter[] = [
        'everything',
        { owners: [] },
        { owners: [conditionOf('ann')] },
        { owners: [conditionOf('ann', { scopes: ['public'] })] },
        { owners: [conditionOf('ann', { scopes: [] })] },
        { owners: [conditionOf('ann', { gardens: [] }), conditionOf('bob', { gardens: ['loft'], federated: false })] },
        { owners: [conditionOf('*', { gardens: [] })] },
        { owners: [conditionOf('*', { scopes: ['local'], gardens: ['den'] }), conditionOf('bob', { federated: false })] },
      ]
      for (const reach of cases) {
        const wanted = facts.filter((fact) => canReadFact(reach, fact)).map(({ id }) => id)
        expect((await backend.store.listFacts({ reach, limit: 100, offset: 0 })).map(({ id }) => id)).toEqual(wanted)
        expect(await backend.store.countFacts({ reach })).toBe(wanted.length)
        expect((await backend.store.listFacts({ reach, limit: 2, offset: 1 })).map(({ id }) => id)).toEqual(wanted.slice(1, 3))
        const census = await backend.graph.census('ann', 9e15, reach)
        expect(census.facts).toBe(facts.filter((fact) => fact.owner === 'ann' && canReadFact(reach, fact)).length)
        const mine = wanted.filter((id) => facts.find((fact) => fact.id === id)?.owner === 'ann')
        expect((await backend.store.listFacts({ reach, owner: 'ann', limit: 100, offset: 0 })).map(({ id }) => id)).toEqual(mine)
      }
    })
  })
}
