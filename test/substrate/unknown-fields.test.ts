import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWLEDGE, openSubstrate, type Substrate } from './bench.js'

let substrate: Substrate
beforeAll(async () => {
  substrate = await openSubstrate()
})
afterAll(() => substrate.close())

type Given = Readonly<Record<string, unknown>>

const ACTOR = { type: 'user', id: 'a', extra: 1 }

/** A valid call of each mode, except for the added field. */
type One = readonly [tool: string, mode: string, input: Given, options: Given]
const call = (tool: string, mode: string, input: Given, options: Given = {}): One => [tool, mode, input, options]
const CALLS: readonly One[] = [
  call('ingest', 'repo', { path: '/nowhere' }),
  call('ingest', 'file', { path: '/nowhere' }),
  call('ingest', 'markdown', { path: '/nowhere' }),
  call('ingest', 'pdf', { path: '/nowhere' }),
  call('ingest', 'web', { url: 'https://example.com' }),
  call('ingest', 'conversation', { title: 'Talk', messages: [{ role: 'user', content: 'Hello' }] }),
  call('query', 'context', { task: 'x' }),
  call('query', 'search', { query: 'x' }),
  call('query', 'expand', { id: 'x' }),
  call('query', 'page', { id: 'x' }),
  call('query', 'graph', { id: 'x' }),
  call('query', 'recent', {}),
  call('remember', 'knowledge', KNOWLEDGE),
  call('remember', 'activity', KNOWLEDGE),
  call('remember', 'work_item', KNOWLEDGE),
  call('remember', 'promote', { knowledge_id: 'x' }),
  call('remember', 'contest', { knowledge_id: 'x' }),
  call('remember', 'supersede', { old_knowledge_id: 'x', new_knowledge_id: 'y' }),
  call('remember', 'work_item_status', { work_item_id: 'x', status: 'closed' }),
  call('remember', 'batch', { entries: [{ mode: 'knowledge', input_data: KNOWLEDGE }] }),
  ...['configure', 'repair', 'promote_candidates', 'merge_duplicates', 'decay_stale', 'cycle'].map((mode) =>
    call('maintain', mode, {}, { apply: true }),
  ),
  call('maintain', 'resolve_duplicates', { outcome: 'contest', knowledge_ids: ['x', 'y'], reason: 'r' }, { apply: true }),
  call('maintain', 'archive_knowledge', { knowledge_id: 'x', reason: 'r' }, { apply: true }),
  call('maintain', 'archive_source', { source_id: 'x', reason: 'r' }, { apply: true }),
  call('maintain', 'structure', {}),
  call('maintain', 'audit', {}),
  call('maintain', 'reindex', {}),
  call('maintain', 'report', {}),
]

const refusalOf = async (tool: string, input: Given): Promise<string> => {
  try {
    return `answered ${JSON.stringify(await substrate.world.call(`substrate/memory_${tool}`, input))}`
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  }
}

