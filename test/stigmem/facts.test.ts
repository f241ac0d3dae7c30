import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../src/core/encoding/hash.js'
import { canonicalJson } from '../../src/core/encoding/json.js'
import { listFacts } from '../../src/engine/facts/list-facts.js'
import { remember } from '../../src/engine/facts/remember.js'
import { findFact } from '../../src/engine/facts/revise.js'
import { aFact } from '../contract/samples.js'
import { BACKENDS, fact, keyOf, listIn, openNode, ref, type TestNode } from './node.js'

const codeOf = ({ code, reason }: { readonly code: string; readonly reason: string }): string => `${code} ${reason}`

describe.each(BACKENDS)('facts on %s', (kind) => {
  let node: TestNode
  beforeEach(async () => {
    node = await openNode(kind)
  })
  afterEach(() => node.close())

  test('an assertion returns its complete record', async () => {
    const record = await node.call('assert_fact', {
      ...fact('Stigmem://ACME/Person/Alice Smith ', 'memory:role', 'CEO', { confidence: 0.97, valid_until: '2040-01-01T00:00:00Z' }),
    })
    expect(record).toMatchObject({
      ...{ entity: 'stigmem://acme/person/alice-smith', relation: 'memory:role', value: { type: 'text', v: 'CEO' }, source: 'agent:test' },
      ...{ confidence: 0.97, scope: 'company', valid_until: '2040-01-01T00:00:00Z', received_from: null, garden_id: null, attested: null },
      ...{ derived_from: null, attestation_chain: null, source_trust: null, contradicted: false, warnings: [], quarantine_status: null },
      effective_confidence: 0.97,
    })
    expect(record.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(record.hlc).toMatch(/^\d{13}\.\d{3}$/)
    expect(record.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { entity = '', relation = '', value = '', scope = '', source = '', confidence = 0, timestamp = '' } = record
    expect(record.hash).toBe(sha256(canonicalJson({ entity, relation, value, scope, source, confidence, ts: timestamp })))
    expect(record.cid).toBe(
      `sha256:${sha256(canonicalJson({ confidence, entity, relation, scope, source, value_type: 'text', value_v: 'CEO' }))}`,
    )
    expect(await node.call('get_fact', { id: record.id })).toEqual(record)
  })

  test.each([
    ['string', 'x'],
    ['text', 'a longer text'],
    ['number', 4.5],
    ['boolean', false],
    ['datetime', '2026-05-01T12:00:00Z'],
    ['ref', 'user:bob'],
    ['null', null],
  ])('a value of type %s comes back as it was sent', async (type, v) => {
    const { id } = await node.call('assert_fact', { ...fact('user:alice', `memory:${type}`, ''), value: { type, v } })
    expect(await node.call('get_fact', { id })).toMatchObject({ value: { type, v } })
  })

  test('a repeated assertion stores nothing, any other does', async () => {
    const statement = fact('user:alice', 'memory:likes', 'tea')
    const first = await node.call('assert_fact', statement)
    const again = await node.call('assert_fact', statement)
    expect(again).toEqual({ ...first, existing: true })
    await node.call('assert_fact', { ...statement, confidence: 0.5 })
    await node.call('assert_fact', { ...statement, source: 'agent:other' })
    await node.call('assert_fact', { ...statement, timestamp: '2026-01-01T00:00:00Z' })
    expect((await node.call('query_facts', { entity: 'USER:Alice' })).total).toBe(4)
  })

  test('zero confidence retracts the statement of its source, and nothing else', async () => {
    const mine = await node.call('assert_fact', ref('user:alice', 'memory:knows', 'user:bob'))
    const other = await node.call('assert_fact', ref('user:alice', 'memory:knows', 'user:cy', { source: 'agent:other' }))
    const record = await node.call('assert_fact', ref('user:alice', 'memory:knows', 'user:bob', { confidence: 0 }))
    expect(record).toMatchObject({ confidence: 0 })
    const after = await node.call('get_fact', { id: mine.id })
    expect(after).toMatchObject({ confidence: 0, hash: mine.hash, cid: mine.cid, timestamp: mine.timestamp })
    const [edge] = await node.backend.store.edgesById([String(mine.id)])
    expect(edge).toMatchObject({ confidence: 0, from: 'user:alice', to: 'user:bob' })
    expect((await node.call('query_facts', { entity: 'user:alice' })).facts).toMatchObject([{ id: other.id }])
    expect((await node.call('query_facts', { entity: 'user:alice', include_expired: true, include_contradicted: true })).total).toBe(3)
  })

  test('retracting one fact by its id leaves the others of its source', async () => {
    const tea = await node.call('assert_fact', fact('user:alice', 'memory:likes', 'tea'))
    const jazz = await node.call('assert_fact', fact('user:alice', 'memory:likes', 'jazz'))
    expect(await node.call('retract_fact', { id: tea.id, reason: 'changed her mind' })).toMatchObject({ id: tea.id, confidence: 0 })
    expect(await node.call('retract_fact', { id: tea.id })).toMatchObject({ confidence: 0 })
    expect((await node.call('query_facts', { relation: 'memory:likes' })).facts).toMatchObject([{ id: jazz.id, contradicted: false }])
    expect(codeOf(await node.refusal('retract_fact', { id: jazz.id }, keyOf({ entity: 'agent:other' })))).toBe('forbidden access_denied')
    await node.call('retract_fact', { id: jazz.id }, keyOf({ entity: 'agent:other', rights: ['read', 'write', 'admin'] }))
    expect((await node.call('query_facts', { relation: 'memory:likes' })).total).toBe(0)
  })

  test('repair 5: a conflict contains both facts as records', async () => {
    const old = await node.call('assert_fact', fact('user:alice', 'memory:role', 'CTO', { confidence: 0.8 }))
    const now = await node.call('assert_fact', fact('user:alice', 'memory:role', 'CEO', { confidence: 0.9, source: 'agent:other' }))
    const [conflict] = listIn(await node.call('list_conflicts'), 'conflicts')
    const sides = {
      ...{ fact_a_id: old.id, fact_b_id: now.id },
      fact_a: { id: old.id, entity: 'user:alice', relation: 'memory:role', value: { type: 'text', v: 'CTO' }, confidence: 0.8 },
      fact_b: { id: now.id, value: { type: 'text', v: 'CEO' }, source: 'agent:other', contradicted: true },
    }
    expect(conflict).toMatchObject(sides)
    expect(await node.call('get_conflict', { id: conflict?.conflict_id })).toEqual(conflict)
    expect((await node.refusal('get_conflict', { id: 'stigmem:conflict:none' })).reason).toBe('conflict_not_found')
  })

  test('contradictions are kept, represented by the prevailing statement, and settled by a resolution', async () => {
    const old = await node.call('assert_fact', fact('user:alice', 'memory:role', 'CTO', { confidence: 0.8 }))
    const now = await node.call('assert_fact', fact('user:alice', 'memory:role', 'CEO', { confidence: 0.9, source: 'agent:other' }))
    expect(now.contradicted).toBe(true)
    expect((await node.call('get_fact', { id: old.id })).contradicted).toBe(true)
    const winners = await node.call('query_facts', { entity: 'user:alice' })
    expect(winners).toMatchObject({ facts: [{ id: now.id, contradicted: true }], total: 1 })
    expect((await node.call('query_facts', { entity: 'user:alice', include_contradicted: true })).total).toBe(2)
    const conflicts = listIn(await node.call('list_conflicts', { status: 'unresolved' }), 'conflicts')
    expect(conflicts).toMatchObject([{ status: 'unresolved', resolved_by: null }])
    const [conflict] = conflicts
    expect([conflict?.fact_a_id, conflict?.fact_b_id].sort()).toEqual([old.id, now.id].sort())
    const noted = await node.call('query_facts', { entity: String(conflict?.conflict_id) })
    expect(noted.total).toBe(2)
    const resolution = await node.call('resolve_contradiction', {
      id: conflict?.conflict_id,
      winning_fact_id: old.id,
      resolution_note: 'asked her',
    })
    expect(resolution.conflict_status).toBe('resolved')
    const settled = await node.call('query_facts', { entity: 'user:alice' })
    expect(settled).toMatchObject({
      facts: [{ id: resolution.resolution_fact_id, value: { v: 'CTO' }, confidence: 1, contradicted: false }],
      total: 1,
    })
    expect(await node.call('get_fact', { id: now.id })).toMatchObject({ value: { v: 'CEO' }, confidence: 0.9, contradicted: false })
    expect((await node.call('list_conflicts', { status: 'unresolved' })).conflicts).toEqual([])
    expect((await node.call('list_conflicts', {})).conflicts).toMatchObject([
      { status: 'resolved', resolved_by: resolution.resolution_fact_id },
    ])
    expect(codeOf(await node.refusal('resolve_contradiction', { id: conflict?.conflict_id, winning_fact_id: old.id }))).toBe(
      'conflict conflict_resolved',
    )
  })

  test('sixty contradictory values make one conflict each, not one for every pair', async () => {
    for (let i = 0; i < 60; i++) await node.call('assert_fact', fact('user:alice', 'memory:age', `${i}`, { confidence: 0.5 }))
    expect(listIn(await node.call('list_conflicts', { limit: 500 }), 'conflicts')).toHaveLength(59)
    expect((await node.call('query_facts', { entity: 'user:alice' })).facts).toMatchObject([{ value: { v: '59' } }])
  })

  test('expired facts are excluded unless requested', async () => {
    await node.call('assert_fact', fact('user:alice', 'memory:visit', 'gone', { valid_until: '2020-01-01T00:00:00Z' }))
    const { id } = await node.call('assert_fact', fact('user:alice', 'memory:stay', 'here'))
    await node.call('assert_fact', { ...fact(String(id), 'stigmem:ttl', ''), value: { type: 'datetime', v: '2027-01-01T00:00:00Z' } })
    expect((await node.call('get_fact', { id })).valid_until).toBe('2027-01-01T00:00:00.000Z')
    expect((await node.call('query_facts', { entity: 'user:alice' })).facts).toMatchObject([{ id }])
    node.clock.set(Date.parse('2027-01-02T00:00:00Z') * 1000)
    expect((await node.call('query_facts', { entity: 'user:alice' })).total).toBe(0)
    expect((await node.call('query_facts', { entity: 'user:alice', include_expired: true })).total).toBe(2)
  })

  test('derivation: hashes are checked, stored unchanged, and form no cycle (L213.1 L214.1 L214.2 L214.3 L214.5 L215.1)', async () => {
    const a = await node.call('assert_fact', fact('user:alice', 'memory:a', '1'))
    const b = await node.call('assert_fact', fact('user:alice', 'memory:b', '2', { derived_from: [a.hash, 'f'.repeat(64)] }))
    expect(b.derived_from).toEqual([a.hash, 'f'.repeat(64)])
    for (const wrong of ['F'.repeat(64), 'ab', ''])
      expect(codeOf(await node.refusal('assert_fact', fact('user:a', 'memory:c', 'x', { derived_from: [wrong] })))).toBe(
        'invalid_input provenance_hash_invalid',
      )
    const statement = { entity: 'user:z', relation: 'memory:z', scope: 'company', source: 'agent:test', confidence: 1 }
    const ts = '2026-03-01T00:00:00.000Z'
    const hash = sha256(canonicalJson({ ...statement, value: { type: 'text', v: 'z' }, ts }))
    const closing = fact('user:z', 'memory:z', 'z', { timestamp: ts })
    expect(codeOf(await node.refusal('assert_fact', { ...closing, derived_from: [hash] }))).toBe('invalid_input provenance_cycle_detected')
    const y = await node.call('assert_fact', fact('user:y', 'memory:y', 'y', { derived_from: [hash] }))
    const x = await node.call('assert_fact', fact('user:x', 'memory:x', 'x', { derived_from: [y.hash] }))
    expect(codeOf(await node.refusal('assert_fact', { ...closing, derived_from: [x.hash] }))).toBe(
      'invalid_input provenance_cycle_detected',
    )
    expect((await node.call('assert_fact', { ...closing, derived_from: [a.hash] })).hash).toBe(hash)
    expect(codeOf(await node.refusal('patch_fact', { id: b.id, derived_from: [] }))).toBe('unprocessable derived_from_immutable')
    expect(codeOf(await node.refusal('patch_fact', { id: b.id, confidence: 1 }))).toBe('unprocessable fact_immutable')
    expect(codeOf(await node.refusal('patch_fact', { id: 'none', derived_from: [] }))).toBe('not_found fact_not_found')
  })

  test('pages of a list neither skip nor repeat, despite concurrent writes', async () => {
    for (let i = 0; i < 25; i++) await node.call('assert_fact', fact(`user:u${i}`, 'memory:n', `${i}`))
    const seen: unknown[] = []
    let cursor: unknown
    do {
      const page = await node.call('query_facts', { relation: 'memory:n', limit: 4, ...(cursor ? { cursor } : {}) })
      for (const { entity } of listIn(page, 'facts')) seen.push(entity)
      cursor = page.cursor
      await node.call('assert_fact', fact(`user:new${seen.length}`, 'memory:n', `new${seen.length}`))
    } while (cursor !== null)
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `user:u${24 - i}`))
    const first = await node.call('query_facts', { relation: 'memory:n', limit: 4 })
    const refused = async (input: Record<string, unknown>, as = keyOf()) => codeOf(await node.refusal('query_facts', input, as))
    expect(await refused({ relation: 'memory:n', limit: 4, cursor: first.cursor })).toBe('invalid_input invalid_cursor')
    expect(codeOf(await node.refusal('query_facts', { relation: 'memory:m', limit: 4, cursor: first.cursor }))).toBe(
      'invalid_input invalid_cursor',
    )
    expect(codeOf(await node.refusal('query_facts', { relation: 'memory:n', cursor: `${String(first.cursor)}A` }))).toBe(
      'invalid_input invalid_cursor',
    )
  })

  test('facts without a statement appear by their text, and system facts only by name', async () => {
    const [plain] = await remember(node.engine.context(), { actor: 'test', connection: 'c' }, [{ text: 'Alice moved to Porto.' }])
    const shown = await node.call('query_facts', { relation: 'memory:content' })
    expect(shown.facts).toMatchObject([
      { id: plain?.id, entity: `mneme:fact/${plain?.id}`, value: { type: 'text', v: 'Alice moved to Porto.' }, scope: 'local' },
    ])
    expect((await node.call('query_facts', { entity: `mneme:fact/${plain?.id}` })).total).toBe(1)
    await node.call('assert_fact', fact('user:alice', 'memory:role', 'CTO'))
    await node.call('assert_fact', fact('user:alice', 'memory:role', 'CEO'))
    expect((await node.call('query_facts', {})).total).toBe(2)
    expect((await listFacts(node.engine.context(), { limit: 10, offset: 0 })).total).toBe(3)
    const [noted] = listIn(await node.call('query_facts', { relation: 'stigmem:conflict:status' }), 'facts')
    expect(noted).toBeDefined()
    expect(await findFact(node.engine.context(), String(noted?.id))).toBeUndefined()
  })

  test('rights to assert for a source (L223.1)', async () => {
    const key = keyOf()
    expect(await node.call('assert_fact', fact('user:a', 'memory:x', '1', { source: undefined }), key)).toMatchObject({
      ...{ source: 'agent:test', attested: true, source_trust: 0.64, effective_confidence: 0.64 },
    })
    const refused = async (input: Record<string, unknown>, as = key) => codeOf(await node.refusal('assert_fact', input, as))
    expect(await refused(fact('user:a', 'memory:x', '1', { source: 'agent:else' }))).toBe('forbidden source_attestation_failed')
    expect(await refused(fact('user:a', 'stigmem:x', '1'))).toBe('forbidden reserved_namespace')
    expect(await refused(fact('user:a', 'garden:x', '1'))).toBe('forbidden reserved_namespace')
    expect(await refused(fact('user:a', 'memory:x', '1', { source: 'system:x' }))).toBe('forbidden reserved_namespace')
    expect(await refused(fact('user:a', 'memory:x', '1', { garden_id: 'none' }))).toBe('not_found garden_not_found')
    const closed = await node.call('assert_fact', fact('user:a', 'memory:y', 'secret', { scope: 'local' }))
    const limited = keyOf({ entity: 'agent:test' }, { scopes: ['public'] })
    expect(codeOf(await node.refusal('get_fact', { id: closed.id }, limited))).toBe('not_found fact_not_found')
    expect((await node.call('query_facts', {}, limited)).total).toBe(0)
    expect(codeOf(await node.refusal('provenance', { id: closed.id }, limited))).toBe('forbidden access_denied')
    expect(codeOf(await node.refusal('provenance', { id: closed.id }, keyOf({ owner: 'cy' })))).toBe('not_found fact_not_found')
    expect(await refused(fact('user:a', 'memory:x', '1', { scope: 'local' }), limited)).toBe('forbidden forbidden')
  })

  test.each([
    [{ entity: '' }, 'invalid_input invalid_entity_uri'],
    [{ entity: 'user:\u0000x' }, 'invalid_input invalid_entity_uri'],
    [{ entity: 'user:a\nb' }, 'invalid_input invalid_entity_uri'],
    [{ entity: `user:${'x'.repeat(10_240)}` }, 'invalid_input invalid_entity_uri'],
    [{ relation: ' ' }, 'unprocessable invalid_input'],
    [{ relation: undefined }, 'unprocessable invalid_input'],
    [{ value: 'x' }, 'unprocessable invalid_input'],
    [{ value: { type: 'date', v: 'x' } }, 'unprocessable invalid_input'],
    [{ value: { type: 'number', v: 'x' } }, 'unprocessable invalid_input'],
    [{ value: { type: 'datetime', v: 'yesterday' } }, 'unprocessable invalid_input'],
    [{ value: { type: 'ref', v: '' } }, 'invalid_input invalid_entity_uri'],
    [{ value: { type: 'text', v: 'a\u0000' } }, 'unprocessable invalid_input'],
    [{ value: { type: 'text', v: 'x'.repeat(200_000) } }, 'too_large too_large'],
    [{ confidence: 1.1 }, 'unprocessable invalid_input'],
    [{ scope: 'world' }, 'unprocessable invalid_input'],
    [{ timestamp: '2999-01-01T00:00:00Z' }, 'unprocessable invalid_input'],
    [{ valid_until: 'soon' }, 'unprocessable invalid_input'],
    [{ unknown: 1 }, 'unprocessable invalid_input'],
  ])('bad input no. %# is refused', async (wrong, code) => {
    expect(codeOf(await node.refusal('assert_fact', { ...fact('user:a', 'memory:x', '1'), ...wrong }))).toBe(code)
    expect((await node.call('query_facts', {})).total).toBe(0)
  })
})

