import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { toObject } from '../../src/contracts/substrate/objects.js'
import { ofFact } from '../../src/engine/substrate/objects/objects.js'
import { runs } from '../runs.js'
import { KNOWLEDGE, openSubstrate, type Substrate } from './bench.js'

const RUNS = runs(5, 12)

type Step =
  | { readonly do: 'know'; readonly subject: number; readonly value: number; readonly inferred: boolean; readonly status: string }
  | { readonly do: 'words'; readonly title: number; readonly inferred: boolean }
  | { readonly do: 'promote' | 'contest' | 'archive' | 'invalidate' | 'outdate' | 'delete'; readonly which: number }
  | { readonly do: 'supersede' | 'tell apart'; readonly which: number; readonly by: number }
  | { readonly do: 'cycle' | 'merge' | 'decay' | 'repair' }

const small = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('know' as const),
    subject: small,
    value: small,
    inferred: fc.boolean(),
    status: fc.constantFrom('active', 'candidate', 'stale'),
  }),
  fc.record({ do: fc.constant('words' as const), title: small, inferred: fc.boolean() }),
  fc.record({
    do: fc.constantFrom(
      'promote' as const,
      'promote' as const,
      'contest' as const,
      'archive' as const,
      'invalidate' as const,
      'outdate' as const,
      'delete' as const,
    ),
    which: fc.nat(9),
  }),
  fc.record({ do: fc.constantFrom('supersede' as const, 'tell apart' as const), which: fc.nat(9), by: fc.nat(9) }),
  fc.record({ do: fc.constantFrom('cycle' as const, 'merge' as const, 'decay' as const, 'repair' as const) }),
)

