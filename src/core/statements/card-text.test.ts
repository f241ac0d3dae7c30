import { describe, expect, test } from 'vitest'
import { aFact, NOON } from '../../../test/contract/samples.js'
import type { Fact } from '../facts/fact.js'
import { cardKey, cardText } from './card-text.js'

const statement = (id: string, predicate: string, value: string, more: Partial<Fact> = {}): Fact =>
  aFact({ id, subject: 'stigmem://acme/person/ines', predicate, value, valueType: 'string', assertedConfidence: 1, hlc: `h${id}`, ...more })
const cardOf = (facts: readonly Fact[], total = facts.length) =>
  cardText({ entity: 'stigmem://acme/person/ines', refreshedAt: NOON, facts, total })
const sectionOf = (text: string, heading: string): string => text.split(`## ${heading}\n\n`)[1]?.split('\n\n## ')[0] ?? ''

describe('card text', () => {
  test('lists relations in order, the latest statement of each first', () => {
    const facts = [
      statement('1', 'a', 'x'),
      statement('2', 'b', 'y'),
      statement('3', 'a', 'x', { confidence: 0.5 }),
      statement('4', 'b', 'y'),
    ]
    const { listed, text } = cardOf(facts)
    expect(listed.map(({ id }) => id)).toEqual(['3', '1', '4', '2'])
    expect(text).toMatch(
      /^# ines\n\n- Type: person\n- URI: stigmem:\/\/acme\/person\/ines\n- Refreshed: 2026-05-28T20:26:40.000Z\n\n## Facts\n/,
    )
    expect(sectionOf(text, 'Facts')).not.toContain('omitted')
    expect(sectionOf(cardOf(facts, 6).text, 'Facts')).toContain('\n\n… 2 lower-confidence facts omitted')
  })

  test('lists contradictions, if any', () => {
    const calm = cardOf([statement('1', 'role', 'CEO'), statement('2', 'role', 'CEO', { source: 'b' })])
    expect([sectionOf(calm.text, 'Contradictions'), calm.contradictions]).toEqual(['None.', []])
    const { text, contradictions } = cardOf([
      statement('1', 'role', 'CEO', { confidence: 0.9 }),
      statement('2', 'role', 'CTO|x', { confidence: 0.5 }),
    ])
    expect(sectionOf(text, 'Contradictions')).toBe('- role: "CEO" (0.9, test) against "CTO\\|x" (0.5, test)')
    expect(contradictions.map((pair) => pair.map(({ id }) => id))).toEqual([['1', '2']])
  })

  test('counts statements per source', () => {
    const facts = [
      statement('1', 'a', 'x', { source: 'b', trust: 0.5 }),
      statement('2', 'b', 'x', { source: 'b', trust: 0.25 }),
      statement('3', 'c', 'x', { source: 'a' }),
    ]
    expect(sectionOf(cardOf(facts).text, 'Sources')).toBe('- a: 1 fact, trust not computed\n- b: 2 facts, trust 0.25 to 0.5')
  })

  test('contains as many statements as fit, those of highest confidence first', () => {
    const facts = Array.from({ length: 200 }, (_, i) =>
      statement(String(i).padStart(3, '0'), `r${i}`, 'v'.repeat(100), { confidence: 0.3 + i / 1000 }),
    )
    const { listed, text } = cardOf(facts, 250)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000)
    expect(text).toContain(`… ${250 - listed.length} lower-confidence facts omitted`)
    const weakest = Math.min(...listed.map(({ confidence }) => confidence))
    expect(listed).toHaveLength(facts.filter(({ confidence }) => confidence >= weakest).length)
    // One more would not have fitted.
    expect(16_000 - Buffer.byteLength(text)).toBeLessThan(170)
    // Of those that are as sure the stronger by the usual rules comes first.
    expect(cardOf([statement('1', 'a', 'x'.repeat(9000)), statement('2', 'a', 'y'.repeat(9000))]).listed.map(({ id }) => id)).toEqual(['2'])
    const huge = cardOf([statement('1', 'a', 'x'.repeat(20_000))])
    expect([huge.listed, sectionOf(huge.text, 'Facts')]).toEqual([[], expect.stringContaining('1 lower-confidence facts omitted')])
    const exact = 16_000 - Buffer.byteLength(cardOf([statement('1', 'a', '')]).text)
    expect([exact, exact + 1].map((length) => cardOf([statement('1', 'a', 'x'.repeat(length))]).listed.length)).toEqual([1, 0])
  })

  test('is identified by entity and scope, and by garden and owner if they are not the defaults', () => {
    const key = { owner: 'ann', entity: 'e', scope: 's', garden: null }
    expect(cardKey(key, 'ann')).toBe('card:e:s')
    expect(cardKey({ ...key, garden: 'g' }, 'bob')).toBe('card:e:s:g:ann')
  })
})
