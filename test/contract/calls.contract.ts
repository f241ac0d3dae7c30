import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/core/journal/change.js'
import type { CallId } from '../../src/ports/store.js'
import { NOON, ownersIn, putFact } from './samples.js'
import type { Bench } from './store.contract.js'

const DAY = 86_400e6
const CALL: CallId = { owner: 'ann', actor: 'test', key: 'k', fingerprint: 'f' }

export function callsContract(bench: () => Bench): void {
  const commit = (call: CallId | undefined, ...changes: readonly Change[]) =>
    bench().backend.store.commit({ actor: 'test', owners: ownersIn(changes), call }, () => changes)
  const facts = async (): Promise<readonly string[]> =>
    (await bench().backend.store.listFacts({ oldestFirst: true, limit: 10, offset: 0 })).map(({ id }) => id)

  describe('a call that was committed', () => {
    test('is not committed again: the second gets what is known of the first, and decides nothing', async () => {
      const { store } = bench().backend
      const { commit: id, entries, earlier } = await commit(CALL, putFact({ id: 'a' }), putFact({ id: 'b' }))
      expect([earlier, entries.map((entry) => entry.lastSeq - entry.firstSeq)]).toEqual([undefined, [1]])
      let decided = 0
      const again = await store.commit({ actor: 'test', owners: ['ann'], call: CALL }, () => [putFact({ id: `c${++decided}` })])
      expect(again.earlier).toEqual({ fingerprint: 'f', commit: id, entries, answer: null })
      expect([decided, await facts()]).toEqual([0, ['a', 'b']])
      await store.recordAnswer(CALL, { id: 'a', list: [1, null] })
      expect(await store.recordedCall(CALL)).toEqual({ fingerprint: 'f', commit: id, entries, answer: { id: 'a', list: [1, null] } })
      expect((await commit(CALL, putFact({ id: 'd' }))).earlier?.answer).toEqual({ id: 'a', list: [1, null] })
      expect(await facts()).toEqual(['a', 'b'])
    })

    test('is one whatever it was asked: the caller compares', async () => {
      await commit(CALL, putFact({ id: 'a' }))
      expect((await commit({ ...CALL, fingerprint: 'g' }, putFact({ id: 'b' }))).earlier).toMatchObject({ fingerprint: 'f' })
      expect(await facts()).toEqual(['a'])
    })

    test('is known within its owner and actor only', async () => {
      await commit(CALL, putFact({ id: 'a' }))
      for (const other of [{ owner: 'bea' }, { actor: 'mcp:other' }, { key: 'l' }]) {
        expect(await bench().backend.store.recordedCall({ ...CALL, ...other })).toBeUndefined()
        expect((await commit({ ...CALL, ...other }, putFact({ id: Object.values(other).join() }))).earlier).toBeUndefined()
      }
      expect(await facts()).toHaveLength(4)
    })

    test('is not known when nothing changed, or when it failed', async () => {
      const { store } = bench().backend
      await commit(CALL)
      await expect(commit(CALL, putFact({ id: 'a', version: 7 }))).rejects.toMatchObject({ code: 'conflict' })
      await expect(
        store.commit({ actor: 'test', owners: ['ann'], call: CALL }, () => {
          throw new Error('no')
        }),
      ).rejects.toThrow('no')
      expect(await store.recordedCall(CALL)).toBeUndefined()
      await store.recordAnswer(CALL, { id: 'x' })
      expect(await store.recordedCall(CALL)).toBeUndefined()
      expect((await commit(CALL, putFact({ id: 'a' }))).earlier).toBeUndefined()
    })

    test('is known for a day', async () => {
      const { backend, clock } = bench()
      await commit(CALL, putFact({ id: 'a' }))
      await backend.store.recordAnswer(CALL, { id: 'a' })
      clock.set(NOON + DAY - 1e6)
      expect(await backend.store.recordedCall(CALL)).toMatchObject({ answer: { id: 'a' } })
      clock.set(NOON + DAY + 1e6)
      expect(await backend.store.recordedCall(CALL)).toBeUndefined()
      expect((await commit(CALL, putFact({ id: 'b' }))).earlier).toBeUndefined()
      expect(await backend.store.recordedCall(CALL)).toMatchObject({ answer: null })
      expect(await facts()).toEqual(['a', 'b'])
    })

    test('is known for a day by a clock that is not wrong, whatever another says', async () => {
      const { backend, clock } = bench()
      await commit(CALL, putFact({ id: 'a' }))
      clock.set(NOON + 3 * DAY)
      await commit({ ...CALL, key: 'ahead' }, putFact({ id: 'b' }))
      clock.set(NOON + 1e6)
      await commit({ ...CALL, key: 'right' }, putFact({ id: 'c' }))
      clock.set(NOON - 3 * DAY)
      await commit({ ...CALL, key: 'behind' }, putFact({ id: 'd' }))
      clock.set(NOON + 2e6)
      for (const key of ['ahead', 'right', 'behind'])
        expect([key, await backend.store.recordedCall({ ...CALL, key })]).not.toContain(undefined)
    })

    test('keeps no answer about what is deleted, before or after it was given', async () => {
      const { store } = bench().backend
      const other = { ...CALL, key: 'other' }
      await commit(CALL, putFact({ id: 'a' }))
      await commit(other, putFact({ id: 'b' }))
      await store.recordAnswer(CALL, { content: 'text of a' })
      await store.recordAnswer(other, { content: 'text of b' })
      await commit({ ...CALL, key: 'delete' }, { op: 'fact.delete', id: 'a', owner: 'ann' })
      await store.recordAnswer(CALL, { content: 'text of a' })
      expect(await store.recordedCall(CALL)).toMatchObject({ answer: null })
      expect(await store.recordedCall(other)).toMatchObject({ answer: { content: 'text of b' } })
      await store.recordAnswer({ ...CALL, key: 'delete' }, { deleted: true })
      expect(await store.recordedCall({ ...CALL, key: 'delete' })).toMatchObject({ answer: { deleted: true } })
    })

    test('goes with a reset, but for the reset itself', async () => {
      const { store } = bench().backend
      const asBea = { ...CALL, owner: 'bea' }
      await commit(CALL, putFact({ id: 'a' }))
      await commit(asBea, putFact({ id: 'b' }))
      await store.recordAnswer(asBea, { content: 'text of b' })
      await commit({ ...CALL, key: 'reset' }, { op: 'reset', owner: 'ann' })
      expect(await store.recordedCall(CALL)).toBeUndefined()
      // The fact belonged to Ann, whichever caller requested it.
      expect(await store.recordedCall(asBea)).toMatchObject({ answer: null })
      expect(await store.recordedCall({ ...CALL, key: 'reset' })).toBeDefined()
      await commit({ ...CALL, key: 'all' }, { op: 'reset', owner: null })
      expect(await store.recordedCall(asBea)).toBeUndefined()
    })
  })
}
