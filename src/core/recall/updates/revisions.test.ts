import { describe, expect, test } from 'vitest'
import { aFact } from '../../../../test/contract/samples.js'
import { TUNED } from '../../../../test/scored-candidate.js'
import type { Fact } from '../../facts/fact.js'
import { queryTerms } from '../../text/text.js'
import { findRevisions, type PairSimilarity } from './revisions.js'
import { type RankedFact, type Revision, revisionMarksOf, revisionValues } from './supersession.js'

const NOW = 1_000_000
const fact = (id: string, text: string, given: Partial<Fact> = {}): Fact =>
  aFact({ id, owner: 'o', text, source: 'mcp:a', eventAt: 0, validFrom: 0, recordedAt: 0, updatedAt: 0, ...given })

/** Facts by rank; those later in `rows` are newer. */
const ranked = (facts: readonly Fact[], rows: readonly string[], scores: readonly number[] = [2, 1, 0, -1]): readonly RankedFact[] =>
  facts.map((one, i) => ({ fact: one, score: scores[i] ?? -2, contributions: [], rid: rows.indexOf(one.id) + 1, isCode: false }))

const QUERY = 'Which floor is the office on?'
const find = (results: readonly RankedFact[], text = QUERY, likeness: PairSimilarity = () => 0.7): readonly Revision[] =>
  findRevisions({ results, likeness, now: NOW, query: { text, terms: queryTerms(text) } }, TUNED.updates)

/** Ids in the order after the revisions, each with the id that supersedes it and those that contradict it. */
function orderAfter(results: readonly RankedFact[], revisions = find(results)) {
  const values = revisionValues(results, revisions)
  return results
    .map(({ fact: one, score }, i) => ({ id: one.id, score: score + (values[i] ?? 0), ...revisionMarksOf(one, revisions) }))
    .sort((a, b) => b.score - a.score)
    .map(({ id, supersededBy, contradicts }) => [id, supersededBy?.id ?? null, ...contradicts])
}
const firstOf = (older: Fact, newer: Fact) => orderAfter(ranked([older, newer], ['old', 'new']))[0]?.[0]

const OLD = fact('old', 'The office is on the third floor.')
const NEW = fact('new', 'The office moved to the fifth floor.')

