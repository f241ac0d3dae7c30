import { z } from 'zod'
import { mergeEntities as merge } from '../../engine/console/entity-page.js'
import { operation } from '../operation.js'
import { id } from './shapes.js'

const output = z.object({ id: z.string(), aliases: z.array(z.string()) })

export const mergeEntities = operation({
  name: 'merge_entities',
  title: 'Merge entities',
  description: 'Let one entity take over the names and relations of another, which is deleted',
  effect: 'destroy',
  idempotent: false,
  right: 'write',
  input: z.strictObject({ keep: id, drop: id }),
  output,
  async run({ context, actor }, given) {
    const merged = await merge(context, actor, given)
    return { id: merged.id, aliases: [...merged.aliases] }
  },
})
