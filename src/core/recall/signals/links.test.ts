import { describe, expect, test } from 'vitest'
import { aCandidate, TUNED } from '../../../../test/scored-candidate.js'
import type { ScoredCandidate } from '../candidate.js'
import { computeHubLimit, computeLinkValues, findLinkedFacts } from './links.js'

const scored = (rid: number, score: number, subject: string | null = null): ScoredCandidate => aCandidate(rid, score, { subject })
const posting = (
  name: string,
  subjects: readonly number[],
  mentions: readonly number[],
): [string, { name: string; subjects: readonly number[]; mentions: readonly number[] }] => [name, { name, subjects, mentions }]

test('the limit of a hub grows with the store, within bounds', () => {
  expect([0, 100, 1000, 1_000_000].map(computeHubLimit)).toEqual([20, 20, 50, 60])
})

describe('linked facts', () => {
  test('the seed names what another fact is about', () => {
    const seed = scored(1, 1)
    const links = findLinkedFacts([{ scored: seed, mentions: ['otter'] }], new Map([posting('otter', [2], [1])]), 1000, TUNED)
    expect(links.get(2)).toMatchObject({ name: 'otter', seed })
    expect(links.get(2)?.strength).toBeCloseTo(1, 6)
    expect(links.has(1)).toBe(false)
  })

  test('another fact names what the seed is about', () => {
    const links = findLinkedFacts(
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
        findLinkedFacts([{ scored: scored(1, 1), mentions: ['otter'] }], new Map([posting('otter', [], mentions)]), 1000, TUNED).get(2)
          ?.strength ?? 0
      )
    }
    expect(strength(2)).toBeGreaterThan(strength(10))
    expect(strength(10)).toBeGreaterThan(0)
    expect(strength(51)).toBe(0)
  })

  test('ignores hubs, and passes less on from a weaker seed', () => {
    const many = Array.from({ length: 60 }, (_, i) => i + 2)
    expect(
      findLinkedFacts([{ scored: scored(1, 1), mentions: ['otter'] }], new Map([posting('otter', many, many)]), 1000, TUNED).size,
    ).toBe(0)
    const seeds = [
      { scored: scored(1, 1), mentions: [] },
      { scored: scored(2, 0), mentions: ['otter'] },
    ]
    const weak = findLinkedFacts(seeds, new Map([posting('otter', [3], [2])]), 1000, TUNED).get(3)?.strength ?? 0
    expect(weak).toBeCloseTo(Math.exp(-TUNED.sharpness), 6)
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
    findLinkedFacts(
      seeds.map(({ score, subject }, i) => ({ scored: scored(100 + i, score, subject ?? null), mentions: ['otter'] })),
      new Map([posted]),
      100,
      recipe,
      asked,
    )

  test('depends on the score of the seed, the rarity of the name and whether the query contains it', () => {
    const recipe = { ...TUNED, sharpness: 1, namedLink: 0.25 }
    // ln(100 / 10) / ln 100 = 0.5
    const strength = from([{ score: 0.8 }, { score: 0.4 }], posting('otter', [1], facts(10)), recipe).get(1)?.strength
    expect(strength).toBeCloseTo(0.5, 9)
    const second = findLinkedFacts(
      [
        { scored: scored(100, 0.8), mentions: [] },
        { scored: scored(101, 0.4), mentions: ['otter'] },
      ],
      new Map([posting('otter', [1], facts(10))]),
      100,
      recipe,
      new Set(['otter']),
    )
    expect(second.get(1)?.strength).toBeCloseTo(Math.exp(-0.4) * 0.25 * 0.5, 9)
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

  test('a faint one is none, and of equal ones the first stays', () => {
    const posted = posting('otter', [1], [2])
    expect(from([{ score: 1 }, { score: 0.1 }], posted, { ...TUNED, sharpness: 4 }).get(1)?.seed.header.rid).toBe(100)
    const faint = findLinkedFacts(
      [
        { scored: scored(100, 1), mentions: [] },
        { scored: scored(101, 0.1), mentions: ['otter'] },
      ],
      new Map([posted]),
      100,
      { ...TUNED, sharpness: 4 },
    )
    expect(faint.size).toBe(0)
    expect(from([{ score: 1 }, { score: 1 }], posted).get(1)?.seed.header.rid).toBe(100)
  })
})

test('a link adds its strength times the gain, but no fact passes its seed', () => {
  const [seed, near, far] = [scored(1, 3), scored(2, 2.5), scored(3, -2)]
  const link = (strength: number) => ({ strength, seed, name: 'otter', shared: false })
  const links = new Map([
    [2, link(1)],
    [3, link(0.5)],
    [1, { strength: 1, seed: near, name: 'x', shared: false }],
  ])
  expect(computeLinkValues([seed, near, far], links, 4)).toEqual([0, expect.closeTo(0.49, 9), 2])
})

test('names that two pieces of code have in common link them to no answer; what one of them is about does', () => {
  const code = (rid: number, session: string | null = null): ScoredCandidate => aCandidate(rid, 3 - rid, { isCode: true, session })
  const added = (target: ScoredCandidate, shared: boolean): number | undefined => {
    const seed = code(1)
    return computeLinkValues([seed, target], new Map([[2, { strength: 0.1, seed, name: 'path', shared }]]), 4)[1]
  }
  expect(added(code(2), true)).toBe(0)
  expect(added(code(2), false)).toBeGreaterThan(0)
  expect(added(scored(2, 0.4), true)).toBeGreaterThan(0)
  expect(added(code(2, 's'), true)).toBeGreaterThan(0)
})

test('a link by a name that both only mention says so, and one to what a fact is about does not', () => {
  const seed = scored(1, 1, 'harbour')
  const postings = new Map([posting('ann', [2], [1, 3]), posting('harbour', [1], [4])])
  const links = findLinkedFacts([{ scored: seed, mentions: ['ann'] }], postings, 100, TUNED)
  expect([2, 3, 4].map((rid) => links.get(rid)?.shared)).toEqual([false, true, false])
})
