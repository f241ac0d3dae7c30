import { z } from 'zod'
import { headOf } from '../../engine/objects/objects.js'
import { NONE, optional, tool, toolMode } from './envelope.js'
import { atLeastOne, filtersSchema, iso, ownerOf, toHead } from './shapes.js'

const RECENT = 10

const recent = toolMode({
  effect: 'read',
  input: NONE,
  options: z.strictObject({ max_items: optional(atLeastOne), filters: optional(filtersSchema) }),
  async run(call, _, { max_items, filters }) {
    const objects = await call.engine.objects.recent({ owner: ownerOf(call), limit: max_items ?? RECENT, filters: filters ?? {} })
    const items = objects.map((object) => ({ ...toHead(object), updated_at: iso(headOf(object).updatedAt) }))
    return { result_type: 'recent', data: { items }, warnings: [] }
  },
})

export const memoryQuery = tool({
  name: 'memory_query',
  noun: 'query',
  title: 'Query memory',
  description: 'Read agent memory.',
  effect: 'read',
  inputData: 'recent: {}',
  options: 'recent: max_items, filters',
  modes: { recent },
})
