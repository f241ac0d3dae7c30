import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { KNOWLEDGE, openSubstrate, type Substrate } from './bench.js'

let substrate: Substrate
beforeEach(async () => {
  substrate = await openSubstrate()
})
afterEach(() => substrate.close())

const remember = (mode: string, input: Readonly<Record<string, unknown>>) => substrate.ask('remember', mode, input)
const refusal = (mode: string, input: Readonly<Record<string, unknown>>) => substrate.refusal('remember', mode, input)
const statusOf = async (id: string) => (await substrate.world.backend.store.facts([id]))[0]?.status

describe('governance', () => {
  it.each([
    [{ reason: ' ' }, 'remember request requires reason'],
    [{ memory_source: 'guessed' }, 'remember request has unsupported memory_source: guessed'],
    [{ scope_refs: [] }, 'remember request requires scope_refs'],
    [{ memory_source: 'imported', status: 'active' }, 'active knowledge requires evidence_refs unless user-declared or human-curated'],
    [{ status: 'fine' }, /^args\.input_data\.status: Invalid option/u],
    [{ title: ' ' }, 'Invalid title: must not be empty'],
    [{ valid_until: 'soon' }, 'args.input_data.valid_until: Input should be an ISO 8601 date and time'],
    [{ valid_from: '2026-02-01', valid_until: '2026-01-01' }, 'valid_until lies before valid_from'],
    [{ confidence: 2 }, /^args\.input_data\.confidence: /u],
    [{ scope_refs: ['a\0b'] }, 'Invalid input_data: must not contain NUL characters'],
    [{ payload: { metadata: { long: 'x'.repeat(200_000) } } }, /^Invalid input_data: \d+ bytes of JSON/u],
    [{ evidence_refs: [{}] }, 'evidence_refs source_id required'],
    [{ evidence_refs: [{ source_id: 'src:1' }] }, 'evidence_refs segment_id required for src:1'],
    [{ evidence_refs: [{ source_id: 'src:1', segment_id: 's' }] }, 'evidence_refs source not found: src:1'],
  ])('rule %# refuses what breaks it', async (changed, message) => {
    expect(await refusal('knowledge', { ...KNOWLEDGE, ...changed })).toMatch(message)
    expect((await substrate.world.backend.store.counts(undefined)).facts).toBe(0)
  })

  it('checks evidence in order: the segment exists, at its location, with the quoted text', async () => {
    const messages = [{ role: 'user', content: 'The lamp is lit.' }]
    const { source_id } = await substrate.ask('ingest', 'conversation', { title: 'Talk', messages })
    const { data } = await substrate.ask('query', 'page', { id: String(source_id) }, { include_segments: true })
    const segments = z.array(z.object({ segment_id: z.string(), locator: z.record(z.string(), z.unknown()), hash: z.string() }))
    const [segment] = z.object({ object: z.object({ segments }) }).parse(data).object.segments
    const { segment_id, locator, hash } = z.object({ ...segments.element.shape }).parse(segment)
    const before = await substrate.world.backend.store.counts(undefined)
    const cited = (ref: object, index = 0) =>
      refusal('knowledge', {
        ...KNOWLEDGE,
        evidence_refs: [...(index > 0 ? [{ source_id, segment_id }] : []), { source_id, segment_id, ...ref }],
      })
    expect(await cited({ segment_id: '2-user' })).toBe(`evidence_refs segment not found: ${source_id}#2-user`)
    expect(await cited({ segment_id: 'nonsense' })).toBe(`evidence_refs segment not found: ${source_id}#nonsense`)
    expect(await cited({ segment_id: '2-user', hash: 'x', locator: {} }, 1)).toBe(`evidence_refs segment not found: ${source_id}#2-user`)
    expect(await cited({ locator: { ...locator, line_start: 2 }, hash: 'x' })).toBe(
      `evidence_refs locator mismatch: ${source_id}#${segment_id}`,
    )
    expect(await cited({ locator, hash: 'x' })).toBe(`evidence_refs hash mismatch: ${source_id}#${segment_id}`)
    expect(await substrate.world.backend.store.counts(undefined)).toEqual(before)
    expect(await cited({ locator, hash })).toMatch(/^answered/u)
  })

  it.each([
    ['user_declared', 'active'],
    ['human_curated', 'active'],
    ['agent_inferred', 'candidate'],
    ['system_generated', 'candidate'],
    ['imported', 'candidate'],
  ])('repair 6: knowledge from %s without a status is %s', async (memory_source, status) => {
    const answer = await remember('knowledge', { ...KNOWLEDGE, title: `From ${memory_source}`, memory_source })
    expect(answer.status).toBe(status)
  })

  it('a missing field is named with its path', async () => {
    const { reason: _, ...rest } = KNOWLEDGE
    expect(await refusal('knowledge', rest)).toBe('args.input_data.reason: Field required')
  })

  it('inferred objects are candidates, whatever status is requested', async () => {
    const answer = await remember('knowledge', { ...KNOWLEDGE, memory_source: 'agent_inferred', status: 'active' })
    expect(answer).toMatchObject({
      result_type: 'remember_result',
      object_type: 'knowledge',
      status: 'candidate',
      applied_operations: 1,
      evidence_contract: { provenance: 'evidence_absent', evidence_ref_count: 0, requires_review: true },
      possible_duplicates: [],
    })
    expect(z.object({ knowledge_id: z.string().regex(/^know:[0-9a-f]{32}$/u) }).parse(answer).knowledge_id).toBe(answer.object_id)
  })

  it('accepts a past valid_until, with a beginning not later', async () => {
    const id = await substrate.know({ valid_until: '2020-01-01' })
    const [fact] = await substrate.world.backend.store.facts([id])
    expect(fact).toMatchObject({ status: 'active', confidence: 0, validFrom: fact?.validUntil })
  })
})

