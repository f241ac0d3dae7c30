import { describe, expect, it } from 'vitest'
import { loadCodeRecipe } from '../../../open/recipes.js'
import { type CodeSignals, liftCallees, namesInQuery, rankCode, rankInOrder, withoutCopies } from './rank.js'
import { forQuery, isTestFile } from './role.js'

const CODE_RECIPE = loadCodeRecipe()

const signals = (rid: number, input: Partial<CodeSignals>): CodeSignals => ({
  rid,
  file: String(rid),
  kind: 'function',
  bm25: 0,
  rarity: 0,
  cosine: null,
  rough: null,
  defines: [],
  ...input,
})
const order = (candidates: readonly CodeSignals[]): readonly number[] =>
  [...rankCode(candidates, 0.7, CODE_RECIPE)].sort((a, b) => b.score - a.score).map((code) => code.rid)

describe('rankCode', () => {
  it('weights the vector score above the lexical score', () => {
    expect(
      order([signals(1, { cosine: 0.9, bm25: 1 }), signals(2, { cosine: 0.8, bm25: 9 }), signals(3, { cosine: 0.9, bm25: 2 })]),
    ).toEqual([3, 1, 2])
  })

  it('puts the definition of a spelled-out name first, regardless of other signals', () => {
    expect(order([signals(1, { cosine: 0.95, bm25: 9 }), signals(2, { cosine: 0.72, bm25: 1, defines: ['parseToken'] })])).toEqual([2, 1])
  })

  it('does not rank a passage first only because it alone has a vector', () => {
    expect(order([signals(1, { cosine: 0.73 }), signals(2, { rough: 0.6, bm25: 4 }), signals(3, { rough: 0.5, bm25: 3 })])).toEqual([
      2, 3, 1,
    ])
  })

  it('prefers a file with several matching passages', () => {
    const [lone, together, neighbours] = [signals(1, { bm25: 4 }), signals(2, { bm25: 4, file: 'f' }), signals(3, { bm25: 3, file: 'f' })]
    expect(order([lone, together, neighbours])).toEqual([2, 3, 1])
  })

  it('prefers a definition to plain lines that mention it', () => {
    expect(order([signals(1, { cosine: 0.9, kind: 'module' }), signals(2, { cosine: 0.89 })])).toEqual([2, 1])
  })

  it('keeps scores between 0 and 1', () => {
    const ranked = rankCode([signals(1, { cosine: 1, bm25: 9, defines: ['a'] }), signals(2, { cosine: 0.2 })], 0.7, CODE_RECIPE)
    for (const { score } of ranked) expect(score).toSatisfy((value: number) => value >= 0 && value <= 1)
  })
})

describe('files of tests', () => {
  it('rank below what they test, unless the query mentions tests', () => {
    const pair = [signals(1, { cosine: 0.9, file: '0/src/a.test.ts' }), signals(2, { cosine: 0.89, file: '0/src/a.ts' })]
    expect(order(pair)).toEqual([2, 1])
    expect(
      [...rankCode(pair, 0.7, forQuery(CODE_RECIPE, 'which tests cover the parser'))]
        .sort((a, b) => b.score - a.score)
        .map((code) => code.rid),
    ).toEqual([1, 2])
    expect(forQuery(CODE_RECIPE, 'test_parser').roles.test).toBe(1)
    expect(forQuery(CODE_RECIPE, 'the latest contest').roles.test).toBeLessThan(1)
  })

  it.each(['0/src/a.spec.ts', '0/test/x.ts', '0/pkg/a_test.go', '0/test_a.py', '0/src/CartTest.java', '0/a/__tests__/b.js'])(
    '%s',
    (path) => {
      expect(isTestFile(path)).toBe(true)
    },
  )

  it.each(['0/src/latest.ts', '0/src/attest/a.ts', '0/contest.py', '0/src/testing.ts'])('not %s', (path) => {
    expect(isTestFile(path)).toBe(false)
  })
})

describe('withoutCopies', () => {
  it('lowers repeats of a better passage', () => {
    const values = [0.9, 0.8, 0.7, 0.6].map((score, rid) => ({ rid, score, text: rid < 3 ? 'same' : 'other' }))
    expect(withoutCopies(values, (entry) => entry.text, CODE_RECIPE).map((copy) => copy.rid)).toEqual([0, 3, 1, 2])
  })
})

