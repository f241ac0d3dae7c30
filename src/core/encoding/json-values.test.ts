import { expect, it } from 'vitest'
import { hasMoreValuesThan } from './json-values.js'

const holds = (value: unknown, most: number): boolean => hasMoreValuesThan(Buffer.from(JSON.stringify(value)), most)

it.each([
  ['members', { a: 1, b: 2, c: 3 }, 4],
  ['items', [1, 2, 3], 4],
  ['nested values', { a: [1, { b: 2 }], c: 3 }, 6],
  ['signs within strings', { a: ',,[{"\\\\', b: '\\",,' }, 3],
])('counts %s', (_, value, values) => {
  expect([holds(value, values - 1), holds(value, values)]).toEqual([true, false])
})

it('stops at a string that is not closed', () => expect(hasMoreValuesThan(Buffer.from('["a,b,c,d,e'), 3)).toBe(false))