describe('claims', () => {
  const claim = (value: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
    ...KNOWLEDGE,
    payload: { subject: 'node:repo', predicate: 'primary_language', value },
    ...more,
  })

  it('a repeated claim is rejected and named', async () => {
    const id = await substrate.know(claim('python'))
    expect(await refusal('knowledge', claim('python'))).toBe(`duplicate knowledge exists: ${id}`)
    expect(
      await refusal('knowledge', claim('python', { payload: { ...claim('python').payload, subject: null }, subject_refs: ['node:repo'] })),
    ).toBe(`duplicate knowledge exists: ${id}`)
    await substrate.know(claim('python', { scope_refs: ['scope:other'] }))
    await substrate.know(claim('python', { allow_duplicate: true }))
    await substrate.know(claim('python', { kind: 'decision' }))
  })

  it('a conflicting claim is contested and names the other, which stays unchanged', async () => {
    const first = await substrate.know(claim('python'))
    const answer = await remember('knowledge', claim('rust'))
    expect(answer).toMatchObject({ status: 'contested', conflicts_with: [first] })
    expect(await statusOf(first)).toBe('active')
  })

  it('a blank subject or predicate makes no claim, and no reference has a blank id', async () => {
    for (const payload of [
      { subject: '', predicate: '', value: 1 },
      { subject: ' ', predicate: 'is', value: 2 },
    ])
      expect(await remember('knowledge', { ...KNOWLEDGE, payload })).toMatchObject({ status: 'active', conflicts_with: [] })
    expect(await refusal('knowledge', { ...KNOWLEDGE, subject_refs: [''] })).toBe(
      'args.input_data.subject_refs.0: Input should not be empty',
    )
  })

  it('an object is distinct from a literal value', async () => {
    await substrate.know(claim('node:x'))
    const statement = { ...KNOWLEDGE, payload: { subject: 'node:repo', predicate: 'primary_language', object: 'node:x' } }
    expect(await remember('knowledge', statement)).toMatchObject({ status: 'contested' })
  })

  it('of concurrent writes of one claim, one succeeds', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => refusal('knowledge', claim('python'))))
    expect(outcomes.filter((outcome) => outcome.startsWith('answered'))).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.startsWith('duplicate knowledge exists: know:'))).toHaveLength(7)
  })
})

describe('decisions', () => {
  it('promote, contest and supersede change the status and are journalled', async () => {
    const inferred = await substrate.know({ memory_source: 'agent_inferred' })
    const promoted = await remember('promote', { knowledge_id: inferred, reason: 'verified', actor: { type: 'user', id: 'ann' } })
    expect(promoted).toMatchObject({ status: 'active', knowledge_id: inferred, applied_operations: 1 })
    expect(promoted).not.toHaveProperty('result_type')
    const [fact] = await substrate.world.backend.store.facts([inferred])
    expect(fact?.verifiedAt).toBe(fact?.updatedAt)
    const next = await substrate.know({ title: 'Repo uses Rust', summary: 'The language changed.', memory_source: 'agent_inferred' })
    expect(await remember('supersede', { old_knowledge_id: inferred, new_knowledge_id: next, reason: 'new evidence' })).toMatchObject({
      old_knowledge_id: inferred,
      new_knowledge_id: next,
      old_status: 'superseded',
      status: 'active',
      applied_operations: 2,
    })
    expect([await statusOf(inferred), await statusOf(next)]).toEqual(['superseded', 'active'])
    expect(await refusal('promote', { knowledge_id: inferred })).toBe(`Knowledge is not promotable: ${inferred}`)
    expect(await remember('contest', { knowledge_id: next })).toMatchObject({ status: 'contested' })
  })

  it('names a missing object', async () => {
    expect(await refusal('promote', { knowledge_id: 'know:none' })).toBe('Knowledge not found: know:none')
    const activity = await remember('activity', { ...KNOWLEDGE, kind: 'research' })
    expect(await refusal('contest', { knowledge_id: activity.activity_id })).toBe(`Knowledge not found: ${activity.activity_id}`)
  })
})

