import { describe, expect, test } from 'vitest'
import { TUNED } from '../../../test/scored-candidate.js'
import { CONTEXT_TURNS } from '../../core/recall/lexical/fields.js'
import { OWN_WORDS } from '../../core/recall/recipe/recipe.js'
import { packTerms } from '../../core/text/term-bag.js'
import { termHash } from '../../core/text/text.js'
import { BytePart } from '../byte-part.js'
import { searchBm25 } from './bm25-search.js'
import { Documents } from './documents.js'
import { InvertedIndex } from './inverted-index.js'

interface Given {
  readonly validFrom?: number
  readonly validUntil?: number
  readonly expiresAt?: number
  readonly session?: string
}

/** Fills a shard like its loader and its catch-up. */
class Unit {
  readonly documents = new Documents('ann')
  readonly words = new InvertedIndex(this.documents.slots)

  #enter(rid: number, text: string, { session, ...input }: Given) {
    const times = { recordedAt: 0, validFrom: 0, validUntil: null, expiresAt: null, ...input }
    const slot = this.documents.put(
      {
        rid,
        id: `f${rid}`,
        subject: null,
        author: null,
        session: session ?? null,
        isCode: false,
        status: 'active',
        ...times,
      },
      { scope: 'local', garden: null, federated: false },
    )
    return { slot, session: session ?? null, packed: new BytePart(packTerms({ title: '', head: '', text })) }
  }

  put(rid: number, text: string, input: Given = {}): void {
    this.remove(rid)
    this.words.put(this.#enter(rid, text, input))
  }

  load(all: readonly { readonly rid: number; readonly text: string; readonly session: string }[]): void {
    this.words.beginLoad()
    for (const { rid, text, session } of all) this.words.put(this.#enter(rid, text, { session }))
    for (const _ of this.words.endLoad()) expect(this.documents.slots.live).toBe(all.length)
  }

  remove(rid: number): void {
    const slot = this.documents.slots.slotOf(rid)
    if (slot < 0) return
    this.words.remove(slot)
    this.documents.remove(slot)
  }
}

const search = (shards: Unit | readonly Unit[], term: string, fields = OWN_WORDS, now = 10) => {
  const all = shards instanceof Unit ? [shards] : shards
  return searchBm25(
    all.map(({ words, documents }) => ({
      words,
      passes: (slot) => documents.isValid(slot, { at: now }),
      rowAt: (slot) => documents.slots.ridAt(slot),
    })),
    [term],
    100,
    fields,
    all.length > 1,
  )
}
const rids = (...args: Parameters<typeof search>) => search(...args).hits.map((hit) => hit.rid)
const ranked = (...args: Parameters<typeof search>) => search(...args).hits.map(({ rid, score }) => [rid, score])

describe('lexical search in memory', () => {
  test('a document put again replaces the old one, and a removed one is not found', () => {
    const shard = new Unit()
    shard.put(1, 'otter')
    shard.put(1, 'heron')
    expect([shard.documents.slots.live, rids(shard, 'otter'), rids(shard, 'heron')]).toEqual([1, [], [1]])
    shard.remove(1)
    shard.remove(1)
    expect([shard.documents.slots.live, rids(shard, 'heron'), search(shard, 'heron').documents]).toEqual([0, [], 0])
  })

  test('filters by window and expiry before the limit', () => {
    const shard = new Unit()
    shard.put(2, 'otter', { validUntil: 10 })
    shard.put(3, 'otter', { expiresAt: 10 })
    shard.put(4, 'otter', { validFrom: 11 })
    shard.put(5, 'otter')
    shard.put(6, 'otter')
    expect(rids(shard, 'otter')).toEqual([5, 6])
    expect(rids(shard, 'otter', OWN_WORDS, 9)).toEqual([2, 3, 5, 6])
    shard.put(2, 'otter')
    expect(rids(shard, 'otter')).toEqual([2, 5, 6])
  })

  test('neighbours of a session contribute context terms, the nearest most; deletion closes the gap', () => {
    const shard = new Unit()
    const last = 3 + CONTEXT_TURNS.before + 1
    for (let rid = 1; rid <= last; rid++) shard.put(rid, rid === 3 ? 'otter' : `word${rid}`, { session: 's' })
    shard.put(last + 1, 'gg')
    expect(rids(shard, 'otter')).toEqual([3])
    const reached = Array.from({ length: last - 1 }, (_, i) => i + 1)
    expect(rids(shard, 'otter', TUNED.fields)).toEqual(reached.sort((a, b) => score(b) - score(a) || a - b))
    expect(score(4)).toBeGreaterThan(score(5))
    expect(score(last)).toBe(0)
    shard.remove(5)
    expect(score(last)).toBeGreaterThan(0)

    function score(rid: number): number {
      return search(shard, 'otter', TUNED.fields).scoreAt(0, shard.documents.slots.slotOf(rid)).score
    }
  })

  test('context terms of long messages do not make their terms common', () => {
    const rarityWith = (filler: number): number => {
      const shard = new Unit()
      const padding = Array.from({ length: filler }, (_, i) => `pad${i}`).join(' ')
      for (let rid = 1; rid <= 10; rid++) shard.put(rid, `${rid === 5 ? 'otter' : 'gull'} ${padding}`, { session: 's' })
      return search(shard, 'otter', TUNED.fields).rarity
    }
    expect(rarityWith(10)).toBeLessThan(0.1)
    expect(rarityWith(800)).toBeGreaterThan(1.8)
  })

  test('orders a session by its rows, whenever they arrive', () => {
    const [forward, backward] = [new Unit(), new Unit()]
    const texts = ['one otter', 'two', 'three', 'four otter otter', 'five', 'six']
    for (const [i, text] of texts.entries()) forward.put(i + 1, text, { session: 's' })
    for (const [i, text] of [...texts.entries()].reverse()) backward.put(i + 1, text, { session: 's' })
    expect(ranked(backward, 'otter', TUNED.fields)).toEqual(ranked(forward, 'otter', TUNED.fields))
  })

  test('loading at once, one by one or with replacements gives the same results', () => {
    const shard = new Unit()
    const textOf = (rid: number, round: number): string => `otter number${rid} round${round} ${'gull '.repeat(rid % 5)}`
    for (let round = 0; round < 3; round++)
      for (let rid = 1; rid <= 300; rid++) shard.put(rid, textOf(rid, round), { session: `s${rid % 7}` })
    const loaded = new Unit()
    loaded.load(Array.from({ length: 300 }, (_, i) => ({ rid: i + 1, text: textOf(i + 1, 2), session: `s${(i + 1) % 7}` })))
    for (const word of ['number42', 'otter', 'gull', 'round1', 'round2'])
      expect(ranked(loaded, word, TUNED.fields)).toEqual(ranked(shard, word, TUNED.fields))
    expect(rids(shard, 'number42', TUNED.fields)[0]).toBe(42)
    expect(rids(shard, 'round1')).toEqual([])
    loaded.put(42, 'heron', { session: 's0' })
    shard.put(42, 'heron', { session: 's0' })
    expect(ranked(loaded, 'gull', TUNED.fields)).toEqual(ranked(shard, 'gull', TUNED.fields))
  })

  test('a term of all documents contributes no context, and deleted documents do not count', () => {
    const [few, many] = [new Unit(), new Unit()]
    for (const shard of [few, many])
      for (let rid = 1; rid <= 20; rid++) shard.put(rid, rid === 7 ? 'otter' : `word${rid}`, { session: 's' })
    for (let rid = 100; rid < 1300; rid++) many.put(rid, 'otter')
    expect(rids(few, 'otter', TUNED.fields).length).toBeGreaterThan(1)
    expect(rids(many, 'otter', TUNED.fields)).not.toContain(8)
    for (let rid = 100; rid < 1300; rid++) many.remove(rid)
    expect(ranked(many, 'otter', TUNED.fields)).toEqual(ranked(few, 'otter', TUNED.fields))
  })

  test('scores several shards as one', () => {
    const [shard, two, both] = [new Unit(), new Unit(), new Unit()]
    for (let rid = 1; rid <= 40; rid++) {
      const [text, session] = [`otter ${'gull '.repeat(rid % 4)} word${rid % 9}`, { session: `s${rid % 2}` }]
      both.put(rid, text, session)
      const half = rid % 2 === 0 ? shard : two
      half.put(rid, text, session)
    }
    for (const word of ['gull', 'word3', 'otter'])
      expect(ranked([shard, two], word, TUNED.fields)).toEqual(ranked(both, word, TUNED.fields))
  })

  test('later documents do not change the scores of a finished search', () => {
    const shard = new Unit()
    shard.put(1, 'otter')
    shard.put(2, 'heron')
    const answer = search(shard, 'otter')
    const { score } = answer.scoreAt(0, 0)
    shard.put(3, 'otter')
    expect([0, 1, 2, 99].map((slot) => answer.scoreAt(0, slot).score)).toEqual([score, 0, 0, 0])
  })
})

describe('totals cached per reader', () => {
  const DOCUMENTS = 600
  const mask = (n: number): Uint8Array => new Uint8Array(DOCUMENTS).map((_, i) => (i % (n + 2) === 0 ? 1 : 0))

  test('count as memory, are kept for few readers, and are dropped when documents change', () => {
    const shard = new Unit()
    for (let rid = 0; rid < DOCUMENTS; rid++) shard.put(rid, 'otter heron')
    const { words, documents } = shard
    const before = words.memoryBytes
    const hashes = [termHash('otter'), termHash('heron')]
    let max = 0
    for (let n = 0; n < 40; n++) {
      for (const hash of hashes) words.frequency(hash, mask(n))
      max = Math.max(max, words.memoryBytes - before)
    }
    expect(words.memoryBytes).toBeGreaterThan(before + DOCUMENTS)
    expect(max).toBeLessThanOrEqual(8 * (DOCUMENTS + 2 * 100))
    const plain = documents.memoryBytes
    documents.readable(({ scope }) => scope === 'team')
    expect(documents.memoryBytes).toBe(plain + DOCUMENTS)
    shard.put(DOCUMENTS, 'seal')
    expect(words.memoryBytes).toBeLessThan(before + 1000)
  })
})
