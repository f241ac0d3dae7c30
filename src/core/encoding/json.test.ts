import { expect, test } from 'vitest'
import { canonicalJson, depthExceeds, hasMoreMembersThan, isJsonObject } from './json.js'

test('gives equal values the same text', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
  expect(canonicalJson({ a: true, b: [1, { c: 'x', d: null }] })).toBe(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true }))
  expect(canonicalJson('é"\n')).toBe(JSON.stringify('é"\n'))
})

test('counts depth up to the limit', () => {
  expect(depthExceeds('flat', 0)).toBe(false)
  expect(depthExceeds({}, 0)).toBe(true)
  expect(depthExceeds({ a: [{}] }, 3)).toBe(false)
  expect(depthExceeds({ a: [{}] }, 2)).toBe(true)
  expect(depthExceeds(JSON.parse('['.repeat(5000) + ']'.repeat(5000)), 64)).toBe(true)
})

test('distinguishes objects from lists and null', () => {
  expect([{}, [], null, 'x', undefined].map((value) => isJsonObject(value))).toEqual([true, false, false, false, false])
})

test('counts members at all depths; a string has none', () => {
  const value = { a: [1, null, 'text'], b: { c: null } }
  expect([hasMoreMembersThan(value, 5), hasMoreMembersThan(value, 6)]).toEqual([true, false])
  expect([hasMoreMembersThan('text', 1), hasMoreMembersThan(null, 0)]).toEqual([false, false])
})
