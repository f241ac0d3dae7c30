import { describe, expect, test } from 'vitest'
import type { Scored } from './candidate.js'
import { applyLinks, hubLimit, linkedFacts, seedsOf } from './links.js'
import { TUNED } from './recipe.js'

const scored = (rid: number, score: number, subject: string | null = null): Scored => ({
  sketch: {
    rid,
    id: `f${rid}`,
    owner: 'o',
    subject,
    author: null,
    session: null,
    recordedAt: 0,
    validFrom: 0,
    validUntil: null,
    expiresAt: null,
    status: 'active',
    isCode: false,
  },
  cosine: null,
  bm25: 0,
  matches: 0,
  length: 10,
  score,
  vector: 0,
  lexical: 0,
  graph: 0,
  via: null,
  boosts: [],
})
const posting = (
  name: string,
  subjects: readonly number[],
  mentions: readonly number[],
): [string, { name: string; subjects: readonly number[]; mentions: readonly number[] }] => [name, { name, subjects, mentions }]

test('the best results are the seeds', () => {
  const all = [1, 2, 3, 4, 5, 6, 7].map((rid) => scored(rid, rid / 10))
  expect(seedsOf(all, TUNED).map((one) => one.sketch.rid)).toEqual([7, 6, 5, 4, 3])
})

test('the limit of a hub grows with the store, within bounds', () => {
  expect([0, 100, 1000, 1_000_000].map(hubLimit)).toEqual([20, 20, 50, 60])
})

describe('linked facts', () => {
  test('the seed names what another fact is about', () => {
    const seed = scored(1, 1)
    const links = linkedFacts([{ scored: seed, mentions: ['otter'] }], new Map([posting('otter', [2], [1])]), 1000, TUNED)
    expect(links.get(2)).toMatchObject({ name: 'otter', seed })
    expect(links.get(2)?.strength).toBeCloseTo(1, 6)
    expect(links.has(1)).toBe(false)
  })

  test('another fact names what the seed is about', () => {
    const links = linkedFacts(
      [{ scored: scored(1, 1, 'otter'), mentions: ['otter'] }],
      new Map([posting('otter', [1], [1, 3])]),
      1000,
      TUNED,
    )
    expect(links.get(3)?.strength).toBeCloseTo(TUNED.backLink, 6)
  })

  test('both name the same rare thing; the rarer the stronger', () => {
    const strength = (others: number) => {
      const mentions = Array.from({ length: others }, (_, i) => i + 1)
      return (
        linkedFacts([{ scored: scored(1, 1), mentions: ['otter'] }], new Map([posting('otter', [], mentions)]), 1000, TUNED).get(2)
          ?.strength ?? 0
      )
    }
    expect(strength(2)).toBeGreaterThan(strength(10))
    expect(strength(10)).toBeGreaterThan(0)
    expect(strength(51)).toBe(0)
  })

  test('a hub links nobody, and a weaker seed passes on less', () => {
    const many = Array.from({ length: 60 }, (_, i) => i + 2)
    expect(linkedFacts([{ scored: scored(1, 1), mentions: ['otter'] }], new Map([posting('otter', many, many)]), 1000, TUNED).size).toBe(0)
    const seeds = [
      { scored: scored(1, 1), mentions: [] },
      { scored: scored(2, 0.5), mentions: ['otter'] },
    ]
    const weak = linkedFacts(seeds, new Map([posting('otter', [3], [2])]), 1000, TUNED).get(3)?.strength ?? 0
    expect(weak).toBeCloseTo(0.5 ** TUNED.sharpness, 6)
  })
})

test('a link lifts, but never over its seed', () => {
  const [seed, near, far] = [scored(1, 0.8), scored(2, 0.7), scored(3, 0.1)]
  const link = (strength: number) => ({ strength, seed, name: 'otter' })
  applyLinks(
    [seed, near, far],
    new Map([
      [2, link(1)],
      [3, link(0.5)],
      [1, { strength: 1, seed: near, name: 'x' }],
    ]),
    TUNED,
  )
  expect(near.score).toBeCloseTo(0.999 * 0.8, 9)
  expect(far.score).toBeCloseTo(0.1 + TUNED.linkGain * 0.5, 9)
  expect(far).toMatchObject({ graph: 0.5, via: { seed: 'f1', name: 'otter' } })
  expect(seed).toMatchObject({ score: 0.8, via: null })
})
