import { sha1 } from '../../../core/encoding/hash.js'
import type { JsonObject } from '../../../core/encoding/json.js'
import { isCurrentStatus } from '../../../core/facts/validity.js'
import type { Edge } from '../../../core/graph/edge.js'
import type { Environment } from '../../environment.js'
import { loadObjects, type MemoryObject, ofFact } from './objects.js'

/** A relation of an object in the form that readers get from every source. */
export interface Relation {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly relation: string
  readonly payload: JsonObject
}

export interface ObjectNeighbourhood {
  readonly root: MemoryObject
  readonly relations: readonly Relation[]
  /** Endpoints of the returned relations, including the root. */
  readonly objects: ReadonlyMap<string, MemoryObject>
}

const relationName = (from: string, type: string, to: string): string => `rel:${sha1([from, type, to].join('\0'))}`

export const relationId = ({ from, type, to }: Edge): string => relationName(from, type, to)

/** References from and to an object; undefined if it does not exist. */
export async function aroundObject(env: Environment, id: string, owner: string, limit: number): Promise<ObjectNeighbourhood | undefined> {
  const root = (await loadObjects(env, [id], owner)).get(id)
  if (root === undefined) return undefined
  const edges = await env.store.edges({ owner, nodes: [id], stated: true, limit: 2 * limit })
  const stated = [...new Map(edges.map((edge) => [relationId(edge), edge])).values()].slice(0, limit)
  const objects = await loadObjects(env, [...new Set([id, ...stated.flatMap(({ from, to }) => [from, to])])], owner)
  return { root, objects, relations: stated.map((edge) => toRelation(edge, objects)) }
}

interface Referrers {
  readonly relations: readonly Relation[]
  readonly objects: ReadonlyMap<string, MemoryObject>
}

/** Relations to an id or name without an object; undefined if there are none. */
export async function findReferrers(env: Environment, name: string, owner: string, limit: number): Promise<Referrers | undefined> {
  const edges = await env.store.edges({ owner, nodes: [name], stated: true, limit })
  const claims = await env.store.listFacts({ owner, subject: name, limit, offset: 0 })
  const objects = new Map([
    ...(await loadObjects(env, [...new Set(edges.flatMap(({ from, to }) => [from, to]))], owner)),
    ...claims.filter(({ status }) => isCurrentStatus(status)).map((fact): [string, MemoryObject] => [fact.id, ofFact(fact)]),
  ])
  const known = new Set(edges.map(({ from }) => from))
  const claimed = claims
    .filter(({ id }) => objects.has(id) && !known.has(id))
    .map(({ id }) => ({ id: relationName(id, 'subject', name), from: id, to: name, relation: 'subject', payload: {} }))
  const relations = [...edges.map((edge) => toRelation(edge, objects)), ...claimed].slice(0, limit)
  return relations.length === 0 ? undefined : { relations, objects }
}

export function toRelation(edge: Edge, objects: ReadonlyMap<string, MemoryObject>): Relation {
  const { from, to, type: relation } = edge
  const typeOf = (id: string): string => objects.get(id)?.type ?? 'node'
  const made: JsonObject = {
    relation_schema: {
      version: 1,
      derivation: 'canonical_relation',
      origin_object_type: 'relation',
      origin_object_id: edge.id,
      origin_field: 'relation',
      source_object_type: typeOf(from),
      target_object_type: typeOf(to),
    },
  }
  const payload = edge.properties.relation_schema === undefined ? { ...edge.properties, ...made } : edge.properties
  return { id: relationId(edge), from, to, relation, payload }
}
