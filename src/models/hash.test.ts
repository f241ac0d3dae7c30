import { expect, it } from 'vitest'
import { openHashEmbedder } from './hash.js'

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a === undefined || b === undefined ? Number.NaN : a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

it('returns unit vectors of any length that are similar if words are shared', async () => {
  const embedder = openHashEmbedder(100)
  const texts = ['the cat sat on the mat', 'the cat lay on the mat', 'quarterly revenue fell sharply', '', '!?']
  const [sat, lay, revenue, empty, marks] = await embedder.embed(texts, { purpose: 'passage' })
  expect(embedder.model).toEqual({ id: 'hash-100', dimensions: 100, floor: 0 })
  for (const vector of [sat, lay, revenue, empty, marks]) expect(dot(vector, vector)).toBeCloseTo(1, 5)
  expect(dot(sat, lay)).toBeGreaterThan(0.7)
  expect(dot(sat, revenue)).toBeLessThan(0.4)
})

it('is stable across versions', async () => {
  const [vector] = await openHashEmbedder(8).embed(['Memory engine'], { purpose: 'query' })
  expect([...(vector ?? [])].map((value) => Number(value.toFixed(3)))).toMatchInlineSnapshot(`
    [
      -0.5,
      0.5,
      -0.5,
      0,
      0,
      0,
      0.5,
      0,
    ]
  `)
})