describe('inOrder', () => {
  it('does not let one file fill the results', () => {
    const ranked = rankCode(
      [signals(1, { cosine: 0.9, file: 'a' }), signals(2, { cosine: 0.89, file: 'a' }), signals(3, { cosine: 0.889, file: 'b' })],
      0.7,
      CODE_RECIPE,
    )
    expect(rankInOrder(ranked, CODE_RECIPE).map((code) => code.rid)).toEqual([1, 3, 2])
  })
})

describe('liftCallees', () => {
  it('raises what a good match calls, at most to its score', () => {
    const ranked = rankCode([signals(1, { cosine: 0.9 }), signals(2, { cosine: 0.88 }), signals(3, { cosine: 0.78 })], 0.7, CODE_RECIPE)
    const before = ranked.map((code) => code.score)
    liftCallees(
      ranked,
      [
        { from: 1, to: 2, name: 'two', weight: 1 },
        { from: 1, to: 3, name: 'three', weight: 1 },
      ],
      { ...CODE_RECIPE, linkGain: 0.2 },
    )
    const [first, second, third] = ranked.map((code) => code.score)
    expect(first).toBe(before[0])
    expect(second).toBeCloseTo(0.999 * (before[0] ?? 0))
    expect(third).toBeGreaterThan(before[2] ?? 0)
    expect(ranked[2]?.via).toEqual({ rid: 1, name: 'three' })
  })
})

describe('namesAsked', () => {
  it.each([
    ['where is retryOnConflict used', ['retryOnConflict']],
    ['load_config', ['load_config']],
    ['Store.commit', ['Store', 'commit']],
    ['what does parse() return', ['parse']],
    ['the `open` flag', ['open']],
    ['how do we parse dates', []],
  ])('%s', (question, names) => {
    expect(namesInQuery(question)).toEqual(names)
  })
})

describe('parts of a score', () => {
  const recipe = { ...CODE_RECIPE, denseWeight: 0.8, roughWeight: 0.4, roughShare: 0.25, fileShare: 0, sharpness: 1, linkGain: 0.4 }

  it('combines both kinds of vectors, each on its own scale, with keywords', () => {
    const ranked = rankCode(
      [
        signals(1, { cosine: 0.5, rough: 0.6 }),
        signals(2, { cosine: 0.25, rough: 0.6 }),
        signals(3, { rough: 0.3 }),
        signals(4, { cosine: 0.25 }),
        signals(5, { bm25: 2 }),
      ],
      0,
      recipe,
    )
    expect(ranked.map(({ vector }) => vector)).toEqual([1, 0.625, 0.5, 0.5, 0].map((value) => expect.closeTo(value, 10)))
    expect(ranked.map(({ score }) => score)).toEqual([0.8, 0.5, 0.2, 0.4, 1].map((value) => expect.closeTo(value, 10)))
  })

  it('include the three best passages of the file, the second and third with less weight', () => {
    const passages = [1, 4, 2, 8].map((bm25, i) => signals(i + 1, { file: 'f', bm25 }))
    const scores = rankCode([...passages, signals(9, { file: 'g', bm25: 7 })], 0, { ...recipe, fileShare: 1 }).map(({ score }) => score)
    // 8 + 4 / 2 + 2 / 4
    expect(scores).toEqual([1, 1, 1, 1, 7 / 10.5].map((value) => expect.closeTo(value, 10)))
  })

  const based = (...scores: readonly number[]) =>
    scores.map((score, i) => ({ ...signals(i + 1, {}), score, vector: 0, lexical: 0, graph: 0, via: null }))

  it('include the strongest caller, of equal ones the first', () => {
    const ranked = based(1, 0.5, 0.2)
    const links = [
      { from: 1, to: 3, name: 'x', weight: 0.5 },
      { from: 2, to: 3, name: 'y', weight: 1 },
    ]
    liftCallees(ranked, links, recipe)
    expect(ranked[2]).toMatchObject({ score: expect.closeTo(0.4, 10), graph: 0.5, via: { rid: 1, name: 'x' } })
    const still = based(1, 0.2)
    liftCallees(still, [{ from: 1, to: 2, name: 'x', weight: 1 }], { ...recipe, linkGain: 0 })
    expect(still[1]).toMatchObject({ score: 0.2, graph: 0, via: null })
  })

  it('equal scores are ordered by row', () => {
    const equal = based(0.5, 0.5, 0.5).reverse()
    expect(rankInOrder(equal, { ...recipe, crowding: 1 }).map(({ rid }) => rid)).toEqual([1, 2, 3])
    expect(withoutCopies(equal, ({ rid }) => String(rid), recipe).map(({ rid }) => rid)).toEqual([1, 2, 3])
  })
})
