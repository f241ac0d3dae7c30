import { z } from 'zod'
import type { Fact } from '../../core/facts/fact.js'
import { isValidAt } from '../../core/facts/validity.js'
import { formatInstant } from '../../core/input/input.js'
import type { Context } from '../../engine/context.js'
import { createYieldPoint } from '../../engine/event-loop.js'
import { listFacts } from '../../engine/facts/list-facts.js'
import { findFact } from '../../engine/facts/revise.js'
import { versionsOf } from '../../engine/history/versions.js'
import { recall } from '../../engine/recall/recall.js'
import { operation } from '../operation.js'
import { type Filter, readFilter } from './filters.js'
import { routes } from './routes.js'
import { ids, memory, toMemory, unknownMemory } from './shapes.js'

const filters = z.record(z.string(), z.unknown()).nullish().meta({ wire: 'object' })
const MAX_RESULTS = 200
const FILTER_FACTOR = 5
const PAGE_SIZE = 500
const MAX_SCANNED_FACTS = 50_000

export const searchMemories = operation({
  name: 'search',
  title: 'Search memories',
  description: 'The memories that answer a query, best first.',
  effect: 'read',
  idempotent: true,
  listed: false,
  route: routes(['POST', '/v3/memories/search/'], ['POST', '/v2/memories/search/'], ['POST', '/v1/memories/search/'], ['POST', '/search']),
  input: z.object({
    query: z.string(),
    filters,
    ...ids,
    top_k: z.int().min(1).max(MAX_RESULTS).nullish(),
    limit: z.int().min(1).max(MAX_RESULTS).nullish(),
    threshold: z.number().nullish(),
    rerank: z.boolean().nullish(),
  }),
  output: z.object({ results: z.array(memory) }),
  async run({ context }, input) {
    const filter = readFilter(input.filters, idsIn(input))
    const limit = input.top_k ?? input.limit ?? 10
    const found = await recall(context, {
      text: input.query,
      limit: filter.byOwnerAlone ? limit : Math.min(limit * FILTER_FACTOR, MAX_RESULTS * FILTER_FACTOR),
      owner: filter.owner ?? context.settings.askedOwner,
      effort: input.rerank === false ? 'fast' : 'best',
      signal: context.signal,
    })
    const results = found.results
      .filter(({ fact, relevance }) => filter.matches(fact) && relevance >= (input.threshold ?? 0))
      .slice(0, limit)
      .map(({ fact, relevance }) => toMemory(fact, relevance))
    return { results }
  },
})

export const getMemories = operation({
  name: 'get_all',
  title: 'List memories',
  description: 'The memories that match, newest first, by page.',
  effect: 'read',
  idempotent: true,
  listed: false,
  route: routes(['POST', '/v3/memories/'], ['POST', '/v2/memories/'], ['GET', '/v1/memories/'], ['GET', '/memories']),
  input: z.object({
    filters,
    ...ids,
    page: z.int().min(1).default(1),
    page_size: z.int().min(1).max(PAGE_SIZE).default(100),
  }),
  output: z.object({ count: z.int(), next: z.string().nullable(), previous: z.string().nullable(), results: z.array(memory) }),
  async run({ context }, { page, page_size, ...input }) {
    const matching = await matchingFacts(context, readFilter(input.filters, idsIn(input)))
    const start = (page - 1) * page_size
    return {
      count: matching.length,
      next: start + page_size < matching.length ? `?page=${page + 1}&page_size=${page_size}` : null,
      previous: page > 1 ? `?page=${page - 1}&page_size=${page_size}` : null,
      results: matching.slice(start, start + page_size).map((fact) => toMemory(fact)),
    }
  },
})

export const getMemory = operation({
  name: 'get',
  title: 'Get memory',
  description: 'One memory by id.',
  effect: 'read',
  idempotent: true,
  listed: false,
  route: routes(['GET', '/v1/memories/:memory_id/'], ['GET', '/memories/:memory_id']),
  input: z.object({ memory_id: z.string() }),
  output: memory,
  async run({ context }, { memory_id }) {
    const fact = await findFact(context, memory_id)
    if (fact === undefined) throw unknownMemory(memory_id)
    return toMemory(fact)
  },
})

export const memoryHistory = operation({
  name: 'history',
  title: 'Memory history',
  description: 'What a memory was before each change, oldest first.',
  effect: 'read',
  idempotent: true,
  listed: false,
  route: routes(['GET', '/v1/memories/:memory_id/history/'], ['GET', '/memories/:memory_id/history']).map((route) => ({
    ...route,
    bodyOf: ({ versions }) => versions,
  })),
  input: z.object({ memory_id: z.string() }),
  output: z.object({ versions: z.array(z.record(z.string(), z.unknown())) }),
  async run({ context }, { memory_id }) {
    const fact = await findFact(context, memory_id)
    if (fact === undefined) throw unknownMemory(memory_id)
    const versions = (await versionsOf(context, memory_id, fact.owner)).toReversed()
    const created = { at: fact.recordedAt, old: null, next: versions[0]?.state?.text ?? fact.text, event: 'ADD' }
    const changed = versions.map(({ at, state, after }) => ({ at, old: state?.text ?? null, next: after?.text ?? null, event: 'UPDATE' }))
    return {
      versions: [created, ...changed].map(({ at, old, next, event }) => ({
        id: `${memory_id}@${at}`,
        memory_id,
        old_memory: old,
        new_memory: next,
        event,
        created_at: formatInstant(fact.recordedAt),
        updated_at: formatInstant(at),
      })),
    }
  },
})

/** Current facts that match, newest first; examines a limited number. */
export async function matchingFacts(context: Context, filter: Filter): Promise<readonly Fact[]> {
  const found: Fact[] = []
  const now = { at: context.clock.now(), present: true }
  const turn = createYieldPoint()
  for (let offset = 0; offset < MAX_SCANNED_FACTS; offset += PAGE_SIZE) {
    context.signal.throwIfAborted()
    const { facts } = await listFacts(context, { owner: filter.owner ?? context.settings.askedOwner, limit: PAGE_SIZE, offset })
    for (const fact of facts) {
      await turn()
      if (isValidAt(fact, now) && filter.matches(fact)) found.push(fact)
    }
    if (facts.length < PAGE_SIZE) break
  }
  return found
}

type Ids = Readonly<Partial<Record<keyof typeof ids, string | null | undefined>>>

export const idsIn = ({ user_id, agent_id, app_id, run_id }: Ids): Ids => ({ user_id, agent_id, app_id, run_id })
