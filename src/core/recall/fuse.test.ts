import { describe, expect, test } from 'vitest'
import type { Candidate, FactHeader } from './candidate.js'
import { byScore, fuse } from './fuse.js'
import { TUNED } from './recipe.js'

const DAY = 86_400e6

const sketch = (rid: number, given: Partial<FactHeader> = {}): FactHeader => ({
  rid,
  id: `f${rid}`,
  owner: 'o',
  subject: null,
  author: null,
  session: 's',
  recordedAt: 0,
  validFrom: 0,
  validUntil: null,
  expiresAt: null,
  status: 'active',
  isCode: false,
  ...given,
})
const candidate = (rid: number, cosine: number | null, bm25: number, given: Partial<FactHeader> = {}): Candidate => ({
  sketch: sketch(rid, given),
  cosine,
  bm25,
  matches: 2,
  near: 0,
  length: 10,
})
const question = {
  ...{ at: 100 * DAY, cosineFloor: 0.7, author: null, subjects: new Set<string>() },
  ...{ terms: 2, exact: 0, documents: 1000, strength: 1 },
}

describe('fusion', () => {
  test('both sides are scaled from their floor to their best, and weighted', () => {
    const [best, half] = fuse([candidate(1, 0.9, 4), candidate(2, 0.8, 2)], question, TUNED)
    expect(best).toMatchObject({ score: 1, vector: 1, lexical: 1 })
    expect(half?.vector).toBeCloseTo(0.5, 6)
    expect(half?.score).toBeCloseTo(0.5, 6)
  })

  test('a cosine under the floor counts as nothing, never as less', () => {
    const [, low] = fuse([candidate(1, 0.9, 1), candidate(2, 0.1, 1)], question, TUNED)
    expect(low).toMatchObject({ vector: 0, lexical: 1 })
    expect(low?.score).toBeCloseTo(1 - TUNED.denseWeight, 6)
  })

  test('a fact whose vector is still to be made is carried by its words', () => {
    const scored = fuse([candidate(1, 0.9, 0), candidate(2, null, 5)], question, TUNED)
    expect(scored[1]?.score).toBeGreaterThanOrEqual(0.5 / Math.max(TUNED.denseWeight, 0.5) - 1e-9)
  })

  test('members of a kind that the question names lift a note, not what is long, has a subject or is code, nor in a long question', () => {
    const lifted = (given: Partial<Candidate>, facts: Partial<FactHeader> = {}, terms = 2) => {
      const other = { ...candidate(2, 0.8, 0, facts), near: 11, ...given }
      return fuse([candidate(1, 0.9, 4), other], { ...question, terms }, TUNED)[1]
    }
    const plain = lifted({ near: 0 })?.score ?? 0
    const full = (lifted({})?.score ?? 0) - plain
    expect(full).toBeCloseTo((TUNED.nearWords * 11) / 2.2 / TUNED.evidence, 9)
    expect(lifted({})?.boosts).toEqual(['near words'])
    expect((lifted({ near: 1000 })?.score ?? 0) - plain).toBeCloseTo(TUNED.nearWords, 9)
    expect((lifted({}, {}, 9)?.score ?? 0) - plain).toBeCloseTo(full / 2, 9)
    for (const none of [lifted({}, {}, 16), lifted({}, { subject: 'otter' }), lifted({}, { isCode: true })])
      expect(none?.boosts).toEqual([])
    expect(lifted({ length: 800 })?.score).toBeLessThan(plain + full / 50)
  })

  test('in a small store, where no word is as rare as in a large one, fewer rare near words count in full', () => {
    const lift = (documents: number, near: number): number => {
      const [, plain] = fuse([candidate(1, 0.9, 4), candidate(2, 0.8, 0)], { ...question, documents }, TUNED)
      const [, lifted] = fuse([candidate(1, 0.9, 4), { ...candidate(2, 0.8, 0), near }], { ...question, documents }, TUNED)
      return (lifted?.score ?? 0) - (plain?.score ?? 0)
    }
    const alone = 2.2 * Math.log(1 + 19.5 / 1.5)
    expect(lift(20, alone)).toBeCloseTo(TUNED.nearWords / 3, 9)
    expect(lift(20, 3 * alone)).toBeCloseTo(TUNED.nearWords, 9)
    expect(lift(1000, alone)).toBeCloseTo((TUNED.nearWords * alone) / 2.2 / TUNED.evidence, 9)
    expect(lift(0, 3)).toBeCloseTo(TUNED.nearWords, 9)
  })

  test('words of code count in full, however few of the question they are', () => {
    const alone = { session: null, isCode: true }
    const [, code] = fuse(
      [candidate(1, 0.9, 0, alone), { ...candidate(2, 0.8, 4, alone), matches: 1 }],
      { ...question, strength: 0.3 },
      TUNED,
    )
    expect(code?.lexical).toBe(1)
  })

  test('among turns half of the question is enough for its words to count in full, and less counts in proportion', () => {
    const lexicalAt = (strength: number, sessions: readonly (string | null)[]): number =>
      fuse(
        sessions.map((session, i) => candidate(i + 1, 0.9, 4, { session })),
        { ...question, strength },
        TUNED,
      )[0]?.lexical ?? 0
    expect(lexicalAt(0.5, ['s', 's'])).toBe(1)
    expect(lexicalAt(0.2, ['s', 's'])).toBeCloseTo(0.4, 9)
    expect(lexicalAt(0.2, ['s', null])).toBeCloseTo((0.4 + 0.2) / 2, 9)
    expect(lexicalAt(0.2, [null, null])).toBeCloseTo(0.2, 9)
  })

  test('a snippet among notes is measured as they are, among code by its meaning', () => {
    const snippet = candidate(1, 0.88, 0, { isCode: true })
    const scoreAmong = (others: readonly Candidate[]): number => fuse([snippet, ...others], question, TUNED)[0]?.score ?? 0
    const notes = Array.from({ length: 9 }, (_, i) => candidate(i + 2, 0.9, 4))
    const functions = notes.map((one) => ({ ...one, sketch: { ...one.sketch, isCode: true } }))
    expect(scoreAmong(notes)).toBeCloseTo(0.9 * (0.65 + 0.1 * 0.3), 6)
    expect(scoreAmong(functions)).toBeCloseTo(0.9 * 0.95, 6)
  })

  test('words of notes that stand for themselves count by how much of the question they hold, one word of several hardly', () => {
    const half = { ...question, strength: 0.6 }
    const words = (sessions: readonly (string | null)[], matches: number, terms = 2): number =>
      fuse(
        sessions.map((session, i) => ({ ...candidate(i, null, 4, { session }), matches })),
        { ...half, terms },
        { ...TUNED, singleWord: 0.5 },
      )[0]?.lexical ?? 0
    expect(words([null, null], 2)).toBeCloseTo(0.6, 9)
    expect(words([null, 's'], 2)).toBeCloseTo(0.8, 9)
    expect(words(['s', 's'], 1)).toBeCloseTo(1, 9)
    expect(words([null, null], 1)).toBeCloseTo(0.3, 9)
    expect(words([null, 's'], 1)).toBeCloseTo(0.8 * 0.75, 9)
    expect(words([null, null], 1, 1)).toBeCloseTo(0.6, 9)
  })

  test('words alone count for half at least, and for more where they weigh more', () => {
    const bare = (denseWeight: number): number | undefined =>
      fuse([candidate(1, 0.9, 4), candidate(2, null, 4)], question, { ...TUNED, denseWeight })[1]?.score
    expect(bare(0.8)).toBeCloseTo(0.5, 9)
    expect(bare(0.2)).toBeCloseTo(0.8, 9)
  })

  test('what the recipe leaves out is not named, nor a subject that was not asked for', () => {
    const asked = { ...question, author: 'Ann', subjects: new Set(['otter']) }
    const named = candidate(1, 0.8, 1, { author: 'Ann', subject: 'otter' })
    expect(fuse([named], asked, { ...TUNED, authorBoost: 0, subjectBoost: 0 })[0]?.boosts).toEqual([])
    expect(fuse([candidate(1, 0.8, 1, { subject: 'heron' })], asked, TUNED)[0]?.boosts).toEqual([])
  })

  test('author and subject lift those whom the question names', () => {
    const asked = { ...question, author: 'Ann', subjects: new Set(['otter']) }
    const scored = fuse(
      [candidate(1, 0.8, 1), candidate(2, 0.8, 1, { author: 'Ann' }), candidate(3, 0.8, 1, { subject: 'otter' })],
      asked,
      TUNED,
    )
    expect([...scored].sort(byScore).map((one) => one.sketch.rid)).toEqual([3, 2, 1])
    expect(scored.map((one) => one.boosts)).toEqual([[], ['author'], ['subject']])
  })

  test('words count for more where the candidates are long, and where the question is a number or a code', () => {
    const list = (length: number) => [candidate(1, 0.9, 0), candidate(2, 0.7, 4)].map((one) => ({ ...one, length }))
    const wordsOf = (length: number, exact: number): number => fuse(list(length), { ...question, exact }, TUNED)[1]?.score ?? 0
    const usual = wordsOf(20, 0)
    expect(usual).toBeCloseTo((1 - TUNED.denseWeight) / TUNED.denseWeight, 6)
    expect(wordsOf(80, 0)).toBeCloseTo(usual, 6)
    expect(wordsOf(400, 0)).toBeGreaterThan(wordsOf(160, 0))
    expect(wordsOf(160, 0)).toBeGreaterThan(usual)
    expect(wordsOf(20, 1)).toBeGreaterThan(wordsOf(20, 0.5))
    expect(wordsOf(20, 0.5)).toBeGreaterThan(usual)
  })

  test('recency halves with each half-life, only where the recipe asks for it', () => {
    const recipe = { ...TUNED, recency: 1, recencyHalfLifeDays: 10 }
    const scored = fuse(
      [candidate(1, null, 0, { recordedAt: 100 * DAY }), candidate(2, null, 0, { recordedAt: 90 * DAY })],
      question,
      recipe,
    )
    expect(scored.map((one) => one.score)).toEqual([1, 0.5])
  })

  test('nothing in, nothing out, and no division by zero', () => {
    expect(fuse([], question, TUNED)).toEqual([])
    expect(fuse([candidate(1, 0.7, 0)], question, TUNED)[0]?.score).toBe(0)
  })
})

test('equal scores are ordered by age, then by row', () => {
  const scored = fuse([candidate(3, null, 1), candidate(2, null, 1, { recordedAt: 5 }), candidate(1, null, 1)], question, TUNED)
  expect([...scored].sort(byScore).map((one) => one.sketch.rid)).toEqual([2, 1, 3])
})
