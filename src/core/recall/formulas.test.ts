import { expect, test } from 'vitest'
import { cutTail, fitToBudget } from './relevance.js'

test('results end at the relevance limit and at the token budget', () => {
  expect(cutTail([{ relevance: 0.5 }], 0.5)).toHaveLength(1)
  // {"text":"abcd"} has 15 characters, which are 4 tokens.
  const three = [1, 2, 3].map(() => [{ text: 'abcd' }] as const)
  expect(fitToBudget(three, 8)).toHaveLength(2)
})
