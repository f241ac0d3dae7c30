import { z } from 'zod'
import { mergeEntities as merge, separateEntities as separate } from '../../engine/console/merge-entities.js'
import { edgeSchema, entitySchema } from '../../engine/transfer/lines.js'
import { operation } from '../operation.js'
import { id } from './shapes.js'

const before = z.strictObject({
  kept: entitySchema,
  dropped: entitySchema,
  edges: z.array(edgeSchema).max(10_000),
  moved: z.array(id).max(10_000),
})

const output = z.object({ id: z.string(), aliases: z.array(z.string()) })
const mergedOutput = output.extend({ before: before.describe('Input of separate_entities, which undoes this') })
export type MergeEntitiesAnswer = z.output<typeof mergedOutput>

export const mergeEntities = operation({
  name: 'merge_entities',
  title: 'Merge entities',
  description: 'Let one entity take over the names and relations of another, which is deleted',
  effect: 'destroy',
  idempotent: false,
  right: 'write',
  input: z.strictObject({ keep: id, drop: id }),
  output: mergedOutput,
  async run({ context, actor }, input) {
    const { merged, before: state } = await merge(context, actor, input)
    return { id: merged.id, aliases: [...merged.aliases], before: { ...state, edges: [...state.edges], moved: [...state.moved] } }
  },
})

export const separateEntities = operation({
  name: 'separate_entities',
  title: 'Separate entities',
  description: 'Undo a merge of entities: the one that was deleted returns with its names and relations',
  effect: 'write',
  idempotent: false,
  right: 'write',
  input: z.strictObject({ before }),
  output,
  async run({ context, actor }, input) {
    const separated = await separate(context, actor, input.before)
    return { id: separated.id, aliases: [...separated.aliases] }
  },
})
