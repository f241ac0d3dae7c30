import { sha256 } from '../../core/encoding/hash.js'
import { canonicalJson, type JsonObject } from '../../core/encoding/json.js'
import type { Instant } from '../../core/facts/fact.js'
import type { Edge, NodeKind } from '../../core/graph/edge.js'
import { isSpelled, relationSpellings } from '../../core/graph/relation-type.js'
import { checkText } from '../../core/input/input.js'
import type { Change } from '../../core/journal/change.js'
import { isFieldEdge } from '../../core/substrate/objects/references.js'
import type { MemoryError } from '../../errors.js'
import { findNamed, idOf, type MemoryNode, unknownNode, visibleNodes } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'

interface EdgeEnds {
  readonly owner: string
  readonly from: string
  readonly fromKind: NodeKind
  readonly to: string
  readonly toKind: NodeKind
  readonly type: string
  /** Distinguishes relations of one type with different meanings. */
  readonly wording?: string | undefined
}

/** One id per relation, so that concurrent writers of the same relation create it once. */
const relationId = ({ owner, from, type, to, wording }: EdgeEnds): string =>
  `rel-${sha256([owner, from, type, to, ...(wording === undefined ? [] : [wording])].join('\0')).slice(0, 32)}`

export const newEdge = ({ wording, ...ends }: EdgeEnds, properties: JsonObject, now: Instant): Edge => ({
  id: relationId({ ...ends, wording }),
  ...ends,
  weight: 1,
  confidence: 1,
  trust: null,
  scope: 'local',
  properties: ownProperties(properties),
  factId: null,
  createdAt: now,
  validUntil: null,
  version: 1,
})

export const isAutomatic = (edge: Edge): boolean => edge.properties.auto_linked === true || isFieldEdge(edge)

/** Removes the marks of automatic edges: a copied edge is explicit. */
function ownProperties(properties: JsonObject): JsonObject {
  const { auto_linked: _, ...own } = properties
  return own
}

/** Relations whose predicates are symbols share a type and are distinguished by their wording. */
export function isSameRelation(edge: Edge, predicate: string): boolean {
  const worded = typeof edge.properties.predicate === 'string' ? edge.properties.predicate.trim() : edge.type
  return isSpelled(worded) ? isSpelled(predicate) : worded === predicate.trim()
}

interface RelationQuery {
  readonly owner: string
  readonly from: string
  readonly to: string
  /** In order of preference. */
  readonly types: readonly string[]
  readonly wording?: string | undefined
}

/** The explicit relation between two nodes, from any contract. */
async function findRelation(env: Environment, query: RelationQuery): Promise<Edge | undefined> {
  const { owner, from, to, types, wording } = query
  const edges = (await env.store.edges({ owner, from, to, types, limit: 1000 })).filter(
    (edge) => !isAutomatic(edge) && edge.validUntil === null && isSameRelation(edge, wording ?? edge.type),
  )
  return types.flatMap((type) => edges.filter((edge) => edge.type === type))[0]
}

/** What exists of a relation before it is created. */
export interface ExistingRelation {
  readonly edge?: Edge | undefined
  /** Its own id, if the usual one belongs to a relation that has moved since. */
  readonly id?: string | undefined
}

export async function findExistingRelation(
  env: Environment,
  ends: EdgeEnds,
  types: readonly string[] = [ends.type],
): Promise<ExistingRelation> {
  const edge = await findRelation(env, { ...ends, types })
  if (edge !== undefined) return { edge }
  const [other] = await env.store.edgesById([relationId(ends)])
  return other === undefined ? {} : { id: env.ids.mint() }
}

/** The change that gives a relation these properties; none if it has them. */
export function relationChange(
  { edge: known, id }: ExistingRelation,
  ends: EdgeEnds,
  properties: JsonObject,
  now: Instant,
): { readonly edge: Edge; readonly change?: Change } {
  if (known === undefined) {
    const made = newEdge(ends, properties, now)
    const edge = id === undefined ? made : { ...made, id }
    return { edge, change: { op: 'edge.put', edge } }
  }
  const merged = { ...known.properties, ...ownProperties(properties) }
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

/** Links two nodes. Repeating the call only updates the given properties. */
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
    const known = await findExistingRelation(env, ends)
    const settled = relationChange(known, ends, input.properties, 0)
    if (settled.change === undefined) return settled.edge
    let edge = settled.edge
    const { masked } = await env.store.commit({ actor, owners: [input.owner] }, (at) => {
      const made = relationChange(known, ends, input.properties, at)
      edge = made.edge
      return made.change === undefined ? [] : [made.change]
    })
    return masked === undefined ? edge : ((await env.store.edgesById([edge.id]))[0] ?? edge)
  })
}

interface NewRelation {
  /** Ids or names of entities. */
  readonly from: string
  readonly to: string
  readonly type: string
  readonly owner?: string | undefined
  readonly weight: number
}

const MAX_TYPE_BYTES = 1000

/** Adds a relation between two nodes of one owner. Repeating the call adds another one. */
export async function relate(
  env: Environment,
  actor: string,
  input: NewRelation,
  options: { readonly unknown: (id: string) => MemoryError },
): Promise<Edge> {
  checkText(input.type, 'relation_type', MAX_TYPE_BYTES)
  // If an endpoint was deleted concurrently, the retry reports it as unknown.
  return retryOnConflict(async () => {
    const from = await findNamed(env, input.from, input.owner)
    if (from === undefined) throw options.unknown(input.from)
    const to = await findNamed(env, input.to, from.owner)
    if (to === undefined) throw options.unknown(input.to)
    const ends = { owner: from.owner, from: from.id, fromKind: from.kind, to: to.id, toKind: to.kind, type: input.type }
    const id = env.ids.mint()
    const edgeAt = (at: Instant): Edge => ({ ...newEdge(ends, {}, at), id, weight: input.weight })
    const { at } = await env.store.commit({ actor, owners: [ends.owner] }, (now) => [{ op: 'edge.put', edge: edgeAt(now) }])
    return edgeAt(at)
  })
}

/** Removes the relations from one node to another, of one type in any spelling or of all types; returns their number. */
export function dropRelations(
  env: Environment,
  actor: string,
  input: { readonly owner: string; readonly from: string; readonly to: string; readonly type?: string | undefined },
): Promise<number> {
  return retryOnConflict(async () => {
    const { owner, from, to, type } = input
    const types = type === undefined ? {} : { types: relationSpellings(type) }
    const edges = await env.store.edges({ owner, from, to, ...types, limit: 1000 })
    if (edges.length > 0)
      await env.store.commit({ actor, owners: [owner] }, () => edges.map((edge): Change => ({ op: 'edge.delete', id: edge.id, owner })))
    return edges.length
  })
}
