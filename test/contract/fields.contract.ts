import { describe, expect, test } from 'vitest'
import { claimKey } from '../../src/core/substrate/objects/claims.js'
import { aFact, aSource, commit, putEntity, putFact } from './samples.js'
import type { Bench } from './store.contract.js'

const EVIDENCE = [
  { source_id: 'src:1', segment_id: '1-a', hash: 'x' },
  { source_id: 'src:1', segment_id: '2-b', hash: 'y' },
]

export function fieldsContract(bench: () => Bench): void {
  const stated = async (): Promise<readonly string[]> => {
    const edges = await bench().backend.store.edges({ limit: 100 })
    return edges.map(({ from, type, to, fromKind, toKind }) => `${from}(${fromKind}) ${type} ${to}(${toKind})`).sort()
  }

  describe('references, evidence and claims of a fact', () => {
    test('become edges in the same commit, with where they come from, and no entries of the journal', async () => {
      const { backend } = bench()
      await commit(backend, { op: 'source.put', source: aSource({ id: 'folder', kind: 'repo' }), files: [] })
      await commit(
        backend,
        putFact({ id: 'plain', text: 'no relation' }),
        putFact({
          id: 'know:1',
          references: { subject_refs: ['node:1', 'plain', 'folder'] },
          evidence: EVIDENCE,
          subject: 'node:1',
          predicate: 'uses',
          value: 'node:2',
          valueType: 'ref',
        }),
      )
      expect(await stated()).toEqual([
        'know:1(fact) evidence src:1(source)',
        'know:1(fact) subject folder(source)',
        'know:1(fact) subject node:1(entity)',
        'know:1(fact) subject plain(fact)',
        'node:1(entity) uses node:2(entity)',
      ])
      const [edge] = await backend.store.edges({ types: ['uses'], limit: 1 })
      expect(edge).toMatchObject({
        factId: 'know:1',
        properties: {
          relation_schema: {
            version: 1,
            derivation: 'structured_payload',
            origin_object_type: 'knowledge',
            origin_object_id: 'know:1',
            origin_field: 'payload.object',
            source_object_type: 'node',
            target_object_type: 'node',
          },
        },
      })
      expect((await backend.store.journal({ limit: 10 })).map(({ op }) => op)).toEqual(['source.put', 'fact.put', 'fact.put'])
      await commit(backend, putEntity({ id: 'relation', name: 'relation' }))
      expect((await backend.store.edges({ nodes: ['plain'], limit: 9 })).map(({ type }) => type).sort()).toEqual([
        'MENTIONS_ENTITY',
        'subject',
      ])
      expect((await backend.store.edges({ nodes: ['plain'], stated: true, limit: 9 })).map(({ type }) => type)).toEqual(['subject'])
      expect(await backend.store.counts('ann')).toMatchObject({ relations: 0, edges: 6 })
      expect((await backend.graph.neighbours('ann', ['know:1'], 10)).get('know:1')).toContainEqual({ id: 'node:1', origin: 'stated' })
    })

    test('follow the fact when it changes and go with it', async () => {
      const { backend } = bench()
      const first = aFact({ id: 'work:1', form: 'work_item', references: { depends_on: ['work:2'], artifact_refs: ['a.txt'] } })
      await commit(backend, { op: 'fact.put', fact: first }, putFact({ id: 'work:2', form: 'work_item' }))
      expect(await stated()).toEqual(['work:1(fact) depends_on work:2(fact)'])
      await commit(backend, { op: 'fact.put', fact: { ...first, references: { blocked_by: ['work:2'] }, version: 2 } })
      expect(await stated()).toEqual(['work:1(fact) blocked_by work:2(fact)'])
      await commit(backend, { op: 'fact.put', fact: { ...first, references: { blocked_by: ['work:2'] }, text: 'other', version: 3 } })
      expect(await stated()).toEqual(['work:1(fact) blocked_by work:2(fact)'])
      await commit(backend, { op: 'fact.delete', id: 'work:1', owner: 'ann' })
      expect(await stated()).toEqual([])
    })

    test('facts created and changed in one commit are linked by what they say last', async () => {
      const { backend } = bench()
      const made = aFact({ id: 'know:1', references: { subject_refs: ['node:1'] } })
      const later = { ...made, references: { subject_refs: ['node:2'] }, version: 2 }
      await commit(backend, { op: 'fact.put', fact: made }, { op: 'fact.put', fact: later })
      expect(await stated()).toEqual(['know:1(fact) subject node:2(entity)'])
    })

    test('a claim is found by its key while it is current', async () => {
      const { backend } = bench()
      const claim = { kind: 'fact', subject: 'node:1', predicate: 'language' }
      await commit(
        backend,
        putFact({ id: 'a', ...claim, value: 'python' }),
        putFact({ id: 'b', ...claim, subject: null, references: { subject_refs: ['node:1'] }, value: 'rust' }),
        putFact({ id: 'c', ...claim, kind: 'decision' }),
        putFact({ id: 'd', ...claim, status: 'archived', validUntil: aFact({ id: 'x' }).validFrom }),
        putFact({ id: 'e', ...claim, form: 'activity' }),
      )
      const key = claimKey(aFact({ id: 'x', ...claim }))
      const found = await backend.store.listFacts({ owner: 'ann', claim: key ?? '', limit: 10, offset: 0 })
      expect(found.map(({ id }) => id).sort()).toEqual(['a', 'b'])
    })

    test('a decision about a claim that did not see all of it is a conflict, and nothing is written', async () => {
      const { backend } = bench()
      const claim = { kind: 'fact', subject: 'node:1', predicate: 'language' }
      const put = (id: string, claimants: readonly { readonly id: string; readonly version: number }[]) =>
        commit(backend, { op: 'fact.put', fact: aFact({ id, ...claim }), claimants: { seen: claimants } })
      await put('a', [])
      await expect(put('b', [])).rejects.toMatchObject({ code: 'conflict' })
      await expect(put('b', [{ id: 'a', version: 2 }])).rejects.toMatchObject({ code: 'conflict' })
      await put('b', [{ id: 'a', version: 1 }])
      expect((await backend.store.facts(['a', 'b'])).length).toBe(2)
      await commit(backend, { op: 'fact.put', fact: aFact({ id: 'other', ...claim, owner: 'bob' }), claimants: { seen: [] } })
      const reach = { owners: [{ owner: 'ann', scopes: ['public'], gardens: [], federated: true }] }
      await commit(backend, { op: 'fact.put', fact: aFact({ id: 'c', ...claim, scope: 'public' }), claimants: { seen: [], reach } })
    })
  })
}
