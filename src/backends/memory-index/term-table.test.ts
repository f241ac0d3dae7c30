import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TermTable } from './term-table.js'

it('numbers terms as a map does, whatever their hashes', () => {
  const hash = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 40 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1))
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 600 }), fc.array(hash, { maxLength: 20 }), (added, asked) => {
      const table = new TermTable()
      const expected = new Map<number, number>()
      for (const one of added) {
        if (!expected.has(one)) expected.set(one, expected.size)
        expect(table.add(one)).toBe(expected.get(one))
      }
      expect(table.size).toBe(expected.size)
      for (const one of [...added, ...asked]) expect(table.numberOf(one)).toBe(expected.get(one) ?? -1)
    }),
  )
})
