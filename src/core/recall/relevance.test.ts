import { expect, test } from 'vitest'
import { cutTail, fitToBudget } from './relevance.js'

const remembered = (relevance: number, session: string | null, title: string | null = null, author: string | null = null) => ({
  relevance,
  memory: { fact: { owner: 'o', session, title, author } },
})

test('an answer leaves out notes of a small share of the best sooner than turns and titled passages', () => {
  const of = (session: string | null, title: string | null = null) =>
    cutTail(
      [0.9, 0.06, 0.029, 0.02].map((relevance) => remembered(relevance, session, title)),
      undefined,
    ).length
  expect(of(null)).toBe(1)
  expect(of('~connection')).toBe(1)
  expect(of('monday')).toBe(3)
  expect(of(null, 'Leave policy')).toBe(3)
  const spoken = [0.9, 0.06].map((relevance, i) => remembered(relevance, '~connection', null, i === 0 ? 'Ann' : 'Ben'))
  expect(cutTail(spoken, undefined)).toHaveLength(2)
  expect(cutTail([remembered(0.001, null)], undefined)).toHaveLength(1)
})

test('results end at the relevance limit and at the token budget', () => {
  expect(cutTail([{ relevance: 0.5 }], 0.5)).toHaveLength(1)
  // {"text":"abcd"} has 15 characters, which are 4 tokens.
  const three = [1, 2, 3].map(() => [{ text: 'abcd' }] as const)
  expect(fitToBudget(three, 8)).toHaveLength(2)
})
