import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import type { Fact } from '../../facts/fact.js'
import { isSoftlyCompared, jaccard, softDuplicatesOf, softMatch, softTokens, softView } from './soft-duplicates.js'
import { softPairs } from './soft-pairs.js'

const fact = (id: string, title: string, text: string, more: Partial<Fact> = {}): Fact => aFact({ id, title, text, ...more })
const match = (a: Fact, b: Fact) => softMatch(softView(a), softView(b))
const pairsOf = (facts: readonly Fact[]) => {
  const steps = softPairs(facts)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}
const evidence = [{ source_id: 's', segment_id: '1' }]
const about = { references: { subject_refs: ['node:a'] } }

describe('compared words', () => {
  test('exclude function words and plurals, and split CJK into characters', () => {
    expect([...softTokens('The Cats and gas in 记忆')]).toEqual(['cat', 'gas', '记', '忆'])
    expect([jaccard(new Set('ab'), new Set('abc')), jaccard(new Set('abc'), new Set('cd')), jaccard(new Set(), new Set())]).toEqual([
      2 / 3,
      1 / 4,
      0,
    ])
  })
})

describe('similarity of two knowledge objects', () => {
  const base = fact('a', 'red green', 'one two')

  test.each([
    // Titles and texts with 0.4 each, the kind with 0.1.
    ['title and kind', fact('b', 'red green', 'six'), 0.5, ['title_overlap', 'same_kind']],
    ['half of both', fact('b', 'red blue', 'one two'), 0.633333, ['title_overlap', 'summary_overlap', 'same_kind']],
    ['another kind', fact('b', 'red green', 'one two', { kind: 'idea' }), 0.8, ['title_overlap', 'summary_overlap']],
    ['all', fact('b', 'red green', 'one two'), 0.9, ['title_overlap', 'summary_overlap', 'same_kind']],
  ])('%s', (_, other, score, reasons) => {
    expect(match(base, other)).toEqual({ score, reasons })
  })

  test('rises with shared subjects and evidence', () => {
    const entry = fact('a', 'red green', 'one two', { ...about, evidence })
    const other = fact('b', 'red blue', 'six', { ...about, evidence })
    // 0.4 / 3 and three times 0.1 are below a half, 0.4 / 2 are not.
    expect(match(entry, other)).toBeUndefined()
    expect(match(entry, fact('b', 'red', 'six', { ...about, evidence }))).toEqual({
      score: 0.5,
      reasons: ['title_overlap', 'same_kind', 'shared_subject', 'shared_evidence'],
    })
    expect(match(entry, fact('b', 'red', 'six', about))).toBeUndefined()
    const named = { subject: 'Ann' }
    expect(match(fact('a', 'red green', 'x', named), fact('b', 'red green', 'y', named))?.reasons).toContain('shared_subject')
  })

  test('counts overlaps from 0.3 of the title and 0.25 of the text', () => {
    const quarter = match(base, fact('b', 'red green', 'one six ten'))
    expect(quarter?.reasons).toContain('summary_overlap')
    const title = match(fact('a', 'a1 b1 c1 d1 e1 f1', 'one two'), fact('b', 'a1 b1 c1 g1 h1 i1 j1', 'one two'))
    expect(title?.reasons).toContain('title_overlap')
  })

  test('is zero for identical objects and for disjoint scopes', () => {
    expect(match(base, base)).toBeUndefined()
    const [here, there] = [['p'], ['q']].map((scopes, i) => fact(`s${i}`, 'red green', 'one two', { scopes }))
    if (here === undefined || there === undefined) throw new Error('two were made')
    expect(match(here, there)).toBeUndefined()
    expect(match(here, base)?.score).toBe(0.9)
  })

  test('excludes claims, contested and ended objects', () => {
    expect([
      isSoftlyCompared(base),
      isSoftlyCompared({ ...base, status: 'stale' }),
      isSoftlyCompared({ ...base, status: 'contested' }),
      isSoftlyCompared({ ...base, status: 'superseded' }),
      isSoftlyCompared({ ...base, form: 'activity' }),
      isSoftlyCompared({ ...base, subject: 'Ann', predicate: 'likes' }),
    ]).toEqual([true, true, false, false, false, false])
  })

  test('returns the best five, by score, title and id', () => {
    const others = [
      fact('z', 'red green', 'six'),
      fact('t', 'red green', 'six'),
      fact('y', 'red green', 'six'),
      fact('x', 'green red', 'six'),
      fact('w', 'red green', 'one two'),
      fact('v', 'blue', 'six'),
      fact('u', 'red green', 'six'),
      fact('c', 'red green', 'one two', { status: 'archived' }),
    ]
    expect(softDuplicatesOf(base, others).map((hit) => hit.fact.id)).toEqual(['w', 'x', 't', 'u', 'y'])
    expect(softDuplicatesOf({ ...base, status: 'archived' }, others)).toEqual([])
  })
})

