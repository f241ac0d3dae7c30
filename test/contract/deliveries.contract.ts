import { describe, expect, test } from 'vitest'
import type { Delivery, DeliveryQuery } from '../../src/ports/deliveries.js'
import { commit, NOON, putFact } from './samples.js'
import type { Bench } from './store.contract.js'

const KEEP = { since: 0, most: 100 }

const aDelivery = (id: string, input: Partial<Delivery> = {}): Delivery => ({
  ...{ id, at: NOON, owner: 'ann', client: 'codex', conversation: null, kind: 'recall', question: `what of ${id}`, confidence: 0.5 },
  facts: [{ id: 'a', relevance: 0.25 }],
  ...input,
})

export function deliveriesContract(bench: () => Bench): void {
  const listed = async (query: Partial<DeliveryQuery> = {}): Promise<readonly string[]> =>
    (await bench().backend.deliveries.list({ limit: 100, ...query })).map(({ id }) => id)

  describe('deliveries', () => {
    test('are listed newest first, as they were recorded', async () => {
      const { deliveries } = bench().backend
      const first = aDelivery('d1', { conversation: 'c1', facts: [] })
      const second = aDelivery('d2', {
        ...{ at: NOON + 5, owner: 'bob', client: 'gemini', kind: 'start', question: null, confidence: null },
        facts: [
          { id: 'b', relevance: null },
          { id: 'a', relevance: 1 },
          { id: 'b', relevance: null },
        ],
      })
      await deliveries.record([first], KEEP)
      await deliveries.record([second, aDelivery('d3', { at: NOON + 5 })], KEEP)
      expect(await deliveries.list({ limit: 9 })).toEqual([aDelivery('d3', { at: NOON + 5 }), second, first])
      expect(await listed({ owners: ['ann'] })).toEqual(['d3', 'd1'])
      expect(await listed({ owners: [] })).toEqual([])
      expect(await listed({ client: 'gemini' })).toEqual(['d2'])
      expect(await listed({ conversation: 'c1' })).toEqual(['d1'])
      expect(await listed({ fact: 'b' })).toEqual(['d2'])
      expect(await listed({ since: NOON + 1 })).toEqual(['d3', 'd2'])
      expect(await listed({ before: { at: NOON + 5, id: 'd3' } })).toEqual(['d2', 'd1'])
      expect(await listed({ limit: 1 })).toEqual(['d3'])
    })

    test('are found by what was asked, in any case, and by the facts that they name', async () => {
      const { deliveries } = bench().backend
      await deliveries.record(
        [
          aDelivery('d1', { question: 'Where is the Gate?', facts: [] }),
          aDelivery('d2', { at: NOON + 1, question: null, facts: [{ id: 'b', relevance: 1 }] }),
          aDelivery('d3', { at: NOON + 2, question: '100% of it', facts: [] }),
          aDelivery('d4', { at: NOON + 3, question: 'Größe der Tür', facts: [] }),
        ],
        KEEP,
      )
      const about = (text: string, ...facts: readonly string[]) => listed({ about: { text, facts } })
      expect(await about('the gate')).toEqual(['d1'])
      expect(await about('the gate', 'b', 'none')).toEqual(['d2', 'd1'])
      expect(await about('0%')).toEqual(['d3'])
      expect(await about('_')).toEqual([])
      expect(await about('größe')).toEqual(['d4'])
      expect(await about('Tür', 'b')).toEqual(['d4', 'd2'])
      expect(await listed({ about: { text: 'gate', facts: ['b'] }, owners: ['bob'] })).toEqual([])
    })

    test('those that are too old or too many are dropped', async () => {
      const { deliveries } = bench().backend
      await deliveries.record(
        ['d1', 'd2', 'd3', 'd4'].map((id, index) => aDelivery(id, { at: NOON + index })),
        KEEP,
      )
      await deliveries.record([], { since: NOON + 1, most: 100 })
      expect(await listed()).toEqual(['d4', 'd3', 'd2'])
      await deliveries.record([aDelivery('d5', { at: NOON + 9 })], { since: 0, most: 2 })
      expect(await listed()).toEqual(['d5', 'd4'])
      expect(await listed({ fact: 'a' })).toEqual(['d5', 'd4'])
    })

    test('a delivery is erased together with a fact that it names, of any owner', async () => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'a' }), putFact({ id: 'b' }), putFact({ id: 'o', owner: 'bob' }))
      await backend.deliveries.record(
        [
          aDelivery('d1'),
          aDelivery('d2', { facts: [{ id: 'b', relevance: 1 }] }),
          aDelivery('d3', { facts: [{ id: 'o', relevance: 1 }] }),
          aDelivery('d4', { owner: 'bob', facts: [{ id: 'b', relevance: 1 }] }),
        ],
        KEEP,
      )
      await commit(backend, { op: 'fact.delete', id: 'a', owner: 'ann' })
      expect(await listed()).toEqual(['d4', 'd3', 'd2'])
      await commit(backend, { op: 'reset', owner: 'bob' })
      expect(await listed()).toEqual(['d2'])
      await commit(backend, { op: 'reset', owner: null })
      expect(await listed()).toEqual([])
    })
  })
}
