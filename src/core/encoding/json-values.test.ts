import { expect, it } from 'vitest'
import { exceededLimit, hasMoreValuesThan } from './json-values.js'

const holds = (value: unknown, most: number): boolean => hasMoreValuesThan(Buffer.from(JSON.stringify(value)), most)

it.each([
  ['members', { a: 1, b: 2, c: 3 }, 4],
  ['items', [1, 2, 3], 4],
  ['nested values', { a: [1, { b: 2 }], c: 3 }, 6],
  ['signs within strings', { a: ',,[{"\\\\', b: '\\",,' }, 3],
])('counts %s', (_, value, values) => {
  expect([holds(value, values - 1), holds(value, values)]).toEqual([true, false])
})

it('counts the members of each object, not of all objects together', () => {
  const limitOf = (value: unknown) => exceededLimit(Buffer.from(JSON.stringify(value)), { values: 100, members: 3 })
  expect(limitOf({ a: 1, b: [1, 2, 3, 4, 5], c: { d: 1, e: 2, f: 3 } })).toBeUndefined()
  expect(limitOf([{ a: 1, b: { c: [], d: 2, e: 3, f: 4 } }])).toBe('members')
  expect(limitOf(Array.from({ length: 101 }, () => 1))).toBe('values')
})

it('stops at a string that is not closed', () => expect(hasMoreValuesThan(Buffer.from('["a,b,c,d,e'), 3)).toBe(false))
