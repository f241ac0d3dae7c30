import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { KNOWLEDGE, openSubstrate, type Substrate } from './bench.js'

let substrate: Substrate
const ids = new Map<string, string>()
const id = (name: string): string => ids.get(name) ?? name

const itemsSchema = z.object({ data: z.object({ items: z.array(z.object({ id: z.string(), title: z.string() }).loose()) }).loose() })
const itemsOf = (answer: unknown) => itemsSchema.parse(answer).data.items
const titles = async (query: string, options: Readonly<Record<string, unknown>> = {}) =>
  itemsOf(await substrate.ask('query', 'search', { query }, options)).map(({ title }) => title)

beforeAll(async () => {
  substrate = await openSubstrate()
  const know = async (name: string, input: Readonly<Record<string, unknown>>) => ids.set(name, await substrate.know(input))
  await know('deploy', {
    kind: 'procedure',
    title: 'Deploy to production',
    summary: 'Tag the release, wait for two approvals, run the pipeline.',
  })
  await know('pipeline', { title: 'Pipeline', summary: 'The pipeline runs on four machines.' })
  await know('language', {
    title: 'Repo uses Python',
    summary: 'Primary language is Python.',
    subject_refs: ['node:repo'],
    payload: { subject: 'node:repo', predicate: 'uses', object: 'node:python' },
  })
  await know('other', {
    title: 'Repo uses Rust',
    summary: 'Primary language is Rust.',
    payload: { subject: 'node:repo', predicate: 'uses', object: 'node:rust' },
  })
  await know('decision', { kind: 'decision', title: 'Keep SQLite', summary: 'We keep SQLite because it needs no server.' })
  await know('cjk', { title: '部署流程说明', summary: '生产环境的部署需要两个人批准。' })
  await know('old', { title: 'Old pipeline', summary: 'The pipeline ran on one machine.' })
  await substrate.ask('remember', 'supersede', { old_knowledge_id: id('old'), new_knowledge_id: id('pipeline') })
  const item = await substrate.ask('remember', 'work_item', {
    ...KNOWLEDGE,
    kind: 'task',
    title: 'Review the canteen contract',
    summary: 'Ask for a new offer.',
    depends_on: ['work:missing'],
    related_knowledge_refs: [id('decision')],
  })
  ids.set('work', String(item.work_item_id))
  await substrate.world.call('memory/store_memory', { content: 'The kettle in the office is broken.' })
})
afterAll(() => substrate.close())