const answered = z.looseObject({ knowledge_id: z.string().optional(), audit_event_ids: z.array(z.string()).optional() })
const eventsSchema = z.object({
  data: z.object({
    events: z.array(
      z.object({
        id: z.string(),
        event_type: z.string(),
        target: z.object({ object_id: z.string() }),
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
  }),
})
const itemsSchema = z.object({ data: z.object({ items: z.array(z.object({ id: z.string(), status: z.string() })) }) })

interface History {
  readonly ids: string[]
  /** Declared by a person, or decided. */
  readonly decided: Set<string>
  readonly deleted: Set<string>
  /** Every observed state of an object, in order. */
  readonly states: Map<string, unknown[]>
  readonly events: string[]
}

/** Performs a step; a rejected one changes nothing and is not a failure. */
async function carryOut(substrate: Substrate, { ids, decided, deleted, events }: History, step: Step): Promise<void> {
  const tried = async (work: () => Promise<unknown>) => {
    try {
      const answer = answered.parse(await work())
      events.push(...(answer.audit_event_ids ?? []))
      return answer
    } catch {
      return undefined
    }
  }
  const call = (tool: string, mode: string, input: object, options?: object) =>
    tried(() => substrate.ask(tool, mode, { ...input }, options === undefined ? undefined : { ...options }))
  const known = (index: number): string => ids[index % Math.max(1, ids.length)] ?? 'know:none'
  const apply = { apply: true }
  if (step.do === 'know' || step.do === 'words') {
    const claim =
      step.do === 'know'
        ? { payload: { subject: `node:${step.subject}`, predicate: 'is', value: step.value }, status: step.status }
        : { title: `Note ${step.title}`, subject_refs: ['node:gone'] }
    const memory_source = step.inferred ? 'agent_inferred' : 'user_declared'
    const made = await call('remember', 'knowledge', { ...KNOWLEDGE, ...claim, memory_source, last_verified_at: '2020-01-01' })
    if (made?.knowledge_id !== undefined) ids.push(made.knowledge_id)
    if (made?.knowledge_id !== undefined && !step.inferred) decided.add(made.knowledge_id)
  } else if (step.do === 'promote' || step.do === 'contest') {
    const done = await call('remember', step.do, { knowledge_id: known(step.which) })
    if (done !== undefined && step.do === 'promote') decided.add(known(step.which))
  } else if (step.do === 'supersede') {
    const done = await call('remember', 'supersede', { old_knowledge_id: known(step.which), new_knowledge_id: known(step.by) })
    if (done !== undefined) decided.add(known(step.by))
  } else if (step.do === 'tell apart') {
    const updates = [{ knowledge_id: known(step.which), summary: `Another meaning ${ids.length}.` }]
    const input = { outcome: 'keep_both', knowledge_ids: [known(step.which), known(step.by)], reason: 'read both', updates }
    await call('maintain', 'resolve_duplicates', input, apply)
  } else if (step.do === 'archive') await call('maintain', 'archive_knowledge', { knowledge_id: known(step.which), reason: 'x' }, apply)
  else if (step.do === 'invalidate') await tried(() => substrate.world.call('memory/invalidate', { id: known(step.which) }))
  else if (step.do === 'outdate') await tried(() => substrate.world.call('graph/mark_outdated', { fact_id: known(step.which) }))
  else if (step.do === 'delete') {
    if ((await tried(() => substrate.world.call('memory/delete_memory', { id: known(step.which) }))) !== undefined)
      deleted.add(known(step.which))
  } else {
    const mode = { cycle: 'cycle', merge: 'merge_duplicates', decay: 'decay_stale', repair: 'repair' }[step.do]
    await call('maintain', mode, {}, apply)
  }
}

const factsOf = async ({ world }: Substrate, { ids }: History) =>
  (await world.backend.store.facts(ids)).map((fact) => ({ fact, id: fact.id }))

/** Records the state of every object that changed. */
async function look(substrate: Substrate, history: History): Promise<void> {
  for (const { fact, id } of await factsOf(substrate, history)) {
    const seen = history.states.get(id) ?? []
    history.states.set(id, seen)
    const now = JSON.parse(JSON.stringify(toObject(ofFact(fact))))
    if (JSON.stringify(seen.at(-1)) !== JSON.stringify(now)) seen.push(now)
  }
}

/** No ended object is shown as current anywhere. */
async function expectNothingOver(substrate: Substrate, history: History): Promise<void> {
  const ended = new Map<string, string>()
  const shownAs = { superseded: 'superseded', outdated: 'superseded', archived: 'archived', retracted: 'archived' } as const
  for (const { fact, id } of await factsOf(substrate, history))
    for (const [status, shown] of Object.entries(shownAs)) if (fact.status === status) ended.set(id, shown)
  const question = 'python language note meaning'
  const search = itemsSchema.parse(await substrate.ask('query', 'search', { query: question }, { max_items: 50 })).data.items
  const context = itemsSchema.parse(await substrate.ask('query', 'context', { task: question }, { max_items: 50 })).data.items
  for (const { id } of [...search, ...context]) expect(ended.has(id)).toBe(false)
  const recent = itemsSchema.parse(await substrate.ask('query', 'recent', {}, { max_items: 50 })).data.items
  for (const { id, status } of recent) if (ended.has(id)) expect(status).toBe(ended.get(id))
  for (const [id, status] of ended) {
    expect(await substrate.object(id)).toMatchObject({ status })
    const { data } = await substrate.ask('query', 'graph', { id })
    expect(data).toMatchObject({ nodes: expect.arrayContaining([expect.objectContaining({ id, status })]) })
  }
}

/** Every change of an object has an event with its previous and new state. */
async function expectEvents(substrate: Substrate, history: History): Promise<void> {
  const { events } = eventsSchema.parse(await substrate.ask('maintain', 'audit', {}, { max_items: 1000 })).data
  const known = new Set(events.map(({ id }) => id))
  expect(history.events.filter((id) => !known.has(id))).toEqual([])
  for (const [id, states] of history.states) {
    const own = events.filter(({ target }) => target.object_id === id)
    if (history.deleted.has(id)) {
      expect(own.at(-1)).toMatchObject({ event_type: 'delete_object', after: null })
      continue
    }
    expect(own[0]).toMatchObject({ event_type: 'create_object', before: null })
    for (const [index, { before }] of own.entries()) if (index > 0) expect(before).toEqual(own[index - 1]?.after)
    const after = own.map((event) => JSON.stringify(event.after))
    let place = 0
    for (const state of states) {
      place = after.indexOf(JSON.stringify(state), place) + 1
      expect(place, `no event has led to ${JSON.stringify(state)}`).toBeGreaterThan(0)
    }
    expect(place, 'an event that led to nothing').toBe(own.length)
  }
}

it('for random calls: no inferred object is active without a decision, no ended object is shown, and each change has its event', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), async (steps) => {
      const substrate = await openSubstrate({ embedder: 'none' })
      try {
        const history: History = { ids: [], decided: new Set(), deleted: new Set(), states: new Map(), events: [] }
        for (const step of steps) {
          await carryOut(substrate, history, step)
          await look(substrate, history)
        }
        for (const { fact } of await factsOf(substrate, history))
          if (fact.status === 'active') expect(history.decided.has(fact.id)).toBe(true)
        await expectNothingOver(substrate, history)
        await expectEvents(substrate, history)
      } finally {
        await substrate.close()
      }
    }),
    { numRuns: RUNS },
  )
})

const concept = fc.constantFrom('Context Pack', 'Fact Check', 'Release Train', 'Lamp Keeper', '待办项', 'npm run build', 'Setup')
const paragraph = fc
  .array(concept, { minLength: 1, maxLength: 4 })
  .map((words) => `A ${words.map((word) => `\`${word}\``).join(' and a ')}.`)
const documentText = fc
  .array(fc.tuple(concept, fc.array(paragraph, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 5 })
  .map((sections) => sections.map(([title, texts]) => `## ${title}\n\n${texts.join('\n\n')}`).join('\n\n'))

const reportSchema = z.object({
  data: z.object({
    concept_candidates: z.array(z.object({ suggested_memory: z.object({ input_data: z.record(z.string(), z.unknown()) }) })),
  }),
})

it('every skeleton of the report is accepted unchanged for random captures', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.array(documentText, { minLength: 1, maxLength: 3 }), async (texts) => {
      const substrate = await openSubstrate({ embedder: 'none' })
      try {
        for (const [index, content] of texts.entries())
          await substrate.ask('ingest', 'conversation', { title: `Talk ${index}`, messages: [{ role: 'user', content }] })
        const { concept_candidates } = reportSchema.parse(await substrate.ask('maintain', 'report')).data
        for (const { suggested_memory } of concept_candidates) {
          expect(await substrate.ask('remember', 'knowledge', suggested_memory.input_data)).toMatchObject({ status: 'candidate' })
          taken++
        }
      } finally {
        await substrate.close()
      }
    }),
    { numRuns: RUNS },
  )
  expect(taken).toBeGreaterThan(0)
})
