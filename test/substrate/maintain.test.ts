import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { KNOWLEDGE, openSubstrate, type Substrate } from './bench.js'

let substrate: Substrate
beforeEach(async () => {
  substrate = await openSubstrate()
})
afterEach(() => substrate.close())

const APPLY = { apply: true }
const maintain = (mode: string, input: Readonly<Record<string, unknown>> = {}, options: Readonly<Record<string, unknown>> = APPLY) =>
  substrate.ask('maintain', mode, input, options)
const read = (mode: string, input: Readonly<Record<string, unknown>> = {}) => substrate.ask('maintain', mode, input)
const refusal = (mode: string, input: Readonly<Record<string, unknown>> = {}, options: Readonly<Record<string, unknown>> = APPLY) =>
  substrate.refusal('maintain', mode, input, options)
const statusOf = async (id: string) => (await substrate.world.backend.store.facts([id]))[0]?.status

async function ingest(title: string, content: string): Promise<{ source_id: string; segment_id: string }> {
  const answer = await substrate.ask('ingest', 'conversation', { title, messages: [{ role: 'user', content }] })
  const { source_id } = z.object({ source_id: z.string() }).parse(answer)
  const { data } = await substrate.ask('query', 'page', { id: source_id }, { include_segments: true })
  const page = z.object({ object: z.object({ segments: z.array(z.object({ segment_id: z.string() })) }) }).parse(data)
  return { source_id, segment_id: page.object.segments[0]?.segment_id ?? '' }
}

describe('modes that change memory require apply', () => {
  it.each([
    'configure',
    'repair',
    'promote_candidates',
    'merge_duplicates',
    'resolve_duplicates',
    'archive_source',
    'decay_stale',
    'cycle',
  ])('%s', async (mode) => {
    const message = `memory_maintain mode '${mode}' mutates memory and requires options.apply=true`
    expect(await refusal(mode, { nonsense: 1 }, { apply: false })).toBe(message)
    expect(await substrate.refusal('maintain', mode, {})).toBe(message)
  })

  it.each(['repair', 'promote_candidates', 'merge_duplicates', 'decay_stale', 'cycle'])('%s without work is a success', async (mode) => {
    const answer = await maintain(mode)
    const result = z.object({ data: z.record(z.string(), z.unknown()) }).safeParse(answer)
    expect(result.success ? result.data.data : answer).toMatchObject({ status: 'noop', audit_event_ids: [], projection_count: 0 })
  })
})

describe('lifecycle', () => {
  it('promotes candidates with high confidence and evidence', async () => {
    const evidence_refs = [await ingest('Talk', 'We use Kuzu.')]
    const inferred = { memory_source: 'agent_inferred', subject_refs: ['node:x'], confidence: 0.8 }
    const sure = await substrate.know({ ...inferred, title: 'A', evidence_refs })
    const bare = await substrate.know({ ...inferred, title: 'B' })
    const unsure = await substrate.know({ ...inferred, title: 'C', confidence: 0.5, evidence_refs })
    expect(await read('report')).toMatchObject({ data: { promote_candidate_ids: [sure], low_evidence_candidate_ids: [bare] } })
    expect(await maintain('promote_candidates')).toMatchObject({ status: 'completed', promoted: 1, promoted_ids: [sure] })
    expect([await statusOf(sure), await statusOf(bare), await statusOf(unsure)]).toEqual(['active', 'candidate', 'candidate'])
    expect(await maintain('promote_candidates')).toEqual({
      status: 'noop',
      patch_id: null,
      audit_event_ids: [],
      projection_count: 0,
      promoted: 0,
      promoted_ids: [],
    })
  })

  it('merges duplicate facts into the strongest, with the scopes and evidence of all', async () => {
    const evidence_refs = [await ingest('Talk', 'We use Kuzu.')]
    const claim = { subject_refs: ['node:x'], payload: { predicate: 'uses', value: 'kuzu' } }
    const weak = await substrate.know({
      ...claim,
      memory_source: 'agent_inferred',
      confidence: 0.9,
      evidence_refs,
      scope_refs: ['scope:a'],
    })
    const strong = await substrate.know({ ...claim, scope_refs: ['scope:b'], confidence: 0.4 })
    expect(await maintain('merge_duplicates')).toMatchObject({ merged: 1, merged_ids: [weak] })
    expect(await substrate.object(strong)).toMatchObject({
      status: 'active',
      confidence: 0.9,
      scope_refs: ['scope:b', 'scope:a'],
      evidence_refs: [{ ...evidence_refs[0], state: 'current' }],
    })
    expect(await substrate.object(weak)).toMatchObject({ status: 'superseded', superseded_by: strong })
  })

  it('decays only objects verified long ago', async () => {
    const old = await substrate.know({ title: 'Old', last_verified_at: '2026-01-01T00:00:00+00:00' })
    const never = await substrate.know({ title: 'Never' })
    const input = { reference_time: '2026-04-28T00:00:00+00:00', stale_after_days: 30 }
    expect(await read('report', input)).toMatchObject({ data: { stale_candidate_ids: [old] } })
    expect(await maintain('decay_stale', input)).toMatchObject({ decayed: 1, decayed_ids: [old] })
    expect([await statusOf(old), await statusOf(never)]).toEqual(['stale', 'active'])
  })

  it('archiving a source marks knowledge without other evidence as stale', async () => {
    const entry = await ingest('One', 'First talk.')
    const two = await ingest('Two', 'Second talk.')
    const alone = await substrate.know({ title: 'Alone', evidence_refs: [entry] })
    const both = await substrate.know({ title: 'Both', evidence_refs: [entry, two] })
    expect(await refusal('archive_source', { source_id: 'src:none', reason: 'x' })).toBe('Source not found: src:none')
    expect(await maintain('archive_source', { source_id: entry.source_id, reason: 'retired' })).toMatchObject({
      status: 'completed',
      archived_source_id: entry.source_id,
      stale_knowledge_ids: [alone],
      partially_affected_knowledge_ids: [both],
    })
    expect([await statusOf(alone), await statusOf(both)]).toEqual(['stale', 'active'])
    expect(await substrate.object(entry.source_id)).toMatchObject({ status: 'archived' })
  })

  it('cycle runs all three', async () => {
    await substrate.know({ title: 'Old', last_verified_at: '2020-01-01' })
    expect(await maintain('cycle')).toMatchObject({
      status: 'completed',
      promoted: 0,
      merged: 0,
      decayed: 1,
      patch_ids: [expect.any(String)],
    })
  })
})

