import { describe, expect, test } from 'vitest'
import { aFact, anEdge, anEntity, commit, everything, NOON, putEdge, putEntity, putFact, recorded } from './samples.js'
import type { Bench } from './store.contract.js'

export function journalContract(bench: () => Bench): void {
  describe('journal', () => {
    test('says who changed what, from what, to what, and why', async () => {
      const { backend } = bench()
      const first = aFact({ id: 'f', metadata: { seen: null } })
      const second = aFact({ id: 'f', text: 'new', author: 'Ann', version: 2 })
      const receipt = await backend.store.commit({ actor: 'ann@cli', owners: ['ann'] }, () => [
        { op: 'fact.put', fact: first, reason: 'asked to' },
        putEntity({ id: 'e', name: 'One' }),
      ])
      await backend.store.commit({ actor: 'bob@mcp', owners: ['ann'] }, () => [
        { op: 'fact.put', fact: second },
        putEdge({ id: 'r', from: 'e', to: 'e' }),
      ])
      expect(receipt).toEqual({ at: NOON, commit: expect.any(String), entries: [{ owner: 'ann', firstSeq: 1, lastSeq: 2 }] })
      const entries = await backend.store.journal({ limit: 10 })
      expect(
        entries.map(({ seq, op, targetKind, target, actor, owner, at: now }) => [seq, op, targetKind, target, actor, owner, now - NOON]),
      ).toEqual([
        [1, 'fact.put', 'fact', 'f', 'ann@cli', 'ann', 0],
        [2, 'entity.put', 'entity', 'e', 'ann@cli', 'ann', 1],
        [3, 'fact.put', 'fact', 'f', 'bob@mcp', 'ann', 2],
        [4, 'edge.put', 'edge', 'r', 'bob@mcp', 'ann', 3],
      ])
      expect(entries.map((entry) => entry.before)).toEqual([null, null, recorded(first), null])
      expect(entries.map((entry) => entry.after)).toEqual(
        [first, anEntity({ id: 'e', name: 'One' }), second, anEdge({ id: 'r', from: 'e', to: 'e' })].map(recorded),
      )
      expect(entries.map((entry) => entry.reason)).toEqual(['asked to', null, null, null])
    })

    test('can be read by place, owner and target, from either end', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'a' }),
        putFact({ id: 'b', owner: 'bob' }),
        putFact({ id: 'c' }),
        putFact({ id: 'a', version: 2 }),
      )
      const read = (query: Partial<Parameters<typeof backend.store.journal>[0]>) => backend.store.journal({ limit: 10, ...query })
      const render = async (query: Partial<Parameters<typeof backend.store.journal>[0]>) =>
        (await read(query)).map(({ target, after }) => `${target}${String(after?.version)}`)
      expect(await render({})).toEqual(['a1', 'b1', 'c1', 'a2'])
      expect(await render({ owner: 'ann' })).toEqual(['a1', 'c1', 'a2'])
      expect(await render({ target: 'a' })).toEqual(['a1', 'a2'])
      expect(await render({ newestFirst: true, limit: 2 })).toEqual(['a2', 'c1'])
      const [first, second, third] = await read({ owner: 'ann' })
      if (first === undefined || second === undefined || third === undefined) throw new Error('three entries are there')
      expect(first.seq < second.seq && second.seq < third.seq).toBe(true)
      expect(await render({ owner: 'ann', after: first.seq, before: third.seq })).toEqual(['c1'])
      expect(await render({ owner: 'ann', after: third.seq })).toEqual([])
      expect(await render({ beyond: second })).toEqual(['a2'])
      expect(await render({ beyond: second, newestFirst: true })).toEqual(['b1', 'a1'])
    })

    test('a commit has one name, recorded in all of its entries, of all owners', async () => {
      const { backend } = bench()
      const receipt = await commit(backend, putFact({ id: 'a' }), putFact({ id: 'b', owner: 'bob' }), putFact({ id: 'c' }))
      const next = await commit(backend, putFact({ id: 'd' }))
      const entries = await backend.store.journal({ limit: 10 })
      expect(entries.map((entry) => entry.commit)).toEqual([receipt.commit, receipt.commit, receipt.commit, next.commit])
      expect(next.commit).not.toBe(receipt.commit)
      expect(receipt.entries.map(({ owner }) => owner)).toEqual(['ann', 'bob'])
      for (const { owner, firstSeq, lastSeq } of receipt.entries) {
        const own = await backend.store.journal({ owner, after: firstSeq - 1, before: lastSeq + 1, limit: 10 })
        expect(own.map(({ target }) => target)).toEqual(owner === 'ann' ? ['a', 'c'] : ['b'])
      }
    })

    test('a commit changes only the rows it names', async () => {
      const { backend } = bench()
      for (const change of [putFact({ id: 'b', owner: 'bob' }), { op: 'reset', owner: null } as const])
        await expect(backend.store.commit({ actor: 'test', owners: ['ann'] }, () => [putFact({ id: 'a' }), change])).rejects.toMatchObject({
          code: 'internal',
        })
      expect(await backend.store.counts(undefined)).toMatchObject({ facts: 0 })
    })

    test('goes on after a time that was seen elsewhere', async () => {
      const { backend } = bench()
      const observed = NOON + 3600e6
      const { at: now } = await backend.store.commit({ actor: 'test', owners: ['ann'], observed }, () => [putFact({ id: 'a' })])
      await commit(backend, putFact({ id: 'b' }))
      expect(now).toBe(NOON)
      const order = (await backend.store.journal({ limit: 10 })).map(({ hlc }) => hlc)
      expect((order[0] ?? '') > String(observed / 1000)).toBe(true)
      expect(order).toEqual([...order].sort())
    })

    test('deletion forgets the content and keeps that it happened', async () => {
      const { backend } = bench()
      await commit(
        backend,
        putFact({ id: 'f', text: 'a secret' }),
        putEntity({ id: 'e', name: 'Secret Name' }),
        putEntity({ id: 'k', name: 'Kept' }),
      )
      await commit(
        backend,
        putFact({ id: 'f', text: 'another secret', version: 2 }),
        putEdge({ id: 'r', from: 'e', to: 'k', properties: { why: 'secret' } }),
      )
      await commit(backend, putEdge({ id: 'own', from: 'k', to: 'k', properties: { why: 'secret' }, factId: 'f' }))
      await commit(
        backend,
        { op: 'fact.delete', id: 'f', owner: 'ann', reason: 'on request' },
        { op: 'entity.delete', id: 'e', owner: 'ann' },
      )
      const entries = await backend.store.journal({ limit: 20 })
      expect(JSON.stringify(entries)).not.toMatch(/secret/i)
      expect(entries.map(({ op, target }) => `${op} ${target}`)).toEqual([
        'fact.put f',
        'entity.put e',
        'entity.put k',
        'fact.put f',
        'edge.put r',
        'edge.put own',
        'edge.delete own',
        'fact.delete f',
        'edge.delete r',
        'entity.delete e',
      ])
      expect(entries.find((entry) => entry.op === 'fact.delete')?.reason).toBe('on request')
      expect(JSON.stringify(await everything(backend))).not.toMatch(/secret/i)
      expect(await backend.store.counts('ann')).toMatchObject({ facts: 0, entities: 1, edges: 0 })
      await commit(backend, putFact({ id: 'f', text: 'a new life' }))
      expect((await backend.store.facts(['f']))[0]?.text).toBe('a new life')
    })

    test('a deleted edge is forgotten too', async () => {
      const { backend } = bench()
      await commit(backend, putEntity({ id: 'e', name: 'E' }), putEdge({ id: 'r', from: 'e', to: 'e', properties: { why: 'secret' } }))
      await commit(backend, { op: 'edge.delete', id: 'r', owner: 'ann', reason: 'wrong' })
      const entries = await backend.store.journal({ target: 'r', limit: 10 })
      expect(entries.map(({ op, before, after, reason }) => [op, before, after, reason])).toEqual([
        ['edge.put', null, null, null],
        ['edge.delete', null, null, 'wrong'],
      ])
    })

    test('every commit moves the change mark', async () => {
      const { backend } = bench()
      const before = (await backend.view('ann')).mark
      expect((await backend.view('ann')).mark).toBe(before)
      await commit(backend, putFact({ id: 'a' }))
      expect((await backend.view('ann')).mark).not.toBe(before)
    })
  })
}
