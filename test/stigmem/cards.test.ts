import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { STAGE_WEIGHTS } from '../../src/core/recall/statements/stages.js'
import type { Context } from '../../src/engine/context.js'
import type { Cards } from '../../src/engine/engine-services.js'
import { answerStatements } from '../../src/engine/stigmem/answer-recall.js'
import { createCards } from '../../src/engine/stigmem/cards.js'

import { loadContracts } from '../../src/open.js'
import { BACKENDS, fact, keyOf, listIn, openNode, type TestNode } from './node.js'

const codeOf = ({ code, reason }: { readonly code: string; readonly reason: string }): string => `${code} ${reason}`

const question = {
  ...{ text: 'ines', entity: 'stigmem://acme/person/ines', budget: 1000, depth: 1, weights: STAGE_WEIGHTS, includeLowTrust: false },
  ...{ leastConfidence: 0.1, lambda: 0.7, restCost: 0, costOf: () => 50, signal: new AbortController().signal },
}

describe.each(BACKENDS)('cards on %s', (kind) => {
  let node: TestNode
  /** What a recall about an entity is answered whose card takes so long. */
  const answerLate = (cards: Cards, more: { readonly freshCard: boolean }) => answerStatements(contextWith(cards), { ...question, ...more })
  const contextWith = (cards: Cards): Context => {
    const context = node.engine.context()
    const accesses = { note: () => undefined, flush: async () => undefined, close: async () => undefined }
    return { ...context, services: { ...context.services, cards, accesses } }
  }
  /** A card builder that never finishes. */
  const stuckCards = (refreshMs = 0): Cards => {
    const statements = { ...node.environment.statements, strongest: () => new Promise<never>(() => undefined) }
    return createCards({ ...node.environment, statements }, refreshMs)
  }
  beforeEach(async () => {
    node = await openNode(kind)
  })
  afterEach(() => node.close())

  const card = (more: Record<string, unknown> = {}, principal?: Parameters<TestNode['call']>[2]) =>
    node.call('memory_card', { entity: 'stigmem://acme/person/ines', ...more }, principal)
  const say = (relation: string, v: string, more: Record<string, unknown> = {}) =>
    node.call('assert_fact', fact('stigmem://acme/person/ines', relation, v, more))
  const textOf = (answer: Awaited<ReturnType<typeof card>>): string => {
    const value = answer.value
    return typeof value === 'object' && value !== null && 'v' in value ? String(value.v) : ''
  }

  test('lists statements of sufficient confidence, sorted, with contradictions and sources (L184.1 L186.1 L188.1 L188.2)', async () => {
    await say('memory:role', 'CTO', { confidence: 0.6 })
    const role = await say('memory:role', 'CEO', { confidence: 0.9, source: 'agent:other' })
    await say('memory:age', '44')
    await say('memory:rumour', 'likes rain', { confidence: 0.29 })
    await say('memory:just', 'likes snow', { confidence: 0.3 })
    // Trust counts: 0.45 * 0.64 is less than 0.3, 0.5 * 0.64 is not.
    for (const [relation, v, confidence] of [
      ['memory:heard', 'likes hail', 0.45],
      ['memory:seen', 'likes wind', 0.5],
    ] as const)
      await node.call('assert_fact', fact('stigmem://acme/person/ines', relation, v, { confidence, source: undefined }), keyOf())
    const answer = await card()
    expect(answer).toMatchObject({
      ...{
        entity_uri: 'stigmem://acme/person/ines',
        relation: 'stigmem:memory:card',
        source: 'system:stigmem:card-generator',
        scope: 'company',
      },
      ...{ confidence: 1, card_stale: false, is_stale: false, has_contradictions: true, garden_id: null },
    })
    expect(answer.id).toBe('card:stigmem://acme/person/ines:company')
    // The summary states what is known.
    expect(answer.summary).toBe('ines: age 44; role CEO; seen likes wind; just likes snow. 1 fact is contradicted.')
    expect(answer.fact_hashes).toContain(role.hash)
    const lines = textOf(answer).split('\n')
    expect(lines[0]).toBe('# ines')
    expect(lines).toContain('- Type: person')
    const rows = lines.filter((line) => line.startsWith('| memory:')).map((line) => line.split(' | ').slice(0, 2).join(' '))
    expect(rows).toEqual([
      ...['| memory:age 44', '| memory:just likes snow', '| memory:role CEO', '| memory:role CTO', '| memory:seen likes wind'],
    ])
    expect(textOf(answer)).toMatch(/memory:role: "CEO" \(0\.9, agent:other\) against "CTO" \(0\.6, agent:test\)/)
    expect(textOf(answer)).not.toMatch(/rain|hail/)
    const withPairs = await card({ include_contradicted: true })
    expect(withPairs.contradictions).toMatchObject([[{ value: { v: 'CEO' } }, { value: { v: 'CTO' } }]])
  })

  test('follows every change of its facts (L204.1 L206.1)', async () => {
    const tea = await say('memory:likes', 'tea')
    expect(textOf(await card())).toContain('tea')
    await say('memory:plays', 'chess')
    expect(textOf(await card())).toContain('chess')
    await node.call('retract_fact', { id: tea.id })
    expect(textOf(await card())).not.toContain('tea')
    await say('memory:visits', 'Porto', { valid_until: '2027-01-01T00:00:00Z' })
    expect(textOf(await card())).toContain('Porto')
    node.clock.set(Date.parse('2027-02-01T00:00:00Z') * 1000)
    expect(textOf(await card())).not.toContain('Porto')
    const before = (await card()).refreshed_at
    node.clock.set(node.clock.now() + 90_000e6)
    expect((await card()).refreshed_at).not.toBe(before)
    const forced = (await card({ force_refresh: true })).refreshed_at
    node.clock.set(node.clock.now() + 5e6)
    expect((await card({ refresh: true })).refreshed_at).not.toBe(forced)
  })

  test('no value leaves its cell, and the card holds 4,000 tokens', async () => {
    await say('memory:note', 'a | b\n| memory:role | boss |\r\n# heading \\| x')
    const [row] = textOf(await card())
      .split('\n')
      .filter((line) => line.startsWith('| memory:note'))
    expect(row).toContain('a \\| b<br>\\| memory:role \\| boss \\|<br># heading \\\\\\| x')
    for (let i = 0; i < 40; i++) await say(`memory:long${i}`, `${i} ${'x'.repeat(800)}`, { confidence: i < 20 ? 0.5 : 0.9 })
    const text = textOf(await card())
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_000)
    expect(text).toMatch(/… \d+ lower-confidence facts omitted/)
    expect(text).toContain('memory:long39')
    expect(text).not.toContain('memory:long19 ')
  })

  test('a card contains only what its reader may read (L202.1)', async () => {
    await say('memory:likes', 'tea')
    await say('memory:secret', 'burrow', { scope: 'local' })
    expect(textOf(await card({ scope: 'company' }))).not.toContain('burrow')
    expect(
      codeOf(
        await node.refusal('memory_card', { entity: 'stigmem://acme/person/ines', scope: 'local' }, keyOf({}, { scopes: ['company'] })),
      ),
    ).toBe('not_found card_not_found')
    expect(codeOf(await node.refusal('memory_card', { entity: 'user:absent' }))).toBe('not_found card_not_found')
    expect(codeOf(await node.refusal('memory_card', { entity: 'stigmem://acme/person/ines' }, keyOf({ owner: 'other' })))).toBe(
      'not_found card_not_found',
    )
  })

  test('a card that cannot be built in time is served in its last state, marked, unless it is known to be wrong (L198.1 L199.1 L206.2)', async () => {
    const tea = await say('memory:likes', 'tea')
    const request = { owner: 'default', entity: 'stigmem://acme/person/ines', scope: 'company', garden: null } as const
    const into = { owner: 'default', scopes: 'all', gardens: 'all', federated: true } as const
    await card()
    const { environment } = node
    const late = createCards(environment, 0)
    await say('memory:plays', 'chess')
    expect(await late.read(request, into, { force: true })).toMatchObject({ isStale: true, timedOut: true })
    await node.settle()
    await card()
    await say('memory:reads', 'maps')
    await node.call('retract_fact', { id: tea.id })
    // What the outdated card lacks is in the results, and marked there.
    const found = await answerLate(late, { freshCard: false })
    expect(found.card).toBeNull()
    expect(found.results.map(({ fact: { predicate }, cardStale }) => [predicate, cardStale]).sort()).toEqual([
      ['memory:plays', false],
      ['memory:reads', true],
    ])
    await node.settle()
    await late.close()
    const recalled = await node.call('recall', { query: 'ines', token_budget: 1000, entity: 'stigmem://acme/person/ines' })
    expect(listIn(recalled, 'results')).toHaveLength(2)
  })

  test('a call does not wait for a card that is never built (L198.1)', async () => {
    await say('memory:likes', 'tea')
    const stuck = stuckCards()
    const request = { owner: 'default', entity: 'stigmem://acme/person/ines', scope: 'company', garden: null } as const
    const into = { owner: 'default', scopes: 'all', gardens: 'all', federated: true } as const
    expect(await stuck.read(request, into, { force: true })).toEqual({ divergentFrom: null, timedOut: true })
    await stuck.close()
  })

  test('without a card and time to build one, the facts are returned and marked (L199.1)', async () => {
    await say('memory:likes', 'tea')
    await say('memory:reads', 'maps')
    const late = stuckCards(0)
    const { cardTimedOut, results } = await answerLate(late, { freshCard: true })
    expect([cardTimedOut, results.map(({ cardStale }) => cardStale)]).toEqual([true, [true, true]])
    const unforced = await answerLate(late, { freshCard: false })
    expect([unforced.cardTimedOut, unforced.results.map(({ cardStale }) => cardStale)]).toEqual([false, [false, false]])
    const [contract] = await loadContracts(['stigmem'])
    const ask = async (tool: string, input: object) => {
      const call = { context: contextWith(late), actor: 'test', connection: 'c', progress: () => undefined }
      return contract?.operations.find(({ name }) => name === tool)?.call(call, input)
    }
    const raw = await ask('memory_card', { entity: 'stigmem://acme/person/ines', force_refresh: true })
    expect(raw).toMatchObject({ value: null, card_stale: true, force_refresh_timeout: true, facts: [{ relation: 'memory:reads' }, {}] })
    await expect(ask('memory_card', { entity: 'stigmem://acme/person/ines' })).rejects.toThrow('or it is not made yet')
    const about = { query: 'ines', token_budget: 400, entity: 'stigmem://acme/person/ines', force_refresh: true }
    expect(await ask('recall', about)).toMatchObject({ memory_card: null, force_refresh_timeout: true })
    await node.settle()
    await late.close()
  })
})
