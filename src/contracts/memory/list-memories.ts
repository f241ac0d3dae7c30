import { z } from 'zod'
import { listFacts } from '../../engine/facts/list-facts.js'
import { operation } from '../operation.js'
import { memoriesText } from './plain-text.js'
import { limitOf, memoryList, ownerToSearch, toMemory, userId } from './shapes.js'

export const listMemories = operation({
  name: 'list_memories',
  title: 'List memories',
  description: 'List all memories, newest first, including ended ones. To answer a question use recall.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({
    limit: limitOf(20, 100),
    offset: z.int({ error: 'must be a whole number of 0 or more' }).min(0, { error: 'must be 0 or more' }).default(0),
    user_id: userId,
  }),
  output: z.object({ memories: memoryList, total: z.int(), limit: z.int(), offset: z.int() }),
  text: memoriesText,
  async run({ context }, { limit, offset, user_id }) {
    const owner = ownerToSearch(context, user_id)
    const { facts, total } = await listFacts(context, { owner, limit, offset })
    return { memories: facts.map((fact) => toMemory(fact, context)), total, limit, offset }
  },
})
