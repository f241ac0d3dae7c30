import type { Fact, Instant } from '../../../core/facts/fact.js'
import { isGone } from '../../../core/facts/lifecycle.js'
import type { Source } from '../../../core/facts/source.js'
import type { Entity } from '../../../core/graph/entity.js'
import { type FactType, factTypeOf, type ObjectType, objectStatus, titleOf } from '../../../core/substrate/objects/objects.js'
import { relationsOf } from '../../../core/substrate/objects/references.js'
import type { Environment } from '../../environment.js'

/** Anything with an id: a source, a node, or a fact as knowledge, activity or work item. */
export type MemoryObject =
  | { readonly type: 'source'; readonly id: string; readonly source: Source }
  | { readonly type: 'node'; readonly id: string; readonly entity: Entity }
  | { readonly type: FactType; readonly id: string; readonly fact: Fact }

export const ofFact = (fact: Fact): MemoryObject => ({ type: factTypeOf(fact), id: fact.id, fact })
export const ofEntity = (entity: Entity): MemoryObject => ({ type: 'node', id: entity.id, entity })
export const ofSource = (source: Source): MemoryObject => ({ type: 'source', id: source.id, source })

/** The objects of one owner with these ids. */
export async function loadObjects(env: Environment, ids: readonly string[], owner: string): Promise<ReadonlyMap<string, MemoryObject>> {
  const { store } = env
  const found = new Map<string, MemoryObject>()
  const missing = (): readonly string[] => ids.filter((id) => !found.has(id))
  const keep = (objects: readonly MemoryObject[]): void => {
    for (const object of objects) found.set(object.id, object)
  }
  const now = env.clock.now()
  const isTheirs = (object: { readonly owner: string }): boolean => object.owner === owner
  /** Expired objects are excluded from every read. */
  const isThere = (object: Fact | Entity): boolean => isTheirs(object) && !isGone(object, now)
  if (ids.length > 0) keep((await store.facts(ids)).filter(isThere).map(ofFact))
  if (missing().length > 0) keep((await store.entities(missing())).filter(isThere).map(ofEntity))
  if (missing().length > 0) keep((await store.sources(missing())).filter(isTheirs).map(ofSource))
  return found
}

/** The fields common to all kinds of objects. */
interface ObjectHead {
  readonly type: ObjectType
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly status: string
  readonly summary: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const nodeStatus = ({ status }: Entity): string => (status === 'active' ? 'active' : status === 'superseded' ? 'merged' : 'archived')
const sourceStatus = ({ status }: Source): string => (status === 'active' || status === 'archived' ? status : 'invalid')

export function headOf(object: MemoryObject): ObjectHead {
  const { type, id } = object
  if (object.type === 'source') {
    const { kind, title, metadata, createdAt, updatedAt } = object.source
    const summary = typeof metadata.summary === 'string' ? metadata.summary : ''
    return { type, id, kind, title, status: sourceStatus(object.source), summary, createdAt, updatedAt }
  }
  if (object.type === 'node') {
    const { type: kind, name, description, createdAt, updatedAt } = object.entity
    return { type, id, kind, title: name, status: nodeStatus(object.entity), summary: description ?? '', createdAt, updatedAt }
  }
  const { fact } = object
  const [createdAt, updatedAt] = [fact.recordedAt, fact.updatedAt]
  return { type, id, kind: fact.kind, title: titleOf(fact), status: objectStatus(fact), summary: fact.text, createdAt, updatedAt }
}

/** Conditions on objects; absent ones do not apply. */
export interface ObjectFilters {
  readonly types?: readonly string[] | undefined
  readonly kinds?: readonly string[] | undefined
  readonly statuses?: readonly string[] | undefined
  /** These nodes and all objects that refer to one of them. */
  readonly nodeIds?: readonly string[] | undefined
  readonly sourceIds?: readonly string[] | undefined
}

export function matchesFilters(object: MemoryObject, filters: ObjectFilters): boolean {
  const { types, kinds, statuses, nodeIds, sourceIds } = filters
  const head = headOf(object)
  const oneOf = (list: readonly string[] | undefined, value: string): boolean => list === undefined || list.includes(value)
  if (!oneOf(types, head.type) || !oneOf(kinds, head.kind) || !oneOf(statuses, head.status)) return false
  if (nodeIds === undefined && sourceIds === undefined) return true
  const refers = new Set([object.id, ...refersTo(object)])
  const meets = (list: readonly string[] | undefined): boolean => list === undefined || list.some((id) => refers.has(id))
  return meets(nodeIds) && meets(sourceIds)
}

/** The ids referenced by an object. */
export function refersTo(object: MemoryObject): readonly string[] {
  if (object.type === 'source') return []
  if (object.type === 'node') return typeof object.entity.metadata.source_id === 'string' ? [object.entity.metadata.source_id] : []
  const named = relationsOf(object.fact).flatMap(({ from, to }) => [from, to])
  return [...named, ...(object.fact.subject === null ? [] : [object.fact.subject])]
}
