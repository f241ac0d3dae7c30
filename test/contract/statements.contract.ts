import { describe, expect, test } from 'vitest'
import type { OwnerAccess } from '../../src/core/access/access-filter.js'
import type { Fact } from '../../src/core/facts/fact.js'
import type { Change } from '../../src/core/journal/change.js'
import { MemoryError } from '../../src/errors.js'
import { aFact, commit } from './samples.js'
import type { Bench } from './store.contract.js'

/** An asserted statement, as the engine stores it. */
const statement = (id: string, subject: string, predicate: string, value: string, more: Partial<Fact> = {}): Fact =>
  aFact({
    id,
    subject,
    predicate,
    value,
    text: `${subject} ${predicate} ${value}`,
    valueType: 'text',
    assertedConfidence: more.confidence ?? 1,
    autoLink: false,
    ...more,
  })
const put = (fact: Fact, more: { readonly once?: true } = {}): Change => ({ op: 'fact.put', fact, ...more })
const toRef = (id: string, subject: string, value: string, more: Partial<Fact> = {}): Fact =>
  statement(id, subject, 'knows', value, { valueType: 'ref', ...more })

const ids = (facts: readonly { readonly id: string }[]): readonly string[] => facts.map(({ id }) => id)
const outside: OwnerAccess = { owner: 'ann', scopes: 'all', gardens: [], federated: false }

