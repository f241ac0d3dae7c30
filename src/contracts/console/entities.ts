import { z } from 'zod'
import { entityKey } from '../../core/graph/names.js'
import { operation } from '../operation.js'

export const entityShape = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  aliases: z.array(z.string()),
  status: z.string(),
})

const SCANNED = 2000

const output = z.object({ entities: z.array(entityShape) })
export type EntitiesAnswer = z.output<typeof output>

export const entities = operation({
  name: 'entities',
  title: 'Entities',
  description: 'Entities whose name or alias holds some text, newest first',
  effect: 'read',
  idempotent: true,
  right: 'read',
  input: z.strictObject({ q: z.string().max(200).default(''), limit: z.int().min(1).max(200).default(50) }),
  output,
  async run({ context }, { q, limit }) {
    const wanted = entityKey(q)
    const found = await context.store.listEntities({ limit: wanted === '' ? limit : SCANNED, offset: 0 })
    const holds = (name: string): boolean => entityKey(name).includes(wanted)
    return {
      entities: found
        .filter(({ name, aliases }) => [name, ...aliases].some(holds))
        .slice(0, limit)
        .map(({ id, owner, name, type, description, aliases, status }) => ({
          id,
          owner,
          name,
          type,
          description,
          aliases: [...aliases],
          status,
        })),
    }
  },
})
