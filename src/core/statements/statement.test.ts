import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import { effectiveConfidence, statementOf, toStatementText, toTimestamp, typeOf } from './statement.js'
import { checkedValue } from './typed-value.js'

describe('value', () => {
  const checked = (type: Parameters<typeof typeOf>[0], v: string | number | boolean | null) =>
    checkedValue({ type: typeOf(type), v }, 100).v

  test('is kept unchanged if it has its type', () => {
    expect([
      checked('null', null),
      checked('number', 1.5),
      checked('boolean', false),
      checked('string', 'a'),
      checked('text', 'b'),
    ]).toEqual([null, 1.5, false, 'a', 'b'])
    expect(checked('datetime', '2026-01-02T03:04:05Z')).toBe('2026-01-02T03:04:05Z')
    expect([checked('ref', 'user:Ann'), checked('string', 'user:Ann')]).toEqual(['user:ann', 'user:Ann'])
  })

  test('is rejected otherwise', () => {
    expect(() => checked('null', 'x')).toThrow('of type null has no v')
    for (const v of ['1', true, null, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => checked('number', v)).toThrow('must be a finite number')
    for (const v of ['true', 1, null]) expect(() => checked('boolean', v)).toThrow('must be true or false')
    for (const v of [1, true, null]) expect(() => checked('string', v)).toThrow('of type string must be a string')
    expect(() => checked('datetime', 'soon')).toThrow('RFC 3339')
    expect(() => checked('string', 'x'.repeat(101))).toThrow('value')
    expect(() => checked('string', 'a\0b')).toThrow(expect.objectContaining({ code: 'unprocessable' }))
  })
})

describe('a fact as a statement', () => {
  const fact = aFact({ id: 'f', subject: 'user:ann', predicate: 'person:city', valueType: 'string', value: 'Rome', assertedConfidence: 1 })

  test('is shown as asserted, otherwise by its text', () => {
    expect(statementOf(fact)).toEqual({ entity: 'user:ann', relation: 'person:city', value: { type: 'string', v: 'Rome' } })
    for (const plain of [{ assertedConfidence: null }, { subject: null }, { predicate: null }])
      expect(statementOf({ ...fact, ...plain }).value).toEqual({ type: 'text', v: fact.text })
    expect(statementOf({ ...fact, value: { a: 1 }, valueType: 'odd' }).value).toEqual({ type: 'text', v: null })
  })

  test('is written in words, a reference by the name of its target', () => {
    const text = (type: string, v: string | number | null) =>
      toStatementText({ entity: 'user:ann', relation: 'knows', value: { type: typeOf(type), v } })
    expect(text('ref', 'user:bob')).toBe(`${text('string', '').split(' ')[0]} knows bob`)
    expect(text('string', 'user:bob').endsWith(' knows user:bob')).toBe(true)
    expect(text('number', 5)).toContain('knows 5')
    expect(text('null', null).endsWith('knows')).toBe(true)
  })

  test('has its time and confidence', () => {
    expect(toTimestamp(1_780_000_000_123_456)).toBe(new Date(1_780_000_000_123).toISOString())
    expect([effectiveConfidence({ confidence: 0.8, trust: 0.5 }), effectiveConfidence({ confidence: 0.8, trust: null })]).toEqual([
      0.4, 0.8,
    ])
  })
})