export function statementsContract(bench: () => Bench): void {
  const conditionOf = () => ({ owner: 'ann', at: bench().clock.now() + 1e6 })
  const list = (query: Partial<Parameters<Bench['backend']['statements']['statements']>[0]> = {}) =>
    bench().backend.statements.statements({ ...conditionOf(), ...query }, { limit: 100 })

  describe('statements', () => {
    test('get a place in the order of all and a hash; said again by the same source they are left out', async () => {
      const { backend } = bench()
      await commit(backend, put(statement('a', 'user:a', 'role', 'CEO')))
      const [first] = await backend.store.facts(['a'])
      expect(first?.hlc).toMatch(/^\d{13}\.\d{3}$/)
      expect(first?.hash).toMatch(/^[0-9a-f]{64}$/)
      const { repeats } = await backend.store.commit({ actor: 'test', owners: ['ann'] }, () => [
        put(statement('b', 'user:a', 'role', 'CEO'), { once: true }),
      ])
      expect([...(repeats ?? [])]).toEqual([['b', 'a']])
      expect(await backend.store.facts(['b'])).toEqual([])
    })

    test('make edges that mirror them, and end with them', async () => {
      const { backend } = bench()
      await commit(backend, put(toRef('a', 'user:a', 'user:b', { confidence: 0.6, trust: 0.5 })))
      const around = (nodes: readonly string[], more = {}) =>
        backend.statements.statedEdges({ ...conditionOf(), nodes, scope: 'local', ...more })
      expect(await around(['user:b'])).toEqual([
        { id: 'a', from: 'user:a', to: 'user:b', relation: 'knows', confidence: 0.6, trust: 0.5, facts: ['a'] },
      ])
      expect([...(await backend.statements.outDegrees({ ...conditionOf(), nodes: ['user:a', 'user:b'], scope: 'local' }))]).toEqual([
        ['user:a', 1],
      ])
      const then = await backend.statements.lastCommit('ann')
      await commit(
        backend,
        put(
          statement('r', 'user:a', 'knows', 'user:b', {
            valueType: 'ref',
            confidence: 0,
            assertedConfidence: 0,
            status: 'retracted',
            validUntil: bench().clock.now(),
          }),
        ),
      )
      expect(await around(['user:a'])).toEqual([])
      expect(ids(await around(['user:a'], { asOf: then }))).toEqual(['a'])
      expect(await around(['user:a'], { asOf: then - 1e9 })).toEqual([])
      expect(await around(['user:a'], { scope: 'team', asOf: then })).toEqual([])
      const [fact] = await backend.store.facts(['a'])
      expect(fact).toMatchObject({ confidence: 0, status: 'retracted', assertedConfidence: 0.6 })
    })

    test('that contradict make one conflict with the strongest, and lists show the winner', async () => {
      const { backend } = bench()
      await commit(backend, put(statement('a', 'user:a', 'role', 'CEO', { confidence: 0.9 })))
      await commit(backend, put(statement('b', 'user:a', 'role', 'CTO', { confidence: 0.5, source: 'other' })))
      await commit(backend, put(statement('c', 'user:a', 'role', 'CFO', { confidence: 0.7, source: 'third' })))
      await commit(backend, put(statement('d', 'user:a', 'role', 'hidden', { garden: 'den', source: 'third' })))
      expect(ids((await list({ reach: { owners: [outside] } })).items)).toEqual(['a'])
      expect(ids((await list({ contradicted: true, garden: null })).items)).toEqual(['c', 'b', 'a'])
      expect([...(await backend.statements.contradicted(['a', 'b', 'c', 'd'], conditionOf().at))].sort()).toEqual(['a', 'b', 'c'])
      const between = await list({ system: true, relation: 'stigmem:conflict:between' })
      expect(between.items.map(({ value }) => JSON.parse(String(value)))).toEqual([
        ['a', 'c'],
        ['a', 'b'],
      ])
      expect(await backend.statements.countStatements({ ...conditionOf(), contradicted: true })).toBe(4)
      expect(await backend.store.countFacts({ owner: 'ann' })).toBe(4)
    })

    test('that say what the strongest says are listed, whatever speaks against them', async () => {
      const { backend } = bench()
      const sources = ['one', 'two', 'three', 'four']
      for (const [i, [value, confidence]] of (
        [
          ['CEO', 0.7],
          ['CTO', 0.8],
          ['CEO', 0.9],
          ['CEO', 0.6],
        ] as const
      ).entries())
        await commit(backend, put(statement(`s${i}`, 'user:a', 'role', value, { confidence, source: sources[i] ?? '' })))
      expect(ids((await list()).items)).toEqual(['s3', 's2', 's0'])
      expect(await backend.statements.countStatements(conditionOf())).toBe(3)
      expect([...(await backend.statements.contradicted(['s0', 's1', 's2', 's3'], conditionOf().at))].sort()).toEqual([
        's0',
        's1',
        's2',
        's3',
      ])
    })

    test('are listed in pages, by what was asked, as far as someone reaches', async () => {
      const { backend, clock } = bench()
      for (let i = 0; i < 5; i++) {
        clock.set(clock.now() + 1e6)
        await commit(
          backend,
          put(
            statement(`s${i}`, `user:${i % 2}`, i === 4 ? 'ns:x' : `n${i}`, `${i}`, {
              recordedAt: clock.now(),
              validFrom: clock.now(),
              scope: i === 3 ? 'team' : 'local',
              attestation: { attested: i === 1 },
            }),
          ),
        )
      }
      const first = await backend.statements.statements(conditionOf(), { limit: 2 })
      expect(ids(first.items)).toEqual(['s4', 's3'])
      const rest = await backend.statements.statements(conditionOf(), { limit: 10, ...(first.next === null ? {} : { before: first.next }) })
      expect(ids(rest.items)).toEqual(['s2', 's1', 's0'])
      expect(ids((await list({ entity: 'user:0' })).items)).toEqual(['s4', 's2', 's0'])
      expect(ids((await list({ relationPrefix: 'ns:' })).items)).toEqual(['s4'])
      expect(ids((await list({ scope: 'team' })).items)).toEqual(['s3'])
      expect(ids((await list({ attested: true })).items)).toEqual(['s1'])
      expect(ids((await list({ reach: { owners: [{ ...outside, scopes: ['team'] }] } })).items)).toEqual(['s3'])
      const strong = await backend.statements.strongest({ ...conditionOf(), nodes: ['user:0'], scope: 'local' }, 2)
      expect(strong.get('user:0')).toHaveLength(2)
    })

    test('lead in no circle, and are found by their hash', async () => {
      const { backend } = bench()
      const hash = 'f'.repeat(64)
      await commit(backend, put(statement('a', 'user:a', 'n', '1', { derivedFrom: [hash] })))
      const [first] = await backend.store.facts(['a'])
      await expect(commit(backend, put(statement('b', 'user:b', 'n', '2', { hash, derivedFrom: [first?.hash ?? ''] })))).rejects.toThrow(
        MemoryError,
      )
      expect(ids(await backend.statements.byHash('ann', [first?.hash ?? '']))).toEqual(['a'])
      expect([await backend.statements.isThere('ann', 'a'), await backend.statements.isThere('bob', 'a')]).toEqual([true, false])
    })

    test('may contradict each other, be taken back and speak of what is no entity: nothing is wrong with that', async () => {
      const { backend } = bench()
      await commit(
        backend,
        put(statement('x', 'user:a', 'role', 'lead')),
        put(statement('y', 'user:a', 'role', 'guest', { source: 'other' })),
      )
      await commit(backend, put(statement('z', 'user:a', 'role', 'lead', { confidence: 0 })))
      expect(await backend.statements.countStatements({ ...conditionOf(), system: true })).toBeGreaterThan(0)
      await commit(backend, put(statement('a', 'user:a', 'knows', 'user:b', { valueType: 'ref' })))
      expect(await backend.statements.statedEdges({ ...conditionOf(), nodes: ['user:a'], scope: 'local' })).toHaveLength(1)
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    test('are ranked by their current state and recall count, in repeated reads', async () => {
      const { backend } = bench()
      await commit(backend, put(statement('a', 'user:a', 'n', '1')), put(statement('b', 'user:a', 'm', '2')))
      const ranked = async () => {
        const view = await backend.view('ann')
        const rids = [...(await view.rows.ridsOf(['a', 'b'])).values()]
        const found = [...(await view.statementHeaders(rids)).values()]
        view.close()
        return found
          .map(({ id, entity, relation, confidence, accesses }) => [id, entity, relation, confidence, accesses])
          .sort(([entry], [other]) => (String(entry) < String(other) ? -1 : 1))
      }
      const other = ['b', 'user:a', 'm', 1, 0]
      expect(await ranked()).toEqual([['a', 'user:a', 'n', 1, 0], other])
      await backend.statements.noteAccess(new Map([['a', 2]]), 5)
      expect(await ranked()).toEqual([['a', 'user:a', 'n', 1, 2], other])
      const [first] = await backend.store.facts(['a'])
      if (first !== undefined) await commit(backend, put({ ...first, confidence: 0.4, version: 2 }))
      expect(await ranked()).toEqual([['a', 'user:a', 'n', 0.4, 2], other])
      await backend.statements.noteAccess(new Map([['a', 1]]), 6)
      expect(await ranked()).toEqual([['a', 'user:a', 'n', 0.4, 3], other])
      await commit(backend, { op: 'fact.delete', id: 'a', owner: 'ann' })
      expect(await ranked()).toEqual([other])
    })

    test('are counted when recalled, and mark the card that contains them', async () => {
      const { backend } = bench()
      await commit(backend, put(statement('a', 'user:a', 'n', '1')))
      await backend.statements.noteAccess(new Map([['a', 2]]), 5)
      await backend.statements.noteAccess(new Map([['a', 1]]), 6)
      expect([...(await backend.statements.accessCounts(['a', 'b']))]).toEqual([['a', 3]])
      expect(await backend.statements.staleCards({}, 10)).toEqual([])
      await commit(backend, put(statement('card:user:a:local', 'user:a', 'stigmem:memory:card', '# a', { form: 'card' })))
      await commit(backend, put(statement('b', 'user:a', 'm', '2')))
      await commit(backend, put(statement('c', 'user:a', 'o', '3')))
      const [card, ...others] = await backend.statements.staleCards({ owner: 'ann' }, 10)
      expect([card, others]).toEqual([{ owner: 'ann', entity: 'user:a', scope: 'local', garden: null, mark: 2 }, []])
      if (card !== undefined) await backend.statements.clearStaleCard({ ...card, mark: 1 })
      expect(await backend.statements.staleCards({}, 10)).toHaveLength(1)
      if (card !== undefined) await backend.statements.clearStaleCard(card)
      expect(await backend.statements.staleCards({}, 10)).toEqual([])
      expect(await backend.statements.cursorKey()).toBe(await backend.statements.cursorKey())
    })
  })
}