describe('search', () => {
  it('ranks exact titles first, then objects by the number of matched words', async () => {
    expect((await titles('pipeline'))[0]).toBe('Pipeline')
    expect((await titles('production release approvals pipeline'))[0]).toBe('Deploy to production')
  })

  it('repair 6: finds nodes by the words and parts of their names, an equal name first', async () => {
    for (const name of ['src/hooks/maintenanceQueue.ts', 'src/hooks/capture.ts', 'src.jobs.night_shift', 'Harbour master'])
      await substrate.world.call('memory/create_entity', { name, entity_type: 'module' })
    expect((await titles('maintenance queue'))[0]).toBe('src/hooks/maintenanceQueue.ts')
    expect((await titles('src/hooks/capture.ts'))[0]).toBe('src/hooks/capture.ts')
    expect((await titles('night shift'))[0]).toBe('src.jobs.night_shift')
    expect(await titles('who is the master of the harbour')).toContain('Harbour master')
  })

  it('repair 6: finds a subject that only knowledge names through the graph', async () => {
    const graph = z.object({
      data: z.object({
        nodes: z.array(z.object({ id: z.string(), kind: z.string() }).loose()),
        edges: z.array(z.object({ source_id: z.string(), target_id: z.string() }).loose()),
      }),
    })
    for (const subject of ['node:repo', 'Unmet gateway']) {
      if (subject === 'Unmet gateway')
        ids.set(
          'gateway',
          await substrate.know({ title: 'Gateway', summary: 'It is slow.', payload: { subject, predicate: 'is', value: 'slow' } }),
        )
      const { nodes, edges } = graph.parse(await substrate.ask('query', 'graph', { id: subject })).data
      expect(nodes).toContainEqual(expect.objectContaining({ id: subject, kind: 'unresolved', status: 'missing' }))
      expect(edges.map(({ source_id }) => source_id)).toContain(subject === 'node:repo' ? id('language') : id('gateway'))
    }
  })

  it('shows ended objects only on request', async () => {
    expect(await titles('old pipeline machine')).not.toContain('Old pipeline')
    expect(await titles('old pipeline machine', { filters: { status: 'superseded' } })).toEqual(['Old pipeline'])
  })

  it('finds facts of other contracts as knowledge', async () => {
    const { items } = itemsSchema.parse(await substrate.ask('query', 'search', { query: 'kettle' })).data
    expect(items[0]).toMatchObject({ object_type: 'knowledge', title: 'The kettle in the office is broken.', status: 'active' })
  })

  it('applies filters that leave few of many', async () => {
    for (let i = 0; i < 80; i++) await substrate.know({ title: `Quarry note ${i}`, summary: `The quarry is loud on day ${i}.` })
    await substrate.know({ kind: 'preference', title: 'Quarry visits', summary: 'No visits to the quarry on Mondays.' })
    expect(await titles('quarry day', { filters: { kinds: ['preference'] } })).toEqual(['Quarry visits'])
    expect(await titles('repo', { filters: { node_id: 'node:repo' } })).toEqual(
      expect.arrayContaining(['Repo uses Python', 'Repo uses Rust']),
    )
    expect(await titles('repo', { filters: { object_type: 'source' } })).toEqual([])
  })

  it('infers filters from the query without hiding other results', async () => {
    const answer = await substrate.ask('query', 'search', { query: '待办项' })
    expect(answer).toMatchObject({ data: { inferred_filters: { object_types: ['work_item'] }, applied_filters: {} } })
    expect(itemsOf(answer).map((item) => item.title)).toContain('Review the canteen contract')
    expect((await titles('SQLite decision'))[0]).toBe('Keep SQLite')
    expect(await titles('repo uses Python source')).toContain('Repo uses Python')
  })

  it('reads CJK by pairs of characters', async () => {
    expect((await titles('生产部署批准'))[0]).toBe('部署流程说明')
  })

  it('matches ids and their references', async () => {
    const answer = itemsOf(await substrate.ask('query', 'search', { query: id('decision') }))
    expect(answer.map((item) => item.id).slice(0, 2)).toEqual([id('decision'), id('work')])
  })

  it('reports how it interpreted the query', async () => {
    const prompt = `You are an agent. ${'Follow the rules. '.repeat(60)}\nQuestion: which pipeline?\nmore text`
    expect(await substrate.ask('query', 'search', { query: prompt }, { max_items: 2 })).toMatchObject({
      result_type: 'search_results',
      data: {
        query: 'which pipeline?',
        query_sanitizer: { was_sanitized: true, method: 'labeled_line', original_length: prompt.length, clean_length: 15 },
        semantic_backend: 'built-in',
        normalized_terms: ['which pipeline?', 'pipeline'],
      },
    })
  })
})

describe('context', () => {
  it('is a pack of items with sections, tiers, conflicts and a budget', async () => {
    const answer = await substrate.ask('query', 'context', { task: 'which language does the repo use' }, { max_items: 3 })
    expect(answer).toMatchObject({
      result_type: 'context_pack',
      data: {
        task: 'which language does the repo use',
        context_budget: { max_items: 3, returned_items: 3, detail: 'compact' },
        conflicts: expect.arrayContaining([
          { object_id: id('language'), conflicts_with: [id('other')], subject: 'node:repo', predicate: 'uses' },
        ]),
        context_tiers: { active_task: { scope: {} }, deep_search_hints: [{ tool: 'memory_query', mode: 'expand' }] },
        missing_context: [],
      },
    })
    const empty = await substrate.ask('query', 'context', { task: 'zzz', scope: { object_types: ['source'] } })
    expect(empty).toMatchObject({ data: { items: [], missing_context: ['No relevant context found yet.'] } })
  })

  it('names decisions and open work among its items', async () => {
    const { data } = await substrate.ask('query', 'context', { task: 'SQLite server canteen offer' })
    expect(data).toMatchObject({
      decisions: { field: 'decisions', count: 1, ids: [id('decision')] },
      open_work: { field: 'open_work', count: 1, ids: [id('work')] },
    })
  })
})