describe('rejects and names one unknown field at any level', () => {
  it.each(CALLS)('memory_%s %s', async (tool, mode, input, options) => {
    const args = { mode, input_data: input, options }
    const refused = (field: string): string => `${field}: Extra inputs are not permitted`
    expect(await refusalOf(tool, { args, extra: 1 })).toBe(refused('extra'))
    expect(await refusalOf(tool, { args: { ...args, root: '/x' } })).toBe(refused('args.root'))
    expect(await refusalOf(tool, { args: { ...args, input_data: { ...input, extra: 1 } } })).toBe(refused('args.input_data.extra'))
    expect(await refusalOf(tool, { args: { ...args, options: { ...options, extra: 1 } } })).toBe(refused('args.options.extra'))
  })

  it.each([
    ['query', 'context', { task: 'x', scope: { extra: 1 } }, {}, 'args.input_data.scope.extra'],
    ['query', 'search', { query: 'x' }, { filters: { extra: 1 } }, 'args.options.filters.extra'],
    ['remember', 'knowledge', { ...KNOWLEDGE, payload: { extra: 1 } }, {}, 'args.input_data.payload.extra'],
    ['remember', 'knowledge', { ...KNOWLEDGE, evidence_refs: [{ extra: 1 }] }, {}, 'args.input_data.evidence_refs.0.extra'],
    ['remember', 'activity', { ...KNOWLEDGE, actor: { type: 'user', id: 'a', extra: 1 } }, {}, 'args.input_data.actor.extra'],
    ['remember', 'batch', { entries: [{ mode: 'knowledge', input_data: {}, extra: 1 }] }, {}, 'args.input_data.entries.0.extra'],
    [
      ...['ingest', 'conversation', { title: 't', messages: [{ role: 'user', content: 'c', extra: 1 }] }],
      ...[{}, 'args.input_data.messages.0.extra'],
    ],
    [
      ...['maintain', 'resolve_duplicates'],
      ...[{ outcome: 'contest', knowledge_ids: ['x', 'y'], reason: 'r', updates: [{ knowledge_id: 'x', extra: 1 }] }, { apply: true }],
      'args.input_data.updates.0.extra',
    ],
    ['query', 'recent', {}, { filters: { extra: 1 } }, 'args.options.filters.extra'],
    ...['knowledge', 'activity', 'work_item'].flatMap((mode) => [
      ['remember', mode, { ...KNOWLEDGE, actor: ACTOR }, {}, 'args.input_data.actor.extra'] as const,
      [
        ...(['remember', 'batch', { entries: [{ mode, input_data: { ...KNOWLEDGE, actor: ACTOR } }] }, {}] as const),
        'args.input_data.entries.0.input_data.actor.extra',
      ] as const,
      [
        ...(['remember', 'batch', { entries: [{ mode, input_data: { ...KNOWLEDGE, extra: 1 } }] }, {}] as const),
        'args.input_data.entries.0.input_data.extra',
      ] as const,
    ]),
    [
      ...(['remember', 'batch', { entries: [{ mode: 'knowledge', input_data: { ...KNOWLEDGE, payload: { extra: 1 } } }] }, {}] as const),
      'args.input_data.entries.0.input_data.payload.extra',
    ],
    ['remember', 'batch', { entries: [{ mode: 'knowledge', input_data: KNOWLEDGE }], actor: ACTOR }, {}, 'args.input_data.actor.extra'],
    ['remember', 'promote', { knowledge_id: 'x', actor: ACTOR }, {}, 'args.input_data.actor.extra'],
    ['remember', 'contest', { knowledge_id: 'x', actor: ACTOR }, {}, 'args.input_data.actor.extra'],
    ['remember', 'supersede', { old_knowledge_id: 'x', new_knowledge_id: 'y', actor: ACTOR }, {}, 'args.input_data.actor.extra'],
    ['remember', 'work_item_status', { work_item_id: 'x', status: 'closed', actor: ACTOR }, {}, 'args.input_data.actor.extra'],
  ] as const)('memory_%s %s %j', async (tool, mode, input, options, field) => {
    expect(await substrate.refusal(String(tool), String(mode), Object(input), Object(options))).toBe(
      `${field}: Extra inputs are not permitted`,
    )
  })

  it.each(['ingest', 'query', 'remember', 'maintain'])('the envelope of memory_%s', async (tool) => {
    expect(await refusalOf(tool, {})).toBe('args: Field required')
    expect(await refusalOf(tool, { args: {} })).toBe('args.mode: Field required\nargs.input_data: Field required')
    expect(await refusalOf(tool, { args: { mode: 'dream', input_data: {} } })).toBe(`Unsupported ${tool} mode: dream`)
    expect(await refusalOf(tool, { args: { mode: 'toString', input_data: {} } })).toBe(`Unsupported ${tool} mode: toString`)
  })
})
