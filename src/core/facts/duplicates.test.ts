import { describe, expect, it } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import { hasSameContent, outlives } from './duplicates.js'
import type { Fact } from './fact.js'

const fact = (text: string, rest: Partial<Fact> = {}): Fact => aFact({ id: text, text, ...rest })
const same = (a: string, b: string): boolean => hasSameContent(fact(a), fact(b))

describe('hasSameContent', () => {
  it('ignores wording', () => {
    expect(same('The deploy job runs every night.', 'the  deploy jobs run every night!')).toBe(true)
    expect(same('User prefers dark mode', 'The user prefers dark mode.')).toBe(true)
  })

  it.each([
    ['The limit is 100 requests.', 'The limit is 500 requests.'],
    ['Anna likes tea.', 'Anna does not like tea.'],
    ['The door is locked.', "The door isn't locked."],
    ['The kitchen is painted green.', 'Backups are kept for a month.'],
    ['Deploys are enabled on Fridays.', 'Deploys are disabled on Fridays.'],
    ['Pay before delivery.', 'Pay after delivery.'],
    ['The cache holds ten megabytes.', 'The cache holds twenty megabytes.'],
    ['It is -5 degrees.', 'It is 5 degrees.'],
    ['a > b holds', 'a < b holds'],
    ['Die Tür ist offen.', 'Die Tür ist nicht offen.'],
    ['会议在星期一', '会议在星期二'],
    ['Alice manages Bob in the sales team.', 'Bob manages Alice in the sales team.'],
    ['The flight from Oslo to Rome is late.', 'The flight from Rome to Oslo is late.'],
    [
      'The office has a key.',
      'The office has a key, a lamp, three chairs, many books, old carpets, paper, pens and other uncounted furniture',
    ],
  ])('tells "%s" from "%s"', (a, b) => {
    expect(same(a, b)).toBe(false)
  })

  it('distinguishes different contents of any session', () => {
    expect(hasSameContent(fact('It rains.', { eventAt: 5 }), fact('It rains.', { eventAt: 9 }))).toBe(false)
    expect(hasSameContent(fact('It rains.', { importance: 9 }), fact('It rains.', {}))).toBe(false)
    expect(hasSameContent(fact('It rains.', { date: '2024-01-01' }), fact('It rains.', { date: '2024-03-08' }))).toBe(false)
    expect(hasSameContent(fact('It rains.', { metadata: { env: 'prod' } }), fact('It rains.', { metadata: { env: 'test' } }))).toBe(false)
    expect(hasSameContent(fact('It rains.', { metadata: { session: 'a' } }), fact('It rains.', { metadata: { session: 'b' } }))).toBe(true)
  })

  it('is never applied to statements, to facts from peers, or to facts with other readers', () => {
    const plain = fact('It rains.')
    for (const other of [
      { assertedConfidence: 1 },
      { receivedFrom: 'peer' },
      { kind: 'rule' },
      { scope: 'team' as const },
      { garden: 'roses' },
      { subject: 'weather' },
      { predicate: 'is' },
    ]) {
      expect(hasSameContent(plain, fact('It rains.', other))).toBe(false)
      expect(hasSameContent(fact('It rains.', other), plain)).toBe(false)
    }
  })

  it('compares long texts without normalising them', () => {
    const [short, long] = ['Rain '.repeat(1600), 'Rain '.repeat(1601)]
    expect([same(short, short.toLowerCase()), same(long, long.toLowerCase()), same(long, long)]).toEqual([true, false, true])
  })

  it('never keeps the fact that ends sooner', () => {
    const [short, long, ever] = [fact('x', { expiresAt: 1 }), fact('x', { validUntil: 2 }), fact('x', {})]
    expect([outlives(short, ever), outlives(short, long), outlives(long, short), outlives(ever, long)]).toEqual([false, false, true, true])
    expect([outlives(long, long), outlives(ever, ever)]).toEqual([true, true])
  })

  it('distinguishes authors and subjects', () => {
    expect(hasSameContent(fact('It rains.', { author: 'Ann' }), fact('It rains.', { author: 'Ben' }))).toBe(false)
    expect(
      hasSameContent(
        fact('It rains.', { subject: 'a', predicate: 'p', value: 1 }),
        fact('It rains.', { subject: 'a', predicate: 'p', value: 2 }),
      ),
    ).toBe(false)
  })
})