describe('pages and the graph', () => {
  it('a page has all fields of its object', async () => {
    expect(await substrate.object(id('language'))).toMatchObject({
      id: id('language'),
      kind: 'fact',
      status: 'active',
      identity_key: 'knowledge|fact|repo uses python',
      subject_refs: ['node:repo'],
      evidence_refs: [],
      payload: {
        subject: 'node:repo',
        predicate: 'uses',
        value: null,
        object: 'node:python',
        metadata: { reason: KNOWLEDGE.reason, memory_source: 'user_declared', scope_refs: ['scope:project'], conflicts_with: [] },
      },
      confidence: 0,
      last_verified_at: null,
      valid_until: null,
    })
    expect(await substrate.object(id('work'))).toMatchObject({
      status: 'open',
      lifecycle_state: 'active',
      priority: 'medium',
      depends_on: ['work:missing'],
      parent_ref: null,
    })
    expect(await substrate.object(id('old'))).toMatchObject({ status: 'superseded', superseded_by: id('pipeline') })
  })

  it('a page of a source contains its full text on request', async () => {
    const messages = [{ role: 'user', content: 'First.\n\nSecond.' }]
    const { source_id } = await substrate.ask('ingest', 'conversation', { title: 'Whole', messages })
    const page = (options: object) => substrate.ask('query', 'page', { id: String(source_id) }, { ...options })
    expect(await page({ detail: 'full' })).toMatchObject({
      data: {
        detail: 'full',
        truncated: false,
        object: { payload: { text: 'user: First.\n\nSecond.', byte_count: 21, segment_count: 2 }, segments: [{}, {}] },
      },
    })
    expect(await page({ detail: 'full', max_items: 1 })).toMatchObject({ data: { truncated: true, object: { segments: [{}] } } })
    const compact = JSON.stringify(await page({}))
    expect(compact).toContain('"text_preview":"user: First."')
    expect(compact).not.toContain('Second.')
  })

  it('reports absent objects', async () => {
    const warnings = ['Object not found: know:none']
    expect(await substrate.ask('query', 'page', { id: 'know:none' })).toEqual({ result_type: 'page', data: null, warnings })
    expect(await substrate.ask('query', 'graph', { id: 'know:none' })).toMatchObject({ data: { nodes: [], edges: [] }, warnings })
    expect(await substrate.ask('query', 'expand', { id: 'know:none' })).toMatchObject({ data: { items: [] }, warnings })
  })

  it('edges run from the referrer to the target, with their origin; missing objects are stubs', async () => {
    const answer = await substrate.ask('query', 'graph', { id: id('work') })
    expect(answer).toMatchObject({
      result_type: 'graph',
      data: {
        root_id: id('work'),
        nodes: expect.arrayContaining([
          { object_type: 'node', id: 'work:missing', kind: 'stub', title: 'work:missing', status: 'missing' },
          { object_type: 'knowledge', id: id('decision'), kind: 'decision', title: 'Keep SQLite', status: 'active' },
        ]),
        edges: expect.arrayContaining([
          expect.objectContaining({
            source_id: id('work'),
            target_id: id('decision'),
            relation: 'related_knowledge',
            payload: {
              relation_schema: {
                version: 1,
                derivation: 'field_reference',
                origin_object_type: 'work_item',
                origin_object_id: id('work'),
                origin_field: 'related_knowledge_refs',
                source_object_type: 'work_item',
                target_object_type: 'knowledge',
              },
            },
          }),
        ]),
      },
    })
    expect(await substrate.ask('query', 'graph', { id: id('decision') })).toMatchObject({ data: { edges: [{ source_id: id('work') }] } })
  })

  it('expand shows the neighbourhood', async () => {
    const { data } = await substrate.ask('query', 'expand', { id: id('decision') }, { snippet_chars: 40 })
    expect(data).toMatchObject({ root_id: id('decision'), items: [{ id: id('decision') }, { id: id('work') }], source_segments: [] })
  })

  it('recent lists the latest changes', async () => {
    const answer = await substrate.ask('query', 'recent', {}, { max_items: 1, filters: { object_type: 'work_item', status: 'open' } })
    expect(itemsOf(answer)).toMatchObject([{ id: id('work'), updated_at: expect.stringMatching(/\+00:00$/u) }])
  })

  it.each([
    ['page', { id: 'x' }, { snippet_chars: 39 }, 'args.options.snippet_chars: Input should be greater than or equal to 40'],
    ['search', { query: 'x' }, { max_items: 0 }, 'args.options.max_items: Input should be greater than or equal to 1'],
    ['search', { query: 'x' }, { detail: 'full' }, 'args.options.detail: Extra inputs are not permitted'],
    ['graph', { id: 'x' }, { snippet_chars: 100 }, 'args.options.snippet_chars: Extra inputs are not permitted'],
    ['dream', {}, {}, 'Unsupported query mode: dream'],
  ])('%s with %j and %j: %s', async (mode, input, options, message) => {
    expect(await substrate.refusal('query', mode, input, options)).toBe(message)
  })
})
