import { z } from 'zod'
import type { JsonObject } from '../../core/encoding/json.js'
import { checkMetadata, checkText, parseInstant } from '../../core/input/input.js'
import { findFact, revise } from '../../engine/facts/revise.js'
import type { Call } from '../operation.js'
import { operation } from '../operation.js'
import { routes } from './routes.js'
import { instantOf, memory, metadata, toMemory, unknownMemory, withMetadata } from './shapes.js'

interface Update {
  readonly memory_id: string
  readonly text?: string | null | undefined
  readonly metadata?: JsonObject | null | undefined
  readonly eventAt?: number | undefined
}

export async function update({ context, actor }: Call, changes: Update) {
  const { memory_id, text, metadata: replaced, eventAt } = changes
  if (typeof text === 'string') checkText(text, 'text', context.settings.maxContentBytes)
  if (replaced) checkMetadata(replaced, 'metadata', context.settings.maxMetadataBytes)
  const fact = await revise(context, actor, {
    id: memory_id,
    change: (before) => ({
      ...before,
      text: text ?? before.text,
      eventAt: eventAt ?? before.eventAt,
      metadata: replaced ? withMetadata(before, replaced) : before.metadata,
    }),
  })
  if (fact === undefined) throw unknownMemory(memory_id)
  return toMemory(fact)
}

export const updateMemory = operation({
  name: 'update',
  title: 'Update memory',
  description: 'Correct a memory in place.',
  effect: 'write',
  idempotent: true,
  listed: false,
  route: routes(['PUT', '/v1/memories/:memory_id/'], ['PUT', '/memories/:memory_id']),
  input: z.object({
    memory_id: z.string(),
    text: z.string().nullish(),
    data: z.string().nullish().describe('The text, as the self-hosted server names it'),
    metadata,
    timestamp: z.union([z.string(), z.number()]).nullish().meta({ wire: 'string' }),
  }),
  output: memory,
  run: (call, { timestamp, data, text, ...changes }) => {
    const eventAt = instantOf(timestamp, (at) => parseInstant(at, 'Invalid timestamp: Use ISO 8601 or seconds'))
    return update(call, { ...changes, text: text ?? data, eventAt })
  },
  async recover({ context }, { memory_id }) {
    const fact = await findFact(context, memory_id)
    if (fact === undefined) throw unknownMemory(memory_id)
    return toMemory(fact)
  },
})
