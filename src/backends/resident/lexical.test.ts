import { describe, expect, test } from 'vitest'
import { CONTEXT } from '../../core/recall/fields.js'
import { OWN_WORDS, TUNED } from '../../core/recall/recipe.js'
import { packTerms } from '../../core/term-bag.js'
import { type Document, ResidentLexical } from './lexical.js'

const NEVER = Number.POSITIVE_INFINITY

const doc = (rid: number, text: string, given: Partial<Document> = {}): Document => ({
  rid,
  owner: 0,
  validFrom: 0,
  validUntil: NEVER,
  expiresAt: NEVER,
  marks: 0,
  session: null,
  terms: packTerms({ title: '', head: '', text }),
  ...given,
})
const search = (
  lexical: ResidentLexical,
  term: string,
  fields = OWN_WORDS,
  pool: { owner?: number; at?: number; accept?: (rid: number) => boolean } = {},
) =>
  lexical.search(
    [term],
    { owner: pool.owner, at: pool.at ?? 10, ...(pool.accept === undefined ? {} : { accept: pool.accept }) },
    100,
    fields,
  )
const rids = (...args: Parameters<typeof search>) => search(...args).hits.map((hit) => hit.rid)

describe('the resident words', () => {
  test('a document put again replaces itself; a removed one is gone', () => {
    const lexical = new ResidentLexical()
    lexical.put(doc(1, 'otter'))
    lexical.put(doc(1, 'heron'))
    expect([lexical.size, rids(lexical, 'otter'), rids(lexical, 'heron')]).toEqual([1, [], [1]])
    lexical.remove(1)
    lexical.remove(1)
    expect([lexical.size, rids(lexical, 'heron'), search(lexical, 'heron').documents]).toEqual([0, [], 0])
  })

  test('owner, window, expiry and the caller filter before the cut', () => {
    const lexical = new ResidentLexical()
    lexical.put(doc(1, 'otter', { owner: 1 }))
    lexical.put(doc(2, 'otter', { validUntil: 10 }))
    lexical.put(doc(3, 'otter', { expiresAt: 10 }))
    lexical.put(doc(4, 'otter', { validFrom: 11 }))
    lexical.put(doc(5, 'otter'))
    lexical.put(doc(6, 'otter'))
    expect(rids(lexical, 'otter', OWN_WORDS, { owner: 0 })).toEqual([5, 6])
    expect(rids(lexical, 'otter', OWN_WORDS, { owner: 0, accept: (rid) => rid !== 5 })).toEqual([6])
    expect(rids(lexical, 'otter', OWN_WORDS, { owner: 0, at: 9 })).toEqual([2, 3, 5, 6])
    lexical.put(doc(2, 'otter'))
    expect(rids(lexical, 'otter', OWN_WORDS, { owner: 0 })).toEqual([2, 5, 6])
  })

  test('neighbours of a session lend their words, the next one most; deletion closes the gap', () => {
    const lexical = new ResidentLexical()
    const last = 3 + CONTEXT.before + 1
    for (let rid = 1; rid <= last; rid++) lexical.put(doc(rid, rid === 3 ? 'otter' : `word${rid}`, { session: 's' }))
    lexical.put(doc(last + 1, 'gg'))
    expect(rids(lexical, 'otter')).toEqual([3])
    const reached = Array.from({ length: last - 1 }, (_, i) => i + 1)
    expect(rids(lexical, 'otter', TUNED.fields)).toEqual(reached.sort((a, b) => score(b) - score(a) || a - b))
    expect(score(4)).toBeGreaterThan(score(5))
    expect(score(last)).toBe(0)
    lexical.remove(5)
    expect(score(last)).toBeGreaterThan(0)

    function score(rid: number): number {
      return search(lexical, 'otter', TUNED.fields).scoreOf(rid)
    }
  })

  test('the order of a session is that of the rows, whenever they arrive', () => {
    const [forward, backward] = [new ResidentLexical(), new ResidentLexical()]
    const docs = ['one otter', 'two', 'three', 'four otter otter', 'five', 'six'].map((text, i) => doc(i + 1, text, { session: 's' }))
    for (const one of docs) forward.put(one)
    for (const one of [...docs].reverse()) backward.put(one)
    const ranked = (lexical: ResidentLexical) => search(lexical, 'otter', TUNED.fields).hits.map(({ rid, score }) => [rid, score])
    expect(ranked(backward)).toEqual(ranked(forward))
  })

  test('compaction and many replacements change no answer', () => {
    const lexical = new ResidentLexical()
    for (let round = 0; round < 3; round++)
      for (let rid = 1; rid <= 300; rid++) lexical.put(doc(rid, `otter number${rid} round${round}`, { session: `s${rid % 7}` }))
    const before = search(lexical, 'number42', TUNED.fields).hits
    expect(before[0]?.rid).toBe(42)
    for (const _ of lexical.compact()) expect(lexical.size).toBeGreaterThan(0)
    const after = search(lexical, 'number42', TUNED.fields).hits
    expect(after.map((hit) => hit.rid)).toEqual(before.map((hit) => hit.rid))
    expect(rids(lexical, 'round1')).toEqual([])
    expect(search(lexical, 'otter').documents).toBe(300)
  })

  test('scores of a search stay what they were when documents come later', () => {
    const lexical = new ResidentLexical()
    lexical.put(doc(1, 'otter'))
    lexical.put(doc(2, 'heron'))
    const answer = search(lexical, 'otter')
    const score = answer.scoreOf(1)
    lexical.put(doc(3, 'otter'))
    expect([answer.scoreOf(1), answer.scoreOf(2), answer.scoreOf(3), answer.scoreOf(99)]).toEqual([score, 0, 0, 0])
  })
})
