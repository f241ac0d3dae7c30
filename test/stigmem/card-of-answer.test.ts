import { afterEach, beforeEach, expect, test } from 'vitest'
import { STAGE_WEIGHTS } from '../../src/core/recall/statements/stages.js'
import type { Card, Cards, PendingCard } from '../../src/engine/engine-services.js'
import { answerStatements } from '../../src/engine/stigmem/answer-recall.js'
import { fact, openNode, type TestNode } from './node.js'

let node: TestNode
beforeEach(async () => {
  node = await openNode('ram')
})
afterEach(() => node.close())

const question = {
  ...{ text: 'harbour', budget: 2000, depth: 0, weights: STAGE_WEIGHTS, includeLowTrust: true, leastConfidence: 0, lambda: 1 },
  ...{ restCost: 0, costOf: () => 50 },
  ...{ entity: 'user:ines', freshCard: false, signal: new AbortController().signal },
}

/** The result for two facts if reading the card has this outcome. */
async function answered(read: (ids: readonly [string, string]) => Promise<Card | PendingCard | null>) {
  const result = await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
  const untold = await node.call('assert_fact', fact('user:ines', 'memory:hobby', 'chess'))
  const ids = [String(result.id), String(untold.id)] as const
  const cards: Cards = { read: () => read(ids), wake: () => undefined, close: async () => undefined }
  const context = node.engine.context()
  const accesses = { note: () => undefined, flush: async () => undefined, close: async () => undefined }
  const answer = await answerStatements({ ...context, services: { ...context.services, cards, accesses } }, question)
  const stale = ids.map((id) => answer.results.find((renderedStatementResult) => renderedStatementResult.fact.id === id)?.cardStale)
  return { stale, card: answer.card?.fact.id ?? null, timedOut: answer.cardTimedOut }
}

const cardOf = async (ids: readonly string[], isStale: boolean): Promise<Card> => {
  const facts = await node.backend.store.facts(ids, 'default')
  const [first] = facts
  if (first === undefined) throw new Error('it was asserted')
  return { fact: first, isStale, timedOut: false, facts, contradictions: [] }
}

test('without a card, no missing facts are reported', async () => {
  expect(await answered(async () => null)).toEqual({ stale: [false, false], card: null, timedOut: false })
})

test('a stale card lists the facts that it lacks', async () => {
  expect(await answered(async ([output]) => cardOf([output], true))).toMatchObject({ stale: [false, true], timedOut: false })
})

test('a current card lists none', async () => {
  expect(await answered(async ([output]) => cardOf([output], false))).toMatchObject({ stale: [false, false] })
})

test('a card known to be wrong is not shown, and its differences are listed', async () => {
  const wrong = (ids: readonly [string, string]): PendingCard => ({ divergentFrom: new Map([[ids[0], 1]]), timedOut: false })
  expect(await answered(async (ids) => wrong(ids))).toEqual({ stale: [false, true], card: null, timedOut: false })
})

test('a card that took too long is missing for all results', async () => {
  expect(await answered(async () => ({ divergentFrom: null, timedOut: true }))).toEqual({ stale: [true, true], card: null, timedOut: true })
  await node.close()
  node = await openNode('ram')
  expect(await answered(async () => ({ divergentFrom: null, timedOut: false }))).toMatchObject({ stale: [false, false], timedOut: false })
})
