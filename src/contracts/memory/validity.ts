import { z } from 'zod'
import { checkNote, parseInstant } from '../../core/input/input.js'
import { listValidFacts } from '../../engine/facts/list-facts.js'
import { invalidate } from '../../engine/facts/revise.js'
import { operation } from '../operation.js'
import { unknownMemory } from './failures.js'
import { resultsText } from './plain-text.js'
import { INVALID_TIMESTAMP, idInput, limitOf, memoryList, nullToUndefined, ownerToSearch, toMemory, userId } from './shapes.js'

export const getValid = operation({
  name: 'get_valid',
  title: 'Get valid',
  description: 'List memories that are true now, newest first. To answer a question use recall.',
  effect: 'read',
  idempotent: true,
  input: z.strictObject({ user_id: userId, limit: limitOf(20, 100) }),
  output: z.object({ results: memoryList, count: z.int() }),
  text: resultsText,
  async run({ context }, { user_id, limit }) {
    const owner = ownerToSearch(context, user_id)
    const facts = await listValidFacts(context, { owner, limit })
    return { results: facts.map((fact) => toMemory(fact, context)), count: facts.length }
  },
})

export const getValidAt = operation({
  name: 'get_valid_at',
  title: 'Get valid at',
  description: 'List memories that were true at a given time, newest first.',
  effect: 'read',
  idempotent: true,
  positionals: ['timestamp'],
  input: z.strictObject({
    timestamp: z.string({ error: INVALID_TIMESTAMP }).describe('ISO 8601'),
    user_id: userId,
    limit: limitOf(20, 100),
  }),
  output: z.object({ results: memoryList, count: z.int(), timestamp: z.string() }),
  text: resultsText,
  async run({ context }, { timestamp, user_id, limit }) {
    const owner = ownerToSearch(context, user_id)
    const facts = await listValidFacts(context, { owner, at: parseInstant(timestamp, INVALID_TIMESTAMP), limit })
    return { results: facts.map((fact) => toMemory(fact, context)), count: facts.length, timestamp }
  },
})

export const invalidateOperation = operation({
  name: 'invalidate',
  title: 'Invalidate',
  description: 'Mark a memory as no longer true: it stays in the history but is not recalled.',
  effect: 'write',
  idempotent: true,
  positionals: ['id'],
  input: z.strictObject({
    id: idInput,
    reason: z.string().nullish(),
    superseded_by: idInput.nullish().describe('Id of the memory that replaces it'),
    user_id: userId,
  }),
  output: z.object({ invalidated: z.boolean() }),
  async run({ context, actor }, input) {
    const reason = nullToUndefined(input.reason)
    const supersededBy = nullToUndefined(input.superseded_by)
    if (reason !== undefined) checkNote(reason, 'reason', context.settings.maxContentBytes)
    const ending = {
      id: input.id,
      owner: nullToUndefined(input.user_id),
      ...(reason === undefined ? {} : { reason }),
      ...(supersededBy === undefined ? {} : { supersededBy }),
    }
    return { invalidated: await invalidate(context, actor, ending, { unknown: unknownMemory }) }
  },
  recover: () => ({ invalidated: true }),
})
