import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import { retryOnConflict } from '../facts/revise.js'
import { readEntity } from './entity-page.js'

/** Relations that a merge moves: those beyond would be lost with the entity. */
const MAX_MOVED = 10_000

/** The state before a merge, from which both entities can be separated again: the journal clears what is deleted. */
interface StateBeforeMerge {
  readonly kept: Entity
  readonly dropped: Entity
  /** Stated relations of the dropped entity. */
  readonly edges: readonly Edge[]
  /** Ids of the relations that replaced them. */
  readonly moved: readonly string[]
}

export interface Merge {
  readonly merged: Entity
  readonly before: StateBeforeMerge
}

/** Merges one entity into another in one commit: its names and relations move, and it is deleted. */
export async function mergeEntities(
  context: Context,
  actor: string,
  ids: { readonly keep: string; readonly drop: string },
): Promise<Merge> {
  if (ids.keep === ids.drop) throw new MemoryError('invalid_input', 'An entity cannot be merged with itself.')
  return retryOnConflict(async () => {
    const [keep, drop] = [await readEntity(context, ids.keep), await readEntity(context, ids.drop)]
    if (keep.owner !== drop.owner) throw new MemoryError('invalid_input', 'Both entities must belong to the same owner.')
    const edges = await context.store.edges({ owner: keep.owner, nodes: [drop.id], stated: true, limit: MAX_MOVED })
    const aliases = [...new Set([...keep.aliases, drop.name, ...drop.aliases])].filter((name) => name !== keep.name)
    let merged = keep
    let moved: readonly Edge[] = []
    await context.store.commit({ actor, owners: [keep.owner] }, (now) => {
      merged = { ...keep, aliases, updatedAt: now, version: keep.version + 1 }
      moved = edges.flatMap((edge): Edge[] => {
        const [from, to] = [edge.from, edge.to].map((end) => (end === drop.id ? keep.id : end))
        if (from === undefined || to === undefined || from === to || edge.factId !== null) return []
        return [{ ...edge, id: context.ids.mint(), from, to, version: 1, createdAt: now }]
      })
      return [
        ...moved.map((edge): Change => ({ op: 'edge.put', edge })),
        { op: 'entity.delete', id: drop.id, owner: drop.owner, reason: `merged into ${keep.id}` },
        { op: 'entity.put', entity: merged },
      ]
    })
    return { merged, before: { kept: keep, dropped: drop, edges, moved: moved.map(({ id }) => id) } }
  })
}

/** Undoes a merge in one commit: the dropped entity returns with its names and relations, under its own id. */
export async function separateEntities(context: Context, actor: string, before: StateBeforeMerge): Promise<Entity> {
  const { kept, dropped, edges } = before
  const { owner } = kept
  if ([dropped, ...edges].some((row) => row.owner !== owner) || edges.some(({ from, to }) => from !== dropped.id && to !== dropped.id))
    throw new MemoryError('invalid_input', 'This is not the state before a merge.', { hint: 'Pass what merge_entities answered.' })
  return retryOnConflict(async () => {
    const now = await readEntity(context, kept.id)
    if ((await context.store.entities([dropped.id])).length > 0)
      throw new MemoryError('conflict', `${dropped.name} is an entity of its own again.`)
    const taken = new Set([dropped.name, ...dropped.aliases].filter((name) => !kept.aliases.includes(name)))
    const moved = await context.store.edgesById(before.moved, owner)
    const ends = edges.flatMap(({ from, to }) => [from, to])
    const known = new Set<string>([
      dropped.id,
      ...(await context.store.entities(ends, owner)).map(({ id }) => id),
      ...(await context.store.facts(ends, owner)).map(({ id }) => id),
    ])
    let separated = now
    await context.store.commit({ actor, owners: [owner] }, (at) => {
      separated = { ...now, aliases: now.aliases.filter((name) => !taken.has(name)), updatedAt: at, version: now.version + 1 }
      const reason = `separated from ${kept.id}`
      return [
        ...moved.map((edge): Change => ({ op: 'edge.delete', id: edge.id, owner, reason })),
        { op: 'entity.put', entity: separated },
        { op: 'entity.put', entity: { ...dropped, updatedAt: at, version: 1 }, reason },
        ...edges
          .filter(({ from, to }) => known.has(from) && known.has(to))
          .map((edge): Change => ({ op: 'edge.put', edge: { ...edge, version: 1 } })),
      ]
    })
    return separated
  })
}
