import type { Change } from '../core/change.js'
import type { Edge, NodeKind } from '../core/edge.js'
import type { Instant } from '../core/fact.js'
import { sha256 } from '../core/hash.js'
import { canonicalJson, type JsonObject } from '../core/json.js'
import type { Environment } from './environment.js'
import { idOf, type MemoryNode, unknownNode, visibleNodes } from './nodes.js'
import { retryOnConflict } from './revise.js'

export interface EdgeEnds {
  readonly owner: string
  readonly from: string
  readonly fromKind: NodeKind
  readonly to: string
  readonly toKind: NodeKind
  readonly type: string
}

/** One id per relation, so that two writers who make the same one at once make it once. */
const relationId = ({ owner, from, type, to }: EdgeEnds): string => `rel-${sha256([owner, from, type, to].join('\0')).slice(0, 32)}`

export const newEdge = (ends: EdgeEnds, properties: JsonObject, at: Instant): Edge => ({
  id: relationId(ends),
  ...ends,
  weight: 1,
  confidence: 1,
  trust: null,
  scope: 'local',
  properties,
  factId: null,
  createdAt: at,
  validUntil: null,
  version: 1,
})

export const isAutomatic = (edge: Edge): boolean => edge.properties.auto_linked === true

/** The relation that someone made between two nodes, whichever contract it came through. */
export async function findRelation(
  env: Environment,
  { owner, from, to, type }: Pick<EdgeEnds, 'owner' | 'from' | 'to' | 'type'>,
): Promise<Edge | undefined> {
  const edges = await env.backend.store.edges({ owner, from, to, types: [type], limit: 10 })
  return edges.find((edge) => !isAutomatic(edge) && edge.validUntil === null)
}

/** The change that makes a relation say these properties too, or nothing when it does already. */
export function relationChange(
  known: Edge | undefined,
  ends: EdgeEnds,
  properties: JsonObject,
  at: Instant,
): { readonly edge: Edge; readonly change?: Change } {
  if (known === undefined) {
    const edge = newEdge(ends, properties, at)
    return { edge, change: { op: 'edge.put', edge } }
  }
  const merged = { ...known.properties, ...properties }
  if (canonicalJson(merged) === canonicalJson(known.properties)) return { edge: known }
  const edge = { ...known, properties: merged, version: known.version + 1 }
  return { edge, change: { op: 'edge.put', edge } }
}

export const endsBetween = (from: MemoryNode, to: MemoryNode, type: string, owner: string): EdgeEnds => ({
  owner,
  from: idOf(from),
  fromKind: from.kind,
  to: idOf(to),
  toKind: to.kind,
  type,
})

/** Links two nodes. Doing it again changes nothing but the properties given. */
export function putRelation(
  env: Environment,
  actor: string,
  input: { readonly owner: string; readonly from: string; readonly to: string; readonly type: string; readonly properties: JsonObject },
): Promise<Edge> {
  return retryOnConflict(async () => {
    const nodes = await visibleNodes(env, [input.from, input.to], input.owner, env.clock.now())
    const from = nodes.find((node) => idOf(node) === input.from)
    const to = nodes.find((node) => idOf(node) === input.to)
    if (from === undefined) throw unknownNode(input.from)
    if (to === undefined) throw unknownNode(input.to)
    const ends = endsBetween(from, to, input.type, input.owner)
    const known = await findRelation(env, ends)
    const settled = relationChange(known, ends, input.properties, 0)
    if (settled.change === undefined) return settled.edge
    let edge = settled.edge
    await env.backend.store.commit(actor, (at) => {
      const made = relationChange(known, ends, input.properties, at)
      edge = made.edge
      return made.change === undefined ? [] : [made.change]
    })
    return edge
  })
}

/** Removes what leads from one node to another; answers how many relations there were. */
export function dropRelations(
  env: Environment,
  actor: string,
  input: { readonly owner: string; readonly from: string; readonly to: string; readonly type?: string | undefined },
): Promise<number> {
  return retryOnConflict(async () => {
    const { owner, from, to, type } = input
    const edges = await env.backend.store.edges({ owner, from, to, ...(type === undefined ? {} : { types: [type] }), limit: 1000 })
    if (edges.length > 0)
      await env.backend.store.commit(actor, () => edges.map((edge): Change => ({ op: 'edge.delete', id: edge.id, owner })))
    return edges.length
  })
}
