import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import { summariseOwners } from '../../engine/facts/owner-summaries.js'
import { eraseMemory } from '../../engine/maintenance/erase-all.js'
import { operation } from '../operation.js'
import { routes } from './routes.js'

const MAX_PAGE_SIZE = 200

/** Agents and apps without a user have owners with these prefixes. */
const PREFIXES = ['agent', 'app'] as const

function entityOf(owner: string): { readonly type: string; readonly name: string } {
  const type = PREFIXES.find((prefix) => owner.startsWith(`${prefix}:`))
  return type === undefined ? { type: 'user', name: owner } : { type, name: owner.slice(type.length + 1) }
}

export const listEntities = operation({
  name: 'entities',
  title: 'List entities',
  description: 'Users, agents and apps that have memories.',
  effect: 'read',
  idempotent: true,
  listed: false,
  route: routes(['GET', '/v1/entities/'], ['GET', '/v2/entities/']),
  input: z.object({ page: z.int().min(1).default(1), page_size: z.int().min(1).max(MAX_PAGE_SIZE).default(100) }),
  output: z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(z.record(z.string(), z.unknown())),
  }),
  async run({ context }, { page, page_size }) {
    const offset = (page - 1) * page_size
    const { owners, total } = await summariseOwners(context, { limit: page_size, offset })
    return {
      count: total,
      next: offset + page_size < total ? `?page=${page + 1}&page_size=${page_size}` : null,
      previous: page > 1 ? `?page=${page - 1}&page_size=${page_size}` : null,
      results: owners.map(({ owner, facts, oldestAt, newestAt }) => ({
        id: owner,
        ...entityOf(owner),
        owner: 'mneme',
        total_memories: facts,
        created_at: formatInstant(oldestAt),
        updated_at: formatInstant(newestAt),
      })),
    }
  },
})

export const reset = operation({
  name: 'reset',
  title: 'Reset',
  description: 'Erase all memories of all owners.',
  effect: 'destroy',
  right: 'admin',
  idempotent: true,
  keyed: false,
  longRunning: true,
  listed: false,
  route: routes(['POST', '/reset']),
  input: z.object({}),
  output: z.object({ message: z.string() }),
  async run({ context, actor }) {
    const { copy } = await eraseMemory(context, actor, { owner: null, reason: 'mem0 reset' })
    return { message: copy === null ? 'All memories reset' : `All memories reset. ${copy} still contains what was erased.` }
  },
})
