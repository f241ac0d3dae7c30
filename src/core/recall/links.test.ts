import { describe, expect, test } from 'vitest'
import type { ScoredCandidate } from './candidate.js'
import { applyLinks, hubLimit, linkedFacts, seedsOf } from './links.js'
import { TUNED } from './recipe.js'

const scored = (rid: number, score: number, subject: string | null = null): ScoredCandidate => ({
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
  near: 0,
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
    expect(links.has(1)).toBe(false)
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

describe('how strong a link is', () => {
  const facts = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 2)
  const from = (
    seeds: readonly { readonly score: number; readonly subject?: string }[],
    posted: ReturnType<typeof posting>,
    recipe = TUNED,
    asked: ReadonlySet<string> = new Set(),
  ) =>
    linkedFacts(
      seeds.map(({ score, subject }, i) => ({ scored: scored(100 + i, score, subject ?? null), mentions: ['otter'] })),
      new Map([posted]),
      100,
      recipe,
      asked,
    )

  test('it goes by the seed beside the best one, by how rare the name is and by whether it was asked for', () => {
    const recipe = { ...TUNED, sharpness: 1, namedLink: 0.25 }
    // ln(100 / 10) / ln 100 = 0.5
    const strength = from([{ score: 0.8 }, { score: 0.4 }], posting('otter', [1], facts(10)), recipe).get(1)?.strength
    expect(strength).toBeCloseTo(0.5, 9)
    const second = linkedFacts(
      [
        { scored: scored(100, 0.8), mentions: [] },
        { scored: scored(101, 0.4), mentions: ['otter'] },
      ],
      new Map([posting('otter', [1], facts(10))]),
      100,
      recipe,
      new Set(['otter']),
    )
    expect(second.get(1)?.strength).toBeCloseTo(0.5 * 0.25 * 0.5, 9)
  })

  test('a name of as many facts as the limit of a hub still links, and one more does not', () => {
    const reached = (subjects: readonly number[], mentions: readonly number[], subject?: string, sharedNames = 1): number =>
      from([{ score: 1, ...(subject === undefined ? {} : { subject }) }], posting('otter', subjects, mentions), {
        ...TUNED,
        sharedNames,
      }).size
    expect([reached(facts(20), [1]), reached(facts(21), [1])]).toEqual([20, 0])
    expect([reached([], facts(20)), reached([], facts(21))]).toEqual([20, 0])
    expect([reached([], facts(20), 'otter', 0), reached([], facts(21), 'otter', 0)]).toEqual([20, 0])
  })

  test('a faint one is none, seeds without a score pass nothing on, and of equal ones the first stays', () => {
    const posted = posting('otter', [1], [2])
    expect(from([{ score: 1 }, { score: 0.1 }], posted, { ...TUNED, sharpness: 4 }).get(1)?.seed.sketch.rid).toBe(100)
    const faint = linkedFacts(
      [
        { scored: scored(100, 1), mentions: [] },
        { scored: scored(101, 0.1), mentions: ['otter'] },
      ],
      new Map([posted]),
      100,
      { ...TUNED, sharpness: 4 },
    )
    expect(faint.size).toBe(0)
    expect(from([{ score: 0 }], posted).size).toBe(0)
    expect(from([{ score: 1 }, { score: 1 }], posted).get(1)?.seed.sketch.rid).toBe(100)
  })

  test('one that lifts nothing is not told of', () => {
    const [seed, other] = [scored(1, 0.8), scored(2, 0.3)]
    applyLinks([seed, other], new Map([[2, { strength: 0, seed, name: 'otter', shared: false }]]), TUNED)
    expect(other).toMatchObject({ score: 0.3, via: null, graph: 0 })
  })
})

test('a link lifts, but never over its seed', () => {
  const [seed, near, far] = [scored(1, 0.8), scored(2, 0.7), scored(3, 0.1)]
  const link = (strength: number) => ({ strength, seed, name: 'otter', shared: false })
  applyLinks(
    [seed, near, far],
    new Map([
      [2, link(1)],
      [3, link(0.5)],
      [1, { strength: 1, seed: near, name: 'x', shared: false }],
    ]),
    TUNED,
  )
  expect(near.score).toBeCloseTo(0.999 * 0.8, 9)
  expect(far.score).toBeCloseTo(0.1 + TUNED.linkGain * 0.5, 9)
  expect(far).toMatchObject({ graph: 0.5, via: { seed: 'f1', name: 'otter' } })
  expect(seed).toMatchObject({ score: 0.8, via: null })
})

test('names that two pieces of code have in common link them to no answer; what one of them is about does', () => {
  const code = (rid: number, score: number): ScoredCandidate => {
    const one = scored(rid, score)
    return { ...one, sketch: { ...one.sketch, isCode: true } }
  }
  const lift = (target: ScoredCandidate, shared: boolean): number => {
    const seed = code(1, 1)
    applyLinks([seed, target], new Map([[2, { strength: 0.3, seed, name: 'path', shared }]]), TUNED)
    return target.score
  }
  expect(lift(code(2, 0.4), true)).toBe(0.4)
  expect(lift(code(2, 0.4), false)).toBeGreaterThan(0.4)
  expect(lift(scored(2, 0.4), true)).toBeGreaterThan(0.4)
  const turn = code(2, 0.4)
  expect(lift({ ...turn, sketch: { ...turn.sketch, session: 's' } }, true)).toBeGreaterThan(0.4)
})

test('a link by a name that both only mention says so, and one to what a fact is about does not', () => {
  const seed = scored(1, 1, 'harbour')
  const postings = new Map([posting('ann', [2], [1, 3]), posting('harbour', [1], [4])])
  const links = linkedFacts([{ scored: seed, mentions: ['ann'] }], postings, 100, TUNED)
  expect([2, 3, 4].map((rid) => links.get(rid)?.shared)).toEqual([false, true, false])
})
