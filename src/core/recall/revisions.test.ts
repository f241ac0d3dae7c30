import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import type { Fact } from '../facts/fact.js'
import { findRevisions } from './revisions.js'
import { type RankedFact, revisionMarksOf, revisionValues } from './supersession.js'

const NOW = 1_000_000
const fact = (id: string, text: string, given: Partial<Fact> = {}): Fact =>
  aFact({ id, owner: 'o', text, source: 'mcp:a', eventAt: 0, validFrom: 0, recordedAt: 0, updatedAt: 0, ...given })

/** In the order of their ranks; the later in `rows` the newer. */
const ranked = (facts: readonly Fact[], rows: readonly string[], scores: readonly number[] = [1, 0.8, 0.6, 0.4]): readonly RankedFact[] =>
  facts.map((one, i) => ({ fact: one, score: scores[i] ?? 0.1, contributions: [], rid: rows.indexOf(one.id) + 1, isCode: false }))

/** In the order of their scores after the revisions. */
function applied(results: readonly RankedFact[], revisions: ReturnType<typeof findRevisions>) {
  const values = revisionValues(results, revisions)
  return results
    .map((one, i) => ({ ...one, ...revisionMarksOf(one.fact, revisions), score: one.score + (values[i] ?? 0) }))
    .sort((a, b) => b.score - a.score)
}

const told = (results: readonly RankedFact[], alike: number | null = 0.6) =>
  applied(
    results,
    findRevisions(results, () => alike, NOW),
  ).map(({ fact: { id }, supersededBy, contradicts }) => [id, supersededBy?.id ?? null, ...contradicts])

const OLD = fact('old', 'The office is on the third floor.')
const NEW = fact('new', 'The office moved to the fifth floor.')

