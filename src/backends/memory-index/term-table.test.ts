import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TermTable } from './term-table.js'

it('numbers terms like a map, for all hashes', () => {
  const hash = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 40 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1))
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 600 }), fc.array(hash, { maxLength: 20 }), (added, requested) => {
      const table = new TermTable()
      const expected = new Map<number, number>()
      for (const value of added) {
        if (!expected.has(value)) expected.set(value, expected.size)
        expect(table.add(value)).toBe(expected.get(value))
      }
      expect(table.size).toBe(expected.size)
      for (const value of [...added, ...requested]) expect(table.numberOf(value)).toBe(expected.get(value) ?? -1)
    }),
  )
})
