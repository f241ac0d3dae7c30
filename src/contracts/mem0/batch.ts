import { z } from 'zod'
import { forget } from '../../engine/facts/revise.js'
import { operation } from '../operation.js'
import { routes } from './routes.js'
import { update } from './update.js'

const MAX_MEMORIES = 1000
const messageShape = z.object({ message: z.string() })

export const batchUpdate = operation({
  name: 'batch_update',
  title: 'Update memories',
  description: 'Correct several memories.',
  effect: 'write',
  idempotent: true,
  keyed: false,
  listed: false,
  route: routes(['PUT', '/v1/batch/']),
  input: z.object({ memories: z.array(z.object({ memory_id: z.string(), text: z.string() })).max(MAX_MEMORIES) }),
  output: messageShape,
  async run(call, { memories }) {
    for (const memory of memories) {
      call.context.signal.throwIfAborted()
      await update(call, memory)
    }
    return { message: `Successfully updated ${memories.length} memories` }
  },
})

export const batchDelete = operation({
  name: 'batch_delete',
  title: 'Delete memories by id',
  description: 'Erase several memories for good.',
  effect: 'destroy',
  idempotent: true,
  keyed: false,
  listed: false,
  route: routes(['DELETE', '/v1/batch/']),
  input: z.object({ memories: z.array(z.object({ memory_id: z.string() })).max(MAX_MEMORIES) }),
  output: messageShape,
  async run({ context, actor }, { memories }) {
    for (const { memory_id } of memories) {
      context.signal.throwIfAborted()
      await forget(context, actor, { id: memory_id, owner: undefined })
    }
    return { message: `Successfully deleted ${memories.length} memories` }
  },
})