describe('a later note', () => {
  test('precedes the note that it replaces, which is marked and stays', () => {
    for (const results of [ranked([OLD, NEW], ['old', 'new']), ranked([NEW, OLD], ['old', 'new'])])
      expect(orderAfter(results)).toEqual([
        ['new', null],
        ['old', 'new'],
      ])
  })

  test.each([
    ['Who is the site manager?', 'The site manager is Harald Brix.', 'Our site manager is Yusra Haddad.'],
    ['What is the rent of the studio?', 'Rent for the studio is 900 euros.', 'Rent for the studio is 980 euros.'],
    ['When is choir practice?', 'Choir practice is on Tuesday at 19:00.', 'Choir practice is on Wednesday at 19:30.'],
    ['Where is the spare key?', 'The spare key is under the flower pot.', 'The spare key is with Mrs. Alder at number 12.'],
  ])('with another value and no word of change replaces it: %s', (query, older, newer) => {
    const results = ranked([fact('old', older), fact('new', newer)], ['old', 'new'], [2, 1.5])
    const revisions = find(results, query, () => 0.85)
    expect(orderAfter(results, revisions)[0]?.[0]).toBe('new')
  })

  test.each([
    ['when does kiln 1 fire', 'Kiln 1 fires at noon.', 'Kiln 2 fires at noon.'],
    ['red pump', 'The red pump leaks.', 'The blue pump was replaced.'],
    ['what is the shoe size of Tom', "Tom's shoe size is 43.", "Lena's shoe size is 38."],
    ['what rent do I pay', 'My rent is 870.', 'My garage rent is 95.'],
    ['when do we eat', 'We eat at seven.', 'When my parents visit we eat at six.'],
    ['which streaming services do we pay for', 'We pay for Netflix.', 'We also pay for Spotify.'],
  ])('about something else of the kind, an exception or an addition marks nothing: %s', (query, older, newer) => {
    const results = ranked([fact('old', older), fact('new', newer)], ['old', 'new'], [2, 1.5])
    expect(orderAfter(results, find(results, query)).flatMap(([, by]) => by)).toEqual([null, null])
  })

  test('that is not similar changes nothing, and neither does one without a vector', () => {
    const results = ranked([OLD, NEW], ['old', 'new'])
    expect(find(results, QUERY, () => 0.1)).toEqual([])
    expect(find(results, QUERY, () => null)).toEqual([])
    expect(
      orderAfter(
        ranked([OLD, fact('new', 'Lunch moved to noon.')], ['old', 'new']),
        find(results, QUERY, () => 0.2),
      )[0],
    ).toEqual(['old', null])
  })

  test('repair 4: does not take the place of an older one when the judge says that it answers another question', () => {
    const judged = (raw: number, one: RankedFact): RankedFact => ({ ...one, judged: raw })
    const [older, newer] = ranked([OLD, NEW], ['old', 'new'], [3, -1])
    if (older === undefined || newer === undefined) throw new Error('Two were made.')
    expect(find([judged(6, older), judged(-6.9, newer)])).toEqual([])
    expect(orderAfter([judged(6, older), judged(3, newer)])[0]).toEqual(['new', null])
  })

  test('of a list of several things replaces none of them', () => {
    const list = (lunch: string) => `# Meeting\n- The office is on the third floor.\n- ${lunch}`
    const lists = [fact('old', list('Lunch is at one.')), fact('new', list('Lunch moved to noon.'))]
    expect(find(ranked(lists, ['old', 'new']))).toEqual([])
  })

  test('of one author over a connection is a note, of several a turn of their conversation', () => {
    const said = (id: string, text: string, author: string, session = '~c') => fact(id, text, { author, session })
    const [old, later] = [said('old', OLD.text, 'ines'), said('new', NEW.text, 'ines')]
    expect(orderAfter(ranked([old, later], ['old', 'new']))[0]).toEqual(['new', null])
    const third = said('other', 'The roof leaks.', 'kim')
    expect(orderAfter(ranked([old, later, third], ['old', 'new', 'other']))[0]).toEqual(['old', null])
    const named = [said('old', OLD.text, 'ines', 'standup'), said('new', NEW.text, 'ines', 'standup')]
    expect(orderAfter(ranked(named, ['old', 'new']))[0]).toEqual(['old', null])
  })

  test('is never one of a conversation, of another title, of another owner or code', () => {
    const with_ = (of: Partial<Fact>, to: Partial<Fact>) => firstOf({ ...OLD, ...of }, { ...NEW, ...to })
    expect(with_({ session: 's' }, { session: 's' })).toBe('old')
    expect(with_({ title: 'A' }, { title: 'B' })).toBe('old')
    expect(with_({}, { owner: 'p' })).toBe('old')
    expect([with_({ session: 's' }, {}), with_({ title: 'A' }, {}), with_({ title: 'A' }, { title: 'A' })]).toEqual(['new', 'new', 'new'])
    const code = ranked([OLD, NEW], ['old', 'new']).map((one) => ({ ...one, isCode: true }))
    expect(find(code)).toEqual([])
  })

  test('is no document: long texts are not compared, and shorter ones under a title', () => {
    const long = (one: Fact, length: number, given: Partial<Fact> = {}) => ({ ...one, ...given, text: one.text.padEnd(length) })
    expect([firstOf(long(OLD, 1000), long(NEW, 1000)), firstOf(long(OLD, 1001), NEW)]).toEqual(['new', 'old'])
    const titled = { title: 'A' }
    expect([firstOf(long(OLD, 300, titled), long(NEW, 300, titled)), firstOf(long(OLD, 301, titled), long(NEW, 50, titled))]).toEqual([
      'new',
      'old',
    ])
  })

  test('is found by the dates of both, otherwise by when they were stored', () => {
    const dated = (was: string | null, is: string | null) => firstOf({ ...OLD, date: was }, { ...NEW, date: is })
    expect([dated('2026-03-01', null), dated(null, '2026-03-01'), dated('2026-03-01', '2026-03-01T09:00')]).toEqual(['new', 'new', 'new'])
    const stored = ranked(
      [
        { ...OLD, date: '2026-03-01' },
        { ...NEW, date: '2026-09-01T08:00' },
      ],
      ['new', 'old'],
    )
    expect(orderAfter(stored)[0]).toEqual(['new', null])
  })
})

describe('a statement with subject and predicate', () => {
  const said = (id: string, value: string, given: Partial<Fact> = {}) =>
    fact(id, `Ann lives in ${value}`, { subject: 'Ann', predicate: 'lives in', value, ...given })

  test('falls below the latest of the same, each marked with the newest', () => {
    const results = ranked([said('a', 'Rome'), fact('x', 'Other'), said('b', 'Oslo'), said('c', 'Bern')], ['a', 'b', 'c', 'x'])
    const after = orderAfter(
      results,
      find(results, QUERY, () => null),
    )
    expect(after.map(([id]) => id).slice(0, 2)).toEqual(['c', 'x'])
    expect(new Map(after.map(([id, by]) => [id, by]))).toEqual(
      new Map([
        ['c', null],
        ['x', null],
        ['b', 'c'],
        ['a', 'c'],
      ]),
    )
  })

  test('of another author, another client or with less certainty contradicts and does not outrank', () => {
    for (const given of [{ confidence: 0.4 }, { source: 'mcp:b' }]) {
      const results = ranked([said('a', 'Rome'), fact('x', 'Other'), said('b', 'Oslo', given)], ['a', 'x', 'b'])
      expect(
        orderAfter(
          results,
          find(results, QUERY, () => null),
        ),
      ).toEqual([
        ['a', null, 'b'],
        ['x', null],
        ['b', null, 'a'],
      ])
    }
    const bySame = ranked([said('a', 'Rome', { author: 'Ann' }), said('b', 'Oslo', { author: 'Ann', source: 'mcp:b' })], ['a', 'b'])
    expect(
      orderAfter(
        bySame,
        find(bySame, QUERY, () => null),
      )[0],
    ).toEqual(['b', null])
  })
})
