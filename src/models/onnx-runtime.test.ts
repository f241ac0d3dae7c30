import { afterAll, describe, expect, it } from 'vitest'
import { openLocalEmbedder } from './local.js'
import { shippedModelFolder } from './shipped.js'

// Also needs the worker in dist/models, which dist/main.js is built with.
const TEXTS = [
  'We decided to use Postgres instead of MySQL.',
  'The database of the billing service is Postgres.',
  'Ann swims in the river every morning.',
  'An otter lives near the water.',
  'function verifyToken(token: string): boolean { return token.length > 3 }',
  'Der Zug nach Łódź fährt um neun.',
  '🎉',
  'a',
  'The meeting moved to Thursday at 3 pm because of the release. '.repeat(60),
]

const native = openLocalEmbedder({ folder: shippedModelFolder(), runtime: 'native' })
const wasm = openLocalEmbedder({ folder: shippedModelFolder(), runtime: 'wasm' })
afterAll(() => Promise.all([native.close(), wasm.close()]))

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0)

describe('the native runtime and WebAssembly', () => {
  it('produce equal vectors, so both use the same model id', async () => {
    expect(wasm.model).toEqual(native.model)
    const [ours, theirs] = await Promise.all([native.embed(TEXTS, { purpose: 'passage' }), wasm.embed(TEXTS, { purpose: 'passage' })])
    const nearest = (vector: Float32Array, among: readonly Float32Array[], but: number): number =>
      among
        .map((other, index) => (index === but ? -1 : dot(vector, other)))
        .reduce((best, score, now, all) => (score > (all[best] ?? -1) ? now : best), 0)
    for (const [index, vector] of ours.entries()) {
      const other = theirs[index]
      if (other === undefined) throw new Error('a vector is missing')
      expect(dot(vector, other), TEXTS[index]?.slice(0, 40)).toBeGreaterThan(0.98)
      // What one stored is found by the other.
      if (index < 4) expect(nearest(other, ours, index)).toBe(nearest(vector, ours, index))
    }
    expect(native.status().notice).toBeUndefined()
    expect(wasm.status().notice).toBeUndefined()
  })
})
