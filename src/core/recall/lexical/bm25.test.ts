import { expect, test } from 'vitest'
import { computeIdf, maxContextTermFrequency, maxQueryTermFrequency } from './bm25.js'

test('IDF falls with the number of documents, and common terms are excluded above a limit', () => {
  // ln(1 + 9.5 / 1.5), ln(1 + 0.5 / 10.5)
  expect(computeIdf(1, 10)).toBeCloseTo(1.99243, 5)
  expect(computeIdf(10, 10)).toBeCloseTo(0.04652, 5)
  expect([maxContextTermFrequency(10), maxContextTermFrequency(100_000)]).toEqual([1000, 2000])
  expect([maxQueryTermFrequency(0), maxQueryTermFrequency(3000)]).toEqual([1000, 2500])
})
