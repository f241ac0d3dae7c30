import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_PRINCIPAL } from '../../src/core/access/access-filter.js'
import { createGarden, decideQuarantine } from '../../src/engine/access/gardens.js'
import { BACKENDS, fact, keyOf, listIn, openNode, ref, type TestNode } from './node.js'

const codeOf = ({ code, reason }: { readonly code: string; readonly reason: string }): string => `${code} ${reason}`

describe.each(BACKENDS)('gardens in recall and cards, on %s', (kind) => {
  let node: TestNode
  beforeEach(async () => {
    node = await openNode(kind)
    const garden = { kind: 'garden', id: 'g1', owner: 'default', name: 'den', version: 1 } as const
    await node.backend.store.commit({ actor: 'test', owners: ['default'] }, (now) => [
      {
        op: 'arrangement.put',
        arrangement: { ...garden, data: { scope: 'company', name: 'Den', members: {} }, createdAt: now, updatedAt: now },
      },
    ])
  })
  afterEach(() => node.close())

  const member = keyOf({}, { gardens: ['den'] })
  const stranger = keyOf()

  test('facts of a garden are found, reached and shown on a card for its members only (L115.1 L116.1 L192.1 L202.2)', async () => {
    const hidden = await node.call(
      'assert_fact',
      fact('user:ines', 'memory:plan', 'sells the harbour', { garden_id: 'den', source: undefined }),
      member,
    )
    await node.call(
      'assert_fact',
      ref('user:ines', 'memory:meets', 'user:bob', { garden_id: 'stigmem://local/garden/den', source: undefined }),
      member,
    )
    const open = await node.call('assert_fact', fact('user:bob', 'memory:job', 'owns boats'))
    expect(hidden.garden_id).toBe('stigmem://local/garden/den')
    const found = async (who: typeof member) => {
      const answer = await node.call('recall', { query: 'harbour', token_budget: 1000, weights: { lex: 0.5, vec: 0, graph: 0.5 } }, who)
      return listIn(answer, 'results').map(({ id }) => id)
    }
    expect(await found(member)).toEqual(expect.arrayContaining([String(hidden.id), String(open.id)]))
    expect(await found(stranger)).toEqual([])
    expect(listIn(await node.call('neighbors', { entity: 'user:bob', scope: 'company' }, stranger), 'neighbors')).toEqual([])
    // By vectors alone, neither.
    const meant = { query: 'ines memory:plan sells the harbour', token_budget: 1000, weights: { lex: 0, vec: 1, graph: 0 } }
    const near = async (who: typeof member) => listIn(await node.call('recall', meant, who), 'results').map(({ id }) => id)
    expect(await near(member)).toContain(hidden.id)
    expect(await near(stranger)).not.toContain(hidden.id)
    // An entity known only from the garden is no starting point, although a visible edge starts there.
    await node.call('assert_fact', fact('user:zoe', 'memory:plan', 'sells the harbour', { garden_id: 'den', source: undefined }), member)
    await node.call('assert_fact', ref('user:zoe', 'memory:knows', 'user:dan'))
    const dan = await node.call('assert_fact', fact('user:dan', 'memory:job', 'bakes'))
    expect(await found(member)).toContain(dan.id)
    expect(await found(stranger)).toEqual([])
    expect(listIn(await node.call('neighbors', { entity: 'user:bob', scope: 'company' }, member), 'neighbors')).toHaveLength(1)
    const request = { entity: 'user:ines', garden_id: 'den' }
    expect(await node.call('memory_card', request, member)).toMatchObject({ garden_id: 'stigmem://local/garden/den' })
    expect(codeOf(await node.refusal('memory_card', request, stranger))).toBe('not_found card_not_found')
    expect(codeOf(await node.refusal('memory_card', { ...request, garden_id: 'nope' }, stranger))).toBe('not_found card_not_found')
    // A card covers one garden, or none, also for readers of both.
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'CEO'))
    const render = async (input: Record<string, unknown>) => JSON.stringify((await node.call('memory_card', input, member)).value)
    expect(await render(request)).toContain('sells the harbour')
    expect(await render(request)).not.toContain('CEO')
    expect(await render({ entity: 'user:ines', scope: 'company' })).toContain('CEO')
    expect(await render({ entity: 'user:ines', scope: 'company' })).not.toContain('sells the harbour')
    const about = await node.call('recall', { query: 'harbour', token_budget: 1000, entity: 'user:ines' }, stranger)
    expect(listIn(about, 'results').map(({ relation }) => relation)).toEqual(['memory:role'])
    expect(JSON.stringify(about.memory_card)).not.toContain('sells')
    expect(codeOf(await node.refusal('query_facts', { garden_id: 'den' }, stranger))).toBe('forbidden access_denied')
    expect((await node.call('query_facts', { garden_id: 'den' }, member)).total).toBe(3)
    expect(codeOf(await node.refusal('get_fact', { id: hidden.id }, stranger))).toBe('not_found fact_not_found')
    expect(
      codeOf(await node.refusal('assert_fact', fact('user:x', 'memory:y', 'z', { garden_id: 'den', source: undefined }), stranger)),
    ).toBe('forbidden forbidden')
    expect(
      codeOf(
        await node.refusal(
          'assert_fact',
          fact('user:x', 'memory:y', 'z', { garden_id: 'den', scope: 'public', source: undefined }),
          member,
        ),
      ),
    ).toBe('unprocessable invalid_input')
  })

  test('derivations from a garden are hashes to non-members, and a walk from inside is refused to them (L220.1 L221.1 L223.1 L224.1)', async () => {
    const inside = await node.call(
      'assert_fact',
      fact('user:ines', 'memory:plan', 'sells', { garden_id: 'den', source: undefined }),
      member,
    )
    const outside = await node.call(
      'assert_fact',
      fact('user:ines', 'memory:mood', 'calm', { derived_from: [inside.hash, '0'.repeat(64)] }),
    )
    const nodes = async (who: typeof member) => listIn(await node.call('provenance', { id: outside.id }, who), 'nodes').slice(1)
    expect(await nodes(member)).toMatchObject([{ id: inside.id, exists: true }, { exists: false }])
    expect(await nodes(stranger)).toEqual([
      { hash: inside.hash, exists: false },
      { hash: '0'.repeat(64), exists: false },
    ])
    expect(codeOf(await node.refusal('provenance', { id: inside.id }, stranger))).toBe('forbidden access_denied')
  })

  test('a cursor continues without a garden to which access was lost', async () => {
    for (let i = 0; i < 6; i++) {
      const within = i % 2 === 0 ? { garden_id: 'den' } : {}
      await node.call('assert_fact', ref('user:hub', `memory:n${i}`, `user:n${i}`, { ...within, source: undefined }), member)
    }
    const gone = { ...stranger, key: member.key, name: member.name }
    const list = { entity: 'user:hub', limit: 2 }
    const first = await node.call('query_facts', list, member)
    const rest = await node.call('query_facts', { ...list, cursor: first.cursor }, gone)
    expect(listIn(rest, 'facts').map(({ relation }) => relation)).toEqual(['memory:n3', 'memory:n1'])
    expect([first.total, rest.total]).toEqual([6, 3])
    expect(await node.call('query_facts', { ...list, cursor: rest.cursor }, gone)).toMatchObject({ facts: [], cursor: null })
    const walk = { entity: 'user:hub', scope: 'company', page_size: 2 }
    const began = await node.call('neighbors', walk, member)
    expect(listIn(began, 'neighbors').map(({ entity }) => entity)).toEqual(['user:n0', 'user:n1'])
    const after = await node.call('neighbors', { ...walk, cursor: began.next_cursor }, gone)
    expect(listIn(after, 'neighbors').map(({ entity }) => entity)).toEqual(['user:n3', 'user:n5'])
    expect(after).not.toHaveProperty('next_cursor')
  })

  test('a fact promoted from quarantine contradicts facts outside, and is on their cards', async () => {
    const caller = { principal: LOCAL_PRINCIPAL, actor: 'test' }
    const gate = { name: 'Gate', scope: 'company', description: null, quarantine: true }
    await createGarden(node.engine.context(), caller, { slug: 'gate', ...gate })
    await createGarden(node.engine.context(), caller, { slug: 'yard', ...gate, scope: 'team', quarantine: false })
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'CEO'))
    const held = await node.call('assert_fact', fact('user:ines', 'memory:role', 'CFO', { source: 'agent:b', garden_id: 'gate' }))
    const conflicts = async () => listIn(await node.call('list_conflicts'), 'conflicts')
    expect(await node.call('memory_card', { entity: 'user:ines' })).toMatchObject({ has_contradictions: false })
    expect([held.quarantine_status, await conflicts()]).toEqual(['pending', []])
    const decision = { verdict: 'promoted', factId: String(held.id), reason: 'known' } as const
    await expect(decideQuarantine(node.engine.context(), caller, 'gate', { ...decision, target: 'yard' })).rejects.toMatchObject({
      reason: 'scope_mismatch',
    })
    await decideQuarantine(node.engine.context(), caller, 'gate', decision)
    expect(await conflicts()).toMatchObject([{ status: 'unresolved' }])
    expect((await node.call('get_fact', { id: held.id })).contradicted).toBe(true)
    expect(await node.call('memory_card', { entity: 'user:ines' })).toMatchObject({ has_contradictions: true })
  })

  test('a server without the setting does not reveal how it ranks (L167.2)', async () => {
    await node.call('assert_fact', fact('user:ines', 'memory:role', 'leads the harbour'))
    expect((await node.call('recall', { query: 'harbour', token_budget: 500, debug: true })).scores_debug).toBeNull()
  })
})
