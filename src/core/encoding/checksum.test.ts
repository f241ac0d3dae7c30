import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksum } from './checksum.js'

const value = fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true }), fc.integer(), fc.constant(null), fc.uint8Array())

test('values that differ in one place have different checksums', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), fc.nat(), value, (values, place, other) => {
      const index = place % values.length
      const changed = values.map((entry, i) => (i === index ? other : entry))
      fc.pre(JSON.stringify([typeof changed[index], changed[index]]) !== JSON.stringify([typeof values[index], values[index]]))
      expect(checksum(changed)).not.toBe(checksum(values))
    }),
  )
})

test('depends on the boundaries of values, and is an integer that a double represents', () => {
  expect(checksum(['ab', 'c'])).not.toBe(checksum(['a', 'bc']))
  expect(checksum(['1'])).not.toBe(checksum([1]))
  expect(checksum([''])).not.toBe(checksum([null]))
  fc.assert(fc.property(fc.array(value), (values) => Number.isSafeInteger(checksum(values)) && checksum(values) >= 0))
})

test('a stored checksum stays valid', () => {
  expect(checksum(['a', 1, null, new Uint8Array([1, 2])])).toBe(6359186912486394)
})
