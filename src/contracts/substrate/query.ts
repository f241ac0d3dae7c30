import { z } from 'zod'
import { headOf } from '../../engine/substrate/objects/objects.js'
import { recentObjects } from '../../engine/substrate/objects/recent.js'
import { context } from './context.js'
import { NO_DATA, optional, tool, toolMode } from './envelope.js'
import { expand, graph, page } from './pages.js'
import { search } from './search.js'
import { atLeastOne, filtersSchema, iso, ownerOf, toHead } from './shapes.js'

const DEFAULT_ITEMS = 10

const recent = toolMode({
  effect: 'read',
  input: NO_DATA,
  options: z.strictObject({ max_items: optional(atLeastOne), filters: optional(filtersSchema) }),
  async run(call, _, { max_items, filters }) {
    const objects = await recentObjects(call.context, { owner: ownerOf(call), limit: max_items ?? DEFAULT_ITEMS, filters: filters ?? {} })
    const items = objects.map((object) => ({ ...toHead(object), updated_at: iso(headOf(object).updatedAt) }))
    return { result_type: 'recent', data: { items }, warnings: [] }
  },
})

export const memoryQuery = tool({
  name: 'memory_query',
  noun: 'query',
  title: 'Query memory',
  description:
    'Read agent memory (persistent memory): context for a task, search, one object (page), what is around it (expand, graph), what changed (recent). ' +
    'Call it with mode context before work; retry with other words when little is found.',
  effect: 'read',
  inputData:
    'context: task, scope (the filters). search: query. expand, page, graph: id. recent: {}. ' +
    'Filters: object_type(s) (source, node, knowledge, activity, work_item), kind(s), status(es), node_id(s), source_id(s).',
  options:
    'max_items in every mode. search, recent: filters. expand, page: include_segments, snippet_chars (40 to 4000). page: detail (compact, full). ' +
    'context, search, graph: graph_backend. search: semantic_backend.',
  modes: { context, expand, page, recent, search, graph },
})
