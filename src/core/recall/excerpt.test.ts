import { expect, it } from 'vitest'
import { tellingPiece } from './excerpt.js'

const TEXT = 'otters swim. herons stand. rivers flow.'
const pieces = (...cosines: readonly (number | null)[]) =>
  [
    { start: 0, end: 12 },
    { start: 13, end: 26 },
    { start: 27, end: 39 },
  ].map((span, i) => ({ ...span, cosine: cosines[i] ?? null }))
const chosen = (cosines: readonly (number | null)[], ...terms: readonly string[]) => {
  const span = tellingPiece(TEXT, pieces(...cosines), terms)
  return span === null ? null : TEXT.slice(span.start, span.end)
}

it('is the nearest, unless another holds the words', () => {
  expect(chosen([0.7, 0.9, 0.8])).toBe('herons stand.')
  expect(chosen([0.7, 0.82, 0.85], 'heron')).toBe('herons stand.')
  expect(chosen([0.7, 0.7, 0.9], 'otter')).toBe('rivers flow.')
})

it('goes by words where no vectors are, and begins at the beginning where nothing tells', () => {
  expect(chosen([null, null, null], 'river')).toBe('rivers flow.')
  expect(chosen([null, null, null])).toBe('otters swim.')
  expect(tellingPiece('', [], ['x'])).toBeNull()
})
