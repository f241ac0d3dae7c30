import { expect, it } from 'vitest'
import { packRough, unpackRough } from './rough-bytes.js'

it('decodes to within half a step', () => {
  const vector = Float32Array.from([0.5, -1, 0.003, 0, 0.9999])
  const { codes, scale } = unpackRough(packRough(vector))
  expect(codes).toHaveLength(5)
  for (const [i, component] of vector.entries()) expect(Math.abs((codes[i] ?? 0) * scale - component)).toBeLessThanOrEqual(scale / 2 + 1e-6)
})

it('keeps a zero vector zero', () => {
  expect([...unpackRough(packRough(new Float32Array(3))).codes]).toEqual([0, 0, 0])
})

it('the largest component uses the full range of a byte', () => {
  const { codes, scale } = unpackRough(packRough(Float32Array.from([2, -1])))
  expect([...codes]).toEqual([127, -63])
  expect(scale).toBeCloseTo(2 / 127, 6)
})