describe('work items', () => {
  it('change stage, and record their outcome', async () => {
    const { work_item_id: id } = await remember('work_item', { ...KNOWLEDGE, kind: 'task' })
    expect(await refusal('work_item_status', { work_item_id: 'work:none', status: 'closed' })).toBe('Work item not found: work:none')
    expect(await refusal('work_item_status', { work_item_id: id, status: 'done' })).toMatch(/^args\.input_data\.status: Invalid option/u)
    expect(
      await remember('work_item_status', { work_item_id: id, status: 'resolved', resolution: 'Done.', reason: 'finished' }),
    ).toMatchObject({
      status: 'resolved',
      applied_operations: 1,
    })
    expect(await substrate.object(String(id))).toMatchObject({ status: 'resolved', resolution: 'Done.', lifecycle_state: 'active' })
  })

  it('knowledge can be archived', async () => {
    const id = await substrate.know()
    const answer = await substrate.ask('maintain', 'archive_knowledge', { knowledge_id: id, reason: 'of no use' }, { apply: true })
    expect(answer).toMatchObject({ status: 'completed', archived_knowledge_id: id })
    expect(await substrate.object(id)).toMatchObject({ status: 'archived' })
  })
})

describe('possible duplicates', () => {
  it('are reported without rejecting the new object', async () => {
    const first = await substrate.know({ title: 'Deploys need two approvals', summary: 'Each deploy needs two approvals from reviewers.' })
    await substrate.know({ title: 'Lunch', summary: 'The canteen opens at noon.' })
    const answer = await remember('knowledge', {
      ...KNOWLEDGE,
      title: 'Deploy needs two approvals',
      summary: 'Deploys need approvals from two reviewers.',
    })
    expect(answer.possible_duplicates).toMatchObject([
      {
        object_id: first,
        reasons: ['title_overlap', 'summary_overlap', 'same_kind'],
        title: 'Deploys need two approvals',
        kind: 'fact',
        status: 'active',
      },
    ])
  })
})

describe('batch', () => {
  const entry = (title: string, more: Readonly<Record<string, unknown>> = {}) => ({
    mode: 'knowledge',
    input_data: { ...KNOWLEDGE, title, ...more },
  })

  it('writes all entries in one patch', async () => {
    const answer = await remember('batch', { entries: [entry('One'), { mode: 'work_item', input_data: { ...KNOWLEDGE, kind: 'task' } }] })
    expect(answer).toMatchObject({
      status: 'completed',
      created: 2,
      applied_operations: 2,
      results: [{ status: 'active' }, { status: 'open' }],
    })
  })

  it('writes nothing if one entry fails, and names it', async () => {
    const payload = { subject: 'a', predicate: 'b', value: 1 }
    expect(await refusal('batch', { entries: [entry('One', { payload }), entry('Two', { payload })] })).toMatch(
      /^entries\[1\]: duplicate knowledge exists: know:[0-9a-f]{32}; nothing was written$/u,
    )
    expect(await refusal('batch', { entries: [entry('One'), { mode: 'promote', input_data: {} }] })).toBe(
      'entries[1]: Unsupported remember mode: promote',
    )
    expect(await refusal('batch', { entries: Array.from({ length: 101 }, (_, i) => entry(`Entry ${i}`)) })).toBe(
      'args.input_data.entries: At most 100 entries are written at once; send the rest in batches of their own',
    )
    expect(await refusal('batch', { entries: [entry('One', { extra: 1 })] })).toBe(
      'args.input_data.entries.0.input_data.extra: Extra inputs are not permitted',
    )
    expect((await substrate.world.backend.store.counts(undefined)).facts).toBe(0)
  })
})

describe('call repeated with its key', () => {
  it('runs once with the same answer, even if the answer was lost', async () => {
    const call = (key: string) =>
      substrate.world.call('substrate/memory_remember', { args: { mode: 'knowledge', input_data: KNOWLEDGE }, idempotency_key: key })
    const first = await call('k1')
    expect(await call('k1')).toEqual(first)
    const { store } = substrate.world.backend
    const { recordAnswer } = store
    store.recordAnswer = () => Promise.reject(new Error('lost'))
    const second = await call('k2')
    store.recordAnswer = recordAnswer
    const { possible_duplicates: _, ...again } = await call('k2')
    expect(second).toMatchObject(again)
    expect((await store.counts(undefined)).facts).toBe(2)
  })
})
