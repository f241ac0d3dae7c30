import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byBytes } from './byte-order.js'

test('orders texts by their UTF-8 bytes in every script', () => {
  expect(['b', '😀', 'ﬀ', 'a', 'ab', ''].sort(byBytes)).toEqual(['', 'a', 'ab', 'b', 'ﬀ', '😀'])
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})