describe('a later note', () => {
  test('with words of change precedes the note it replaces, which is marked and stays', () => {
    expect(told(ranked([OLD, NEW], ['old', 'new']))).toEqual([
      ['new', null],
      ['old', 'new'],
    ])
  })

  test('marks the older note also if it is already behind', () => {
    expect(told(ranked([NEW, OLD], ['old', 'new']))).toEqual([
      ['new', null],
      ['old', 'new'],
    ])
  })

  test('replaces nothing that it is not like, shares no word with, or that answers far better', () => {
    expect(told(ranked([OLD, NEW], ['old', 'new']), 0.2)[0]).toEqual(['old', null])
    expect(told(ranked([OLD, NEW], ['old', 'new']), null)[0]).toEqual(['old', null])
    expect(told(ranked([OLD, fact('new', 'Lunch moved to noon.')], ['old', 'new']))[0]).toEqual(['old', null])
    expect(told(ranked([OLD, NEW], ['old', 'new'], [1, 0.2]))[0]).toEqual(['old', null])
  })

  test('does not take the place of an older one when the judge says that it answers another question', () => {
    const judged = (raw: number, one: RankedFact): RankedFact => ({ ...one, contributions: [{ name: 'judge', value: raw }] })
    const [older, newer] = ranked([OLD, NEW], ['old', 'new'], [10, 9.5])
    if (older === undefined || newer === undefined) throw new Error('Two were made.')
    expect(told([judged(1.7, older), judged(-1.9, newer)])).toEqual([
      ['old', null],
      ['new', null],
    ])
    expect(told([judged(1.7, older), judged(0, newer)])[0]).toEqual(['new', null])
  })

  test('that only adds to it leaves it in its place', () => {
    const added = fact('new', 'The office has a kitchen on the floor above.')
    expect(told(ranked([OLD, added], ['old', 'new']))[0]).toEqual(['old', null])
  })

  test('that answers the same words of the question with another value replaces it, with no word of change', () => {
    const [old, later] = [
      fact('old', 'Merchants may send 100 requests a minute.'),
      fact('new', 'Gateway: 250 requests a minute, burst 50.'),
    ]
    const others = ['Lunch is at noon.', 'The roof leaks.', 'Ana likes tea.'].map((text, i) => fact(`x${i}`, text))
    const results = ranked([old, later, ...others], ['old', 'new', 'x0', 'x1', 'x2'], [1, 0.7, 0.3, 0.2, 0.1])
    const why = (asked: readonly string[], alike = 0.5, found: readonly RankedFact[] = results) =>
      findRevisions(found, () => alike, NOW, { text: '', terms: asked }).map((one) => `${one.older.id} < ${one.newer.id}: ${one.why}`)
    expect(why(['request', 'minut', 'merchant'])).toEqual(['old < new: answers the same question later'])
    expect(why(['request', 'minut', 'merchant', 'send'])).toEqual([])
    expect(why(['request'])).toEqual([])
    expect(why(['request', 'minut'], 0.45)).toHaveLength(1)
    expect(why(['request', 'minut'], 0.44)).toEqual([])
    expect(why(['request', 'minut'], 0.5, ranked([old, later, ...others], ['old', 'new', 'x0', 'x1', 'x2'], [1, 0.6]))).toHaveLength(1)
    expect(why(['request', 'minut'], 0.5, ranked([old, later, ...others], ['old', 'new', 'x0', 'x1', 'x2'], [1, 0.59]))).toEqual([])
    expect(why([])).toEqual([])
  })

  test('shares what most results are about without being news of it', () => {
    const texts = ['Core builds with Go 1.22.', 'Core tests run in Go.', 'Core lints Go files.', 'Core is in Go, too.']
    const results = ranked(
      texts.map((text, i) => fact(`f${i}`, text)),
      ['f0', 'f1', 'f2', 'f3'],
      [1, 0.8, 0.7, 0.7],
    )
    expect(findRevisions(results, () => 0.5, NOW, { text: '', terms: ['core', 'go'] })).toEqual([])
  })

  test('about another thing of the kind, or about the past, is no news', () => {
    const why = (question: string, older: string, newer: string) =>
      findRevisions(ranked([fact('old', older), fact('new', newer)], ['old', 'new'], [1, 1]), () => 0.9, NOW, {
        text: question,
        terms: [],
      }).length
    const kilns = ['Kiln 1 fires at noon.', 'Kiln 2 fires at noon.'] as const
    expect([why('when does kiln 1 fire', ...kilns), why('when do they fire', ...kilns)]).toEqual([0, 0])
    expect(why('red pump', 'The red pump leaks.', 'The blue pump was replaced.')).toBe(0)
    expect(why('the pump', 'The red pump leaks.', 'The blue pump was replaced.')).toBe(1)
    expect(why('who is our chief', 'Our chief cook is Farid.', 'Our chief cook used to be Lydia.')).toBe(0)
    expect(why('who is our chief', 'Our chief cook is Farid.', 'Our chief cook is Lydia.')).toBe(1)
  })

  test('of a list of several things replaces none of them', () => {
    const list = (lunch: string) => `# Meeting\n- The office is on the third floor.\n- ${lunch}`
    const lists = [fact('old', list('Lunch is at one.')), fact('new', list('Lunch moved to noon.'))]
    expect(told(ranked(lists, ['old', 'new']), 0.9)[0]).toEqual(['old', null])
    const short = fact('new', 'The office moved:\n- to the fifth floor\n- on Monday')
    expect(told(ranked([OLD, short], ['old', 'new']))[0]).toEqual(['new', null])
  })

  test('of one author over a connection is a note, of several a turn of their conversation', () => {
    const said = (id: string, text: string, author: string, session = '~c') => fact(id, text, { author, session })
    const [old, later] = [said('old', OLD.text, 'ines'), said('new', NEW.text, 'ines')]
    expect(told(ranked([old, later], ['old', 'new']))[0]).toEqual(['new', null])
    const third = said('other', 'The roof leaks.', 'kim')
    expect(told(ranked([old, later, third], ['old', 'new', 'other']))[0]).toEqual(['old', null])
    const named = [said('old', OLD.text, 'ines', 'standup'), said('new', NEW.text, 'ines', 'standup')]
    expect(told(ranked(named, ['old', 'new']))[0]).toEqual(['old', null])
  })

  test('with a lower share replaces it where each is the nearest to the other', () => {
    const other = fact('other', 'The office plants get water on Mondays.')
    const results = ranked([OLD, other, NEW], ['other', 'old', 'new'], [1, 0.9, 0.5])
    const near = (i: number, j: number): number => (i + j === 2 && i !== j ? 0.6 : 0.3)
    const revisions = findRevisions(results, near, NOW)
    expect(revisions).toMatchObject([{ older: { id: 'old' }, newer: { id: 'new' }, trusted: true }])
    expect(applied(results, revisions).map((one) => [one.fact.id, one.score])).toEqual([
      ['new', 1],
      ['other', 0.9],
      ['old', 0],
    ])
    const beside = findRevisions(results, (i, j) => (i + j === 3 ? 0.9 : near(i, j)), NOW)
    expect(beside.map(({ older }) => older.id)).toEqual(['other'])
  })

  /** The first of the older and the newer note, each with something changed. */
  const pair = (of: Partial<Fact>, to: Partial<Fact>) =>
    told(
      ranked(
        [
          { ...OLD, ...of },
          { ...NEW, ...to },
        ],
        ['old', 'new'],
      ),
    )[0]?.[0]

  test('is never one of a conversation, of another title, of another owner or code', () => {
    expect(pair({ session: 's' }, { session: 's' })).toBe('old')
    expect(pair({ title: 'A' }, { title: 'B' })).toBe('old')
    expect(pair({}, { owner: 'p' })).toBe('old')
    expect(pair({ session: 's' }, {})).toBe('new')
    const code = ranked([OLD, NEW], ['old', 'new']).map((one) => ({ ...one, isCode: true }))
    expect(told(code)[0]).toEqual(['old', null])
  })

  test('is of the same title or of none, and no document', () => {
    expect([pair({ title: 'A' }, {}), pair({}, { title: 'A' }), pair({ title: 'A' }, { title: 'A' })]).toEqual(['new', 'new', 'new'])
    expect(pair({ subject: 'office' }, { subject: 'office' })).toBe('new')
    const long = (text: string, length: number) => ({ text: text.padEnd(length) })
    expect([pair(long(OLD.text, 1000), long(NEW.text, 1000)), pair(long(OLD.text, 1001), {}), pair({}, long(NEW.text, 1001))]).toEqual([
      'new',
      'old',
      'old',
    ])
    const titled = (text: string, length: number) => ({ title: 'A', ...long(text, length) })
    expect([pair(titled(OLD.text, 300), titled(NEW.text, 300)), pair(titled(OLD.text, 301), titled(NEW.text, 50))]).toEqual(['new', 'old'])
    expect([pair({ title: 'A' }, titled(NEW.text, 301)), pair(titled(OLD.text, 301), {})]).toEqual(['old', 'new'])
  })

  test('is detected by similarity and relative score, up to and including the limits', () => {
    const why = (newer: Fact, alike: number, scores: readonly number[]) =>
      findRevisions(ranked([OLD, newer], ['old', 'new'], scores), () => alike, NOW, { text: 'which floor', terms: [] }).map(
        (one) => one.why,
      )
    expect(why(NEW, 0.4, [0.5, 0.375])).toEqual(['tells later of a change in it'])
    expect(why(NEW, 0.4, [1, 0.7])).toEqual(['is the nearest later note and tells of a change'])
    expect(why(NEW, 0.4, [1, 0.4])).toEqual(['is the nearest later note and tells of a change'])
    expect([why(NEW, 0.39, [1, 1]), why(NEW, 0.4, [1, 0.39]), why(NEW, 0.9, [0, 0])]).toEqual([[], [], []])
    const again = fact('new', 'Our office has a wooden floor.')
    expect(why(again, 0.54, [1, 0.9])).toEqual(['says much the same later'])
    expect([why(again, 0.53, [1, 0.9]), why(again, 0.54, [1, 0.89])]).toEqual([[], []])
    expect(why(fact('new', 'Our office has a wooden table.'), 0.9, [1, 1])).toEqual([])
  })

  test('that is as near as another is no less the nearest', () => {
    const other = fact('other', 'The office plants get water on Mondays.')
    const results = ranked([OLD, other, NEW], ['other', 'old', 'new'], [1, 0.9, 0.5])
    expect(findRevisions(results, () => 0.6, NOW).map(({ older, newer }) => `${older.id} ${newer.id}`)).toEqual(['old new', 'other new'])
  })

  test('goes by when both were stored where not both have a date, or the same', () => {
    const pair = (was: string | null, is: string | null) =>
      told(
        ranked(
          [
            { ...OLD, date: was },
            { ...NEW, date: is },
          ],
          ['old', 'new'],
        ),
      )[0]?.[0]
    expect([pair('2026-03-01', null), pair(null, '2026-03-01'), pair('2026-03-01', '2026-03-01T09:00')]).toEqual(['new', 'new', 'new'])
    expect(pair('2026-03-02', '2026-03-01')).toBe('old')
  })

  test('goes by the dates that came with both, whatever the order of storing', () => {
    const [was, is] = [
      { ...OLD, date: '2026-03-01' },
      { ...NEW, date: '2026-09-01T08:00' },
    ]
    expect(told(ranked([was, is], ['new', 'old']))[0]).toEqual(['new', null])
  })
})

