import { describe, expect, test } from 'vitest'
import { DAY_US, expiryOf, lifetimeOf } from '../facts/lifecycle.js'
import { endOf } from '../facts/validity.js'
import { readsAsEnglish } from '../language/language-of.js'
import { computeIdf, maxContextTermFrequency, maxQueryTermFrequency } from './lexical/bm25.js'
import { computeMinContextWeight } from './lexical/fields.js'
import { cutTail, fitToBudget } from './relevance.js'
import { productOf } from './statements/salience.js'
import { checkWeights, computeScore } from './statements/stages.js'

describe('formulas of ranking, against numbers computed by hand', () => {
  test('IDF falls with the number of documents, and common terms are excluded above a limit', () => {
    // ln(1 + 9.5 / 1.5), ln(1 + 0.5 / 10.5)
    expect(computeIdf(1, 10)).toBeCloseTo(1.99243, 5)
    expect(computeIdf(10, 10)).toBeCloseTo(0.04652, 5)
    expect([maxContextTermFrequency(10), maxContextTermFrequency(100_000)]).toEqual([1000, 2000])
    expect([maxQueryTermFrequency(0), maxQueryTermFrequency(3000)]).toEqual([1000, 2500])
  })

  test('results end at the relevance limit and at the token budget', () => {
    expect(cutTail([{ relevance: 0.5 }], 0.5)).toHaveLength(1)
    // {"text":"abcd"} has 15 characters, which are 4 tokens.
    const three = [1, 2, 3].map(() => [{ text: 'abcd' }] as const)
    expect(fitToBudget(three, 8)).toHaveLength(2)
  })

  test('the score of a statement is a weighted sum, and its salience a product', () => {
    expect(computeScore({ lex: 0.5, vec: 0.25, graph: 0.4 }, { lex: 0.3, vec: 0.5, graph: 0.2 })).toBeCloseTo(0.355, 9)
    expect(checkWeights({ lex: 0, vec: 0.8, graph: 0.2 })).toEqual({ lex: 0, vec: 0.8, graph: 0.2 })
    expect(productOf({ recency: 0.5, confidence: 0.5, access: 0.5, contradiction: 0.7, garden: 0.2 })).toBeCloseTo(0.0175, 9)
  })

  test('the minimum weight of a context term is that of the farthest field used', () => {
    const fields = { title: 3, text: 1, near: 0.5 }
    expect([computeMinContextWeight({ ...fields, far: 0.2 }), computeMinContextWeight({ ...fields, far: 0 })]).toEqual([0.2, 0.5])
  })
})

test('a text with as many foreign as English words is not English', () => {
  expect(readsAsEnglish('the der')).toBe(false)
  expect(readsAsEnglish('the and der')).toBe(true)
})

test('the end of a fact is the earlier of its validity and its expiry', () => {
  expect([expiryOf({}, 5), expiryOf({ ttlDays: 2 }, 5), expiryOf({ ttlDays: 2, expiresAt: 9 }, 5)]).toEqual([undefined, 5 + 2 * DAY_US, 9])
  expect(lifetimeOf(0.5)).toBe(43_200e6)
  expect([
    endOf({ validUntil: null, expiresAt: 7 }),
    endOf({ validUntil: 5, expiresAt: null }),
    endOf({ validUntil: 5, expiresAt: 3 }),
  ]).toEqual([7, 5, 3])
  expect(endOf({ validUntil: null, expiresAt: null })).toBeNull()
})