describe('all possible duplicate pairs', () => {
  const word = fc.constantFrom('red', 'green', 'blue', 'one', 'two', 'six')
  const some = fc.record({
    title: fc.array(word, { minLength: 1, maxLength: 3 }),
    text: fc.array(word, { minLength: 1, maxLength: 4 }),
    subject: fc.constantFrom(null, 'node:a', 'node:b'),
    rests: fc.boolean(),
    status: fc.constantFrom('active' as const, 'stale' as const, 'archived' as const),
  })
  const toFact = (
    id: string,
    {
      title,
      text,
      subject,
      rests,
      status,
    }: { title: readonly string[]; text: readonly string[]; subject: string | null; rests: boolean; status: Fact['status'] },
  ): Fact =>
    fact(id, title.join(' '), text.join(' '), {
      ...{ status, ...(rests ? { evidence } : {}) },
      ...(subject === null ? {} : { references: { subject_refs: [subject] } }),
    })
  const expected = (facts: readonly Fact[]) =>
    facts.flatMap((b, j) =>
      facts.slice(0, j).flatMap((a) => {
        const found = isSoftlyCompared(a) && isSoftlyCompared(b) ? match(a, b) : undefined
        return found === undefined ? [] : [`${[a.id, b.id].sort().join(' ')} ${found.score}`]
      }),
    )

  test.each([1, 40])('equal those of an exhaustive comparison (%i of each)', (times) => {
    fc.assert(
      fc.property(fc.array(some, { minLength: 2, maxLength: 8 }), (values) => {
        const facts = Array.from({ length: times }, (_, n) =>
          values.map((entry, i) => toFact(`f${String(n * 10 + i).padStart(4, '0')}`, entry)),
        ).flat()
        const { pairs, count, complete } = pairsOf(facts)
        const all = expected(facts)
        expect([count, complete]).toEqual([all.length, true])
        if (all.length <= 100) expect(pairs.map(({ a, b, score }) => `${a.id} ${b.id} ${score}`).sort()).toEqual([...all].sort())
        expect(pairs.length).toBe(Math.min(100, all.length))
      }),
      { numRuns: times === 1 ? 60 : 1 },
    )
  })

  test('need less similarity with shared subject and evidence, and count once', () => {
    const shared = { ...about, evidence }
    const { pairs, count } = pairsOf([fact('a', 'red green', 'one two', shared), fact('b', 'red blue', 'one six', shared)])
    expect([count, pairs.map(({ score }) => score)]).toEqual([1, [0.566667]])
    const subject = pairsOf([fact('a', 'x1 y1 p1', 'x2 y2 p2', about), fact('b', 'x1 y1 q1 r1', 'x2 y2 q2 r2', about)])
    expect([subject.count, subject.pairs.map(({ score }) => score)]).toEqual([1, [0.52]])
    // Also if too many share them for all pairs to be compared.
    const many = Array.from({ length: 70 }, (_, i) => fact(`m${i}`, `title${i}`, `text${i}`, shared))
    expect(pairsOf([...many, fact('a', 'red green', 'one two', shared), fact('b', 'red blue', 'one six', shared)]).count).toBe(1)
  })

  test('are ordered by score, then by id', () => {
    const facts = [fact('d', 'red', 'six'), fact('c', 'red', 'one'), fact('b', 'red', 'six'), fact('a', 'red', 'two')]
    expect(pairsOf(facts).pairs.map(({ a, b, score }) => [a.id, b.id, score])).toEqual([
      ['b', 'd', 0.9],
      ['a', 'b', 0.5],
      ['a', 'c', 0.5],
      ['a', 'd', 0.5],
      ['b', 'c', 0.5],
      ['c', 'd', 0.5],
    ])
  })
})
