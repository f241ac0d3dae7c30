import { z } from 'zod'
import { forget } from '../../engine/facts/revise.js'
import { MemoryError } from '../../errors.js'
import type { Call } from '../operation.js'
import { operation } from '../operation.js'
import { type Filter, readFilter } from './filters.js'
import { idsIn, matchingFacts } from './read.js'
import { routes } from './routes.js'
import { ids, unknownMemory } from './shapes.js'

const messageShape = z.object({ message: z.string() })
const DELETED_MESSAGE = { message: 'Memory deleted successfully!' }

async function deleteMatching({ context, actor }: Call, filter: Filter): Promise<{ message: string }> {
  let deleted = 0
  for (const { id, owner } of await matchingFacts(context, filter)) {
    context.signal.throwIfAborted()
    if (await forget(context, actor, { id, owner })) deleted++
  }
  return { message: `Memories deleted successfully! (${deleted})` }
}

export const deleteMemory = operation({
  name: 'delete',
  title: 'Delete memory',
  description: 'Erase a memory for good.',
  effect: 'destroy',
  idempotent: true,
  listed: false,
  route: routes(['DELETE', '/v1/memories/:memory_id/'], ['DELETE', '/memories/:memory_id']),
  input: z.object({ memory_id: z.string() }),
  output: messageShape,
  async run({ context, actor }, { memory_id }) {
    if (!(await forget(context, actor, { id: memory_id, owner: undefined }))) throw unknownMemory(memory_id)
    return DELETED_MESSAGE
  },
  recover: () => DELETED_MESSAGE,
})

export const deleteMemories = operation({
  name: 'delete_all',
  title: 'Delete memories',
  description: 'Erase the memories of a user, agent, app or run.',
  effect: 'destroy',
  idempotent: true,
  keyed: false,
  longRunning: true,
  listed: false,
  route: routes(['DELETE', '/v1/memories/'], ['DELETE', '/memories']),
  input: z.object(ids),
  output: messageShape,
  async run(call, input) {
    const named = idsIn(input)
    if (Object.values(named).every((value) => value === undefined || value === null))
      throw new MemoryError('invalid_input', 'Name a user_id, agent_id, app_id or run_id.', {
        hint: 'Everything at once is erased by `mneme call memory reset_all_memory`.',
      })
    return deleteMatching(call, readFilter(undefined, named))
  },
})

const KINDS = { user: 'user_id', agent: 'agent_id', app: 'app_id', run: 'run_id' } as const

export const deleteEntity = operation({
  name: 'delete_entity',
  title: 'Delete entity',
  description: 'Erase the memories of a user, agent, app or run by name.',
  effect: 'destroy',
  idempotent: true,
  keyed: false,
  longRunning: true,
  listed: false,
  route: routes(['DELETE', '/v2/entities/:type/:name/'], ['DELETE', '/v1/entities/:type/:name/']),
  input: z.object({ type: z.enum(['user', 'agent', 'app', 'run']), name: z.string().min(1) }),
  output: messageShape,
  run: (call, { type, name }) => deleteMatching(call, readFilter(undefined, { [KINDS[type]]: name })),
})
