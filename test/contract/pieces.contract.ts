import { describe, expect, test } from 'vitest'
import type { PendingText } from '../../src/ports/backlog.js'
import { commit, embedAll, idsNear, NOON, putFact, ridOf, unit } from './samples.js'
import type { Bench } from './store.contract.js'

const MODEL = { id: 'm', dimensions: 2, floor: 0 }
/** At least five pieces; the word of a chapter is in one or two of them. */
const chapters = (...words: readonly string[]): string =>
  words.map((word) => `This chapter is about ${word} and says so at length. `.repeat(20)).join('\n')
const BOOK = chapters('otters', 'herons', 'marshes', 'rivers')
const pool = { owner: 'ann', at: NOON + 1e9 }

export function piecesContract(bench: () => Bench): void {
  const waiting = (limit = 1000) => bench().backend.backlog.next('pieces', limit)
  const fill = (pieces: readonly PendingText[], vectorOf: (text: string) => Float32Array) =>
    bench().backend.backlog.fill(
      'pieces',
      pieces.map(({ text, long: _, ...rest }) => ({ ...rest, vector: vectorOf(text) })),
    )
  const about = (word: string) => (text: string) => (text.includes(word) ? unit(0, 1) : unit(1, 0))
  const storeBook = async (text = BOOK): Promise<number> => {
    const { backend } = bench()
    await backend.backlog.adopt(MODEL)
    await commit(backend, putFact({ id: 'book', text, author: 'Ann' }), putFact({ id: 'note', text: 'short' }))
    await embedAll(backend, () => unit(1, 0))
    return ridOf(backend, 'book')
  }

  describe('long facts', () => {
    test('wait for their pieces once they have a vector of their own', async () => {
      const { backend } = bench()
      await backend.backlog.adopt(MODEL)
      await commit(backend, putFact({ id: 'book', text: BOOK, author: 'Ann' }), putFact({ id: 'note', text: 'short' }))
      expect((await backend.backlog.next('facts', 10)).map(({ id, long }) => [id, long])).toEqual([
        ['book', true],
        ['note', undefined],
      ])
      expect([await backend.backlog.pending('facts'), await backend.backlog.pending('pieces'), await waiting()]).toEqual([2, 0, []])
      await embedAll(backend, () => unit(1, 0))
      expect([await backend.backlog.pending('facts'), await backend.backlog.pending('pieces')]).toEqual([0, 1])
      const pieces = await waiting()
      expect(pieces.length).toBeGreaterThan(4)
      expect(pieces.map(({ piece }) => piece?.index)).toEqual(pieces.map((_, i) => i))
      for (const { text, piece } of pieces) expect(text).toBe(`Ann: ${BOOK.slice(piece?.start, piece?.end).trim()}`)
      expect(await idsNear(backend, 'ann', unit(1, 0))).toEqual(['book', 'note'])
    })

    test('are one fact, found by the best of their pieces, exactly', async () => {
      const { backend } = bench()
      const rid = await storeBook()
      const [first, ...rest] = await waiting()
      expect(await fill(first === undefined ? [] : [first], about('rivers'))).toBe(1)
      expect([await backend.backlog.pending('pieces'), (await waiting()).length]).toEqual([1, rest.length])
      expect(await fill(rest, about('rivers'))).toBe(rest.length)
      expect(await fill(rest, about('otters'))).toBe(0)
      expect([await backend.backlog.pending('pieces'), await waiting()]).toEqual([0, []])
      expect(await idsNear(backend, 'ann', unit(0, 1))).toEqual(['book', 'note'])
      const [best] = await (await backend.view('ann')).vectors.search(unit(0, 1), pool, 10)
      expect(best).toEqual({ rid, score: expect.closeTo(1, 3) })
      expect((await (await backend.view('ann')).vectors.similarities(unit(0, 1), [rid])).get(rid)).toBeCloseTo(1, 3)
      expect(
        (await (await backend.view('ann')).vectors.search(unit(0, 1), pool, 10, 'whole')).find((hit) => hit.rid === rid)?.score,
      ).toBeCloseTo(0, 3)
      const found = (await (await backend.view('ann')).vectors.pieces(unit(0, 1), [rid, await ridOf(backend, 'note'), 999])).get(rid) ?? []
      expect(found).toHaveLength(rest.length + 1)
      for (const { start, end, cosine } of found) expect(cosine).toBeCloseTo(BOOK.slice(start, end).includes('rivers') ? 1 : 0, 3)
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    test('do not crowd out others, however many pieces they have', async () => {
      const { backend } = bench()
      await backend.backlog.adopt(MODEL)
      const books = Array.from({ length: 12 }, (_, i) => putFact({ id: `b${i}`, text: `${i}. ${BOOK}` }))
      await commit(backend, ...books, putFact({ id: 'note', text: 'short' }))
      await embedAll(backend, (id) => (id === 'note' ? unit(1, 1) : unit(0, 1)))
      await fill(await waiting(), () => unit(1, 0.1))
      expect([...(await idsNear(backend, 'ann', unit(1, 0), 13))].sort()).toEqual([...books.map((_, i) => `b${i}`), 'note'].sort())
      expect(await idsNear(backend, 'ann', unit(1, 1), 1)).toEqual(['note'])
    })

    test('lose the pieces of what they no longer say', async () => {
      const { backend } = bench()
      const rid = await storeBook()
      await fill(await waiting(), about('rivers'))
      expect(await idsNear(backend, 'ann', unit(0, 1), 1)).toEqual(['book'])
      const stale = chapters('otters', 'herons')
      await commit(backend, putFact({ id: 'book', text: stale, author: 'Ann', version: 2 }))
      await embedAll(backend, () => unit(1, 0))
      await fill(await waiting(), about('rivers'))
      expect((await (await backend.view('ann')).vectors.similarities(unit(0, 1), [rid])).get(rid)).toBeCloseTo(0, 3)
      await commit(backend, putFact({ id: 'book', text: 'short now', author: 'Ann', version: 3 }))
      await embedAll(backend, () => unit(1, 0))
      expect([await backend.backlog.pending('pieces'), (await (await backend.view('ann')).vectors.pieces(unit(1, 0), [rid])).size]).toEqual(
        [0, 0],
      )
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    test('keep their pieces when only other fields change, and use the new fields', async () => {
      const { backend } = bench()
      await storeBook()
      const [first, ...rest] = await waiting()
      await fill(first === undefined ? [] : [first], about('otters'))
      await commit(backend, putFact({ id: 'book', text: BOOK, author: 'Ann', importance: 1, version: 2 }))
      expect((await waiting()).length).toBe(rest.length)
      expect(await fill(rest, about('otters'))).toBe(0)
      await fill(await waiting(), about('otters'))
      expect(await idsNear(backend, 'ann', unit(0, 1), 1)).toEqual(['book'])
      await commit(backend, putFact({ id: 'book', text: BOOK, author: 'Ann', validUntil: NOON + 5, version: 3 }))
      expect(await idsNear(backend, 'ann', unit(0, 1))).toEqual(['note'])
    })

    test('go with all their pieces', async () => {
      const { backend } = bench()
      const rid = await storeBook()
      await fill(await waiting(), about('otters'))
      expect(await idsNear(backend, 'bob', unit(0, 1))).toEqual([])
      await commit(backend, { op: 'fact.delete', id: 'book', owner: 'ann' })
      expect([
        await idsNear(backend, 'ann', unit(0, 1)),
        (await (await backend.view('ann')).vectors.pieces(unit(0, 1), [rid])).size,
      ]).toEqual([['note'], 0])
      await storeOther()
      await commit(backend, { op: 'reset', owner: 'ann' })
      expect(await idsNear(backend, 'ann', unit(0, 1))).toEqual([])
      expect(await backend.maintenance.diagnose()).toEqual([])
    })

    const storeOther = async (): Promise<void> => {
      const { backend } = bench()
      await commit(backend, putFact({ id: 'other', text: BOOK }))
      await embedAll(backend, () => unit(1, 0))
      await fill(await waiting(), about('otters'))
    }

    test('are embedded again for another model, including their pieces', async () => {
      const { backend } = bench()
      await storeBook()
      await fill(await waiting(), about('otters'))
      await backend.backlog.adopt({ id: 'other', dimensions: 3, floor: 0 })
      expect([await backend.backlog.pending('facts'), await backend.backlog.pending('pieces')]).toEqual([2, 0])
      await embedAll(backend, () => unit(0, 0, 1))
      await fill(await waiting(), () => unit(0, 1, 0))
      expect(await idsNear(backend, 'ann', unit(0, 1, 0), 1)).toEqual(['book'])
    })
  })
}