/** `MNEME_ANCESTORS=10000` runs the full size. */
const ANCESTORS = Number(process.env.MNEME_ANCESTORS ?? 3000)

test('a cycle is detected through thousands of ancestors, and a fact that closes none is stored immediately', async () => {
  const node = await openNode('sqlite')
  const ts = '2026-03-01T00:00:00.000Z'
  const statement = { entity: 'user:z', relation: 'memory:z', scope: 'company', source: 'agent:test', confidence: 1 }
  let hash = sha256(canonicalJson({ ...statement, value: { type: 'text', v: 'z' }, ts }))
  const closing = fact('user:z', 'memory:z', 'z', { timestamp: ts })
  const chain = Array.from({ length: ANCESTORS }, (_, i) => {
    const entry = { id: `c${i}`, hash: sha256(`chain ${i}`), derivedFrom: [hash] }
    hash = entry.hash
    return entry
  })
  await node.backend.store.commit({ actor: 'test', owners: ['default'] }, () =>
    chain.map(({ id, ...more }) => ({
      op: 'fact.put',
      fact: aFact({
        ...{ id, owner: 'default', subject: `user:${id}`, predicate: 'memory:n', value: id, valueType: 'text', scope: 'company' },
        ...more,
        assertedConfidence: 1,
        autoLink: false,
      }),
    })),
  )
  expect(codeOf(await node.refusal('assert_fact', { ...closing, derived_from: [hash] }))).toBe('invalid_input provenance_cycle_detected')
  expect(await node.call('assert_fact', { ...closing, derived_from: ['0'.repeat(64)] })).toMatchObject({ entity: 'user:z' })
  await node.close()
})