describe('a statement with subject and predicate', () => {
  const said = (id: string, value: string, given: Partial<Fact> = {}) =>
    fact(id, `Ann lives in ${value}`, { subject: 'Ann', predicate: 'lives in', value, ...given })

  test('falls below all later ones of the same, each marked with the newest', () => {
    const results = ranked([said('a', 'Rome'), fact('x', 'Other'), said('b', 'Oslo'), said('c', 'Bern')], ['a', 'b', 'c', 'x'])
    expect(told(results, null)).toEqual([
      ['c', null],
      ['x', null],
      ['b', 'c'],
      ['a', 'c'],
    ])
  })

  test('of another author, another client or with less certainty contradicts and does not outrank', () => {
    for (const given of [{ confidence: 0.4 }, { source: 'mcp:b' }]) {
      const results = ranked([said('a', 'Rome'), fact('x', 'Other'), said('b', 'Oslo', given)], ['a', 'x', 'b'])
      expect(told(results, null)).toEqual([
        ['a', null, 'b'],
        ['x', null],
        ['b', null, 'a'],
      ])
    }
    const byTwo = ranked([said('a', 'Rome', { author: 'Ann' }), said('b', 'Oslo', { author: 'Mallory' })], ['a', 'b'])
    expect(told(byTwo, null)[0]).toEqual(['a', null, 'b'])
    const bySame = ranked([said('a', 'Rome', { author: 'Ann' }), said('b', 'Oslo', { author: 'Ann', source: 'mcp:b' })], ['a', 'b'])
    expect(told(bySame, null)[0]).toEqual(['b', null])
  })
})