describe('duplicates in words', () => {
  const alike = async () => [
    await substrate.know({ title: 'Deploys need two approvals', summary: 'Each deploy needs two approvals.' }),
    await substrate.know({ title: 'Deploys need two approvals', summary: 'Each deploy needs two approvals from leads.' }),
  ]
  const pair = async (outcome: string, knowledge_ids: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
    ({ outcome, knowledge_ids, reason: 'Read both.', ...more }) as const

  it('repair 6: the report prefers an active item that a person declared, then the older one', async () => {
    const inferred = await substrate.know({
      title: 'Builds run nightly at two',
      summary: 'Builds run nightly at two.',
      memory_source: 'agent_inferred',
    })
    const declared = await substrate.know({ title: 'Builds run nightly at two', summary: 'Builds run nightly at two o clock.' })
    const { data } = await read('report')
    const text = JSON.stringify(data)
    expect(text).toContain(`"canonical_knowledge_id":"${declared}"`)
    expect(text).not.toContain(`"canonical_knowledge_id":"${inferred}"`)
  })

  it('repair 6: a blank reason is rejected', async () => {
    expect(await refusal('archive_source', { source_id: 'src:none', reason: ' ' })).toBe('archive_source requires a non-empty reason')
  })

  it('suggestions of the report are accepted unchanged', async () => {
    const [older = '', newer = ''] = await alike()
    const { data } = await read('report')
    const report = z
      .object({
        soft_duplicate_candidates: z.array(
          z.object({ object_ids: z.array(z.string()), suggested_resolution: z.object({ input_data: z.record(z.string(), z.unknown()) }) }),
        ),
      })
      .parse(data)
    const [found] = report.soft_duplicate_candidates
    expect([...(found?.object_ids ?? [])].sort()).toEqual([older, newer].sort())
    expect(await maintain('resolve_duplicates', found?.suggested_resolution.input_data)).toMatchObject({
      outcome: 'supersede',
      resolved: 1,
    })
    expect([await statusOf(older), await statusOf(newer)]).toEqual(['active', 'superseded'])
    expect(await refusal('resolve_duplicates', found?.suggested_resolution.input_data)).toBe(`Knowledge is not resolvable: ${newer}`)
  })

  it('both stay when marked as distinct', async () => {
    const ids = await alike()
    const updates = [{ knowledge_id: ids[0], scope_refs: ['scope:a'] }]
    expect(await maintain('resolve_duplicates', await pair('keep_both', ids, { updates }))).toMatchObject({
      resolved: 1,
      knowledge_ids: ids,
    })
    expect(await substrate.object(ids[0] ?? '')).toMatchObject({ status: 'active', scope_refs: ['scope:a'] })
    expect(await refusal('resolve_duplicates', await pair('contest', ids))).toBe('knowledge_ids are not a current soft duplicate candidate')
  })

  it('are contested on request', async () => {
    const ids = await alike()
    expect(await maintain('resolve_duplicates', await pair('contest', ids))).toMatchObject({ resolved: 2 })
    expect(await statusOf(ids[1] ?? '')).toBe('contested')
  })

  it.each([
    [{ knowledge_ids: ['a', 'a'] }, 'knowledge_ids must not contain duplicates'],
    [{ knowledge_ids: ['a'] }, 'resolve_duplicates requires at least two knowledge_ids'],
    [{ reason: ' ' }, 'resolve_duplicates requires a non-empty reason'],
    [{}, 'Knowledge not found: a'],
    [{ canonical_knowledge_id: 'c' }, 'canonical_knowledge_id must be one of knowledge_ids'],
    [{ outcome: 'keep_both' }, 'keep_both requires updates that clarify summary or scope_refs'],
    [{ outcome: 'keep_both', updates: [{ knowledge_id: 'c', summary: 'x' }] }, 'keep_both updates must target only knowledge_ids'],
  ])('%j: %s', async (changed, message) => {
    expect(await refusal('resolve_duplicates', { ...(await pair('contest', ['a', 'b'])), ...changed })).toBe(message)
  })
})

describe('structure, repair and audit', () => {
  it('reports dangling references and removes them', async () => {
    const id = await substrate.know({ subject_refs: ['node:gone'] })
    await ingest('Orphan', 'This is not cited.')
    const { data } = await read('structure')
    expect(data).toMatchObject({
      issues: expect.arrayContaining([
        expect.objectContaining({
          kind: 'missing_reference',
          severity: 'warning',
          target_id: id,
          details: { field: 'subject_refs', missing_ref: 'node:gone' },
          repairable: true,
        }),
      ]),
      counts: { error: 0 },
    })
    expect(await maintain('repair')).toMatchObject({
      result_type: 'repair_result',
      data: {
        status: 'completed',
        repaired: 1,
        derived_indexes: { semantic: { backend: 'built-in' }, graph: { backend: 'file', insights: { isolated_nodes: expect.any(Array) } } },
      },
    })
    expect(await substrate.object(id)).toMatchObject({ subject_refs: [] })
  })

  it('each change has its event, with before and after', async () => {
    const answer = await substrate.ask('remember', 'knowledge', { ...KNOWLEDGE, memory_source: 'agent_inferred' })
    const id = String(answer.knowledge_id)
    await substrate.ask('remember', 'promote', { knowledge_id: id, reason: 'verified', actor: { type: 'user', id: 'ann' } })
    const { data } = await substrate.ask('maintain', 'audit', {}, { max_items: 5 })
    expect(data).toMatchObject({
      events: [
        {
          id: z.array(z.string()).parse(answer.audit_event_ids)[0],
          event_type: 'create_object',
          actor: { type: 'mcp', id: 'test' },
          target: { object_type: 'knowledge', object_id: id },
          before: null,
          after: { id, status: 'candidate', title: KNOWLEDGE.title },
          reason: KNOWLEDGE.reason,
        },
        {
          event_type: 'change_status',
          actor: { type: 'user', id: 'ann' },
          before: { status: 'candidate' },
          after: { status: 'active' },
          reason: 'verified',
        },
      ],
    })
  })

  it('checks facts', async () => {
    await substrate.know({ title: 'Past', valid_until: '2020-01-01' })
    await substrate.world.call('graph/create_node', { text: 'Node.js', node_type: 'Entity' })
    await substrate.world.call('graph/create_node', { text: 'nodejs', node_type: 'Entity' })
    const claim = (value: string, scope: string) => ({ payload: { subject: 'node:a', predicate: 'is', value }, scope_refs: [scope] })
    await substrate.know(claim('red', 'scope:a'))
    await substrate.know(claim('blue', 'scope:b'))
    const { data } = await read('report')
    expect(data).toMatchObject({
      fact_check_issues: [
        { kind: 'similar_entity_name', names: expect.arrayContaining(['Node.js', 'nodejs']) },
        { kind: 'stale_fact', valid_until: '2020-01-01T00:00:00+00:00' },
        { kind: 'relationship_mismatch', subject: 'node:a', predicate: 'is' },
      ],
      counts: { fact_check_issues: 3 },
    })
  })

  it('configure stores the choice, and names missing packages', async () => {
    expect(await maintain('configure')).toMatchObject({ data: { config: { graph_backend: 'file', semantic_backend: null } } })
    expect(await maintain('configure', { graph_backend: 'file' })).toMatchObject({ data: { config: { graph_backend: 'file' } } })
  })

  it('reindex reports what it built', async () => {
    await substrate.know()
    expect(await read('reindex')).toMatchObject({
      result_type: 'reindex_result',
      data: { status: 'completed', graph_sync: { backend: 'file', synced_objects: 1 }, semantic_index: { backend: 'built-in' } },
    })
  })
})
