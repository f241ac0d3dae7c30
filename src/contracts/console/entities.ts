import { z } from 'zod'
import type { Entity } from '../../core/graph/entity.js'
import { entityKey } from '../../core/graph/names.js'
import { countRelations } from '../../engine/console/entity-page.js'
import type { Context } from '../../engine/context.js'
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

const SCANNED_AT_ONCE = 2000
const MAX_SCANNED = 40_000

const output = z.object({ entities: z.array(entityShape.extend({ relations: z.int() })) })
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
    const found = wanted === '' ? await context.store.listEntities({ limit, offset: 0 }) : await search(context, wanted, limit)
    const relations = await countRelations(context, found)
    return {
      entities: found.map(({ id, owner, name, type, description, aliases, status }) => ({
        id,
        owner,
        name,
        type,
        description,
        aliases: [...aliases],
        status,
        relations: relations.get(id) ?? 0,
      })),
    }
  },
})

/** Looks through the entities page by page, newest first. */
async function search({ store, signal }: Context, wanted: string, limit: number): Promise<readonly Entity[]> {
  const found: Entity[] = []
  for (let offset = 0; offset < MAX_SCANNED && found.length < limit; offset += SCANNED_AT_ONCE) {
    signal.throwIfAborted()
    const page = await store.listEntities({ limit: SCANNED_AT_ONCE, offset })
    found.push(...page.filter(({ name, aliases }) => [name, ...aliases].some((text) => entityKey(text).includes(wanted))))
    if (page.length < SCANNED_AT_ONCE) break
  }
  return found.slice(0, limit)
}
