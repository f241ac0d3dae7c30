import { isJsonObject, type JsonObject } from '../../core/encoding/json.js'
import type { Instant } from '../../core/facts/fact.js'
import { isExpired, lifeOf } from '../../core/facts/lifecycle.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { entityKey } from '../../core/graph/names.js'
import { EXTRACTED_FROM, isSpelled, relationSpellings, toRelationType } from '../../core/graph/relation-type.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import { endsBetween, findExistingRelation, isSameRelation, relationChange } from '../edges/relations.js'
import { settleEntity } from '../entities/create-entity.js'
import { entityNamed, type MemoryNode, readNode, unknownNode } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'

export interface Triplet {
  readonly subject: Entity
  readonly object: Entity
  readonly edge: Edge
}

interface NewTriplet {
  readonly owner: string
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly metadata?: JsonObject | undefined
  /** The fact from which it was extracted. */
  readonly factId?: string | undefined
}

/** Two entities and their relation, in one commit. Repeating the call changes nothing. */
export function putTriplet(env: Environment, actor: string, input: NewTriplet): Promise<Triplet> {
  return retryOnConflict(async () => {
    const fact = input.factId === undefined ? undefined : await readNode(env, input.factId, input.owner)
    if (input.factId !== undefined && fact?.kind !== 'fact') throw unknownNode(input.factId)
    const subject = await entityNamed(env, input.subject, input.owner)
    const object = entityKey(input.object) === entityKey(input.subject) ? subject : await entityNamed(env, input.object, input.owner)
    const type = toRelationType(input.predicate)
    // Predicates without letters share one type; their wording distinguishes them.
    const wording = isSpelled(input.predicate) ? undefined : input.predicate.trim()
    const between = (from: MemoryNode, to: MemoryNode) => ({ ...endsBetween(from, to, type, input.owner), wording })
    const known =
      subject === undefined || object === undefined
        ? {}
        : await findExistingRelation(env, between(toNode(subject), toNode(object)), relationSpellings(input.predicate))
    const origin =
      fact === undefined || subject === undefined
        ? {}
        : await findExistingRelation(env, endsBetween(fact, toNode(subject), EXTRACTED_FROM, input.owner))
    let triplet: Triplet | undefined
    const { masked } = await env.store.commit({ actor, owners: [input.owner] }, (at) => {
      const ends = entitiesOf(env, actor, { input, subject, object }, at)
      const [from, to] = [toNode(ends.subject), toNode(ends.object)]
      const made = relationChange(known, between(from, to), propertiesOf(input, known.edge), at)
      const source = fact === undefined ? undefined : relationChange(origin, endsBetween(fact, from, EXTRACTED_FROM, input.owner), {}, at)
      triplet = { subject: ends.subject, object: ends.object, edge: made.edge }
      return [
        ...ends.changes,
        ...(made.change === undefined ? [] : [made.change]),
        ...(source?.change === undefined ? [] : [source.change]),
      ]
    })
    if (triplet === undefined) throw new MemoryError('internal', 'The triplet was not stored.')
    return masked === undefined ? triplet : storedTriplet(env, triplet)
  })
}

async function storedTriplet({ store }: Environment, { subject, object, edge }: Triplet): Promise<Triplet> {
  const entities = await store.entities([subject.id, object.id])
  const [stored] = await store.edgesById([edge.id])
  return {
    subject: entities.find(({ id }) => id === subject.id) ?? subject,
    object: entities.find(({ id }) => id === object.id) ?? object,
    edge: stored ?? edge,
  }
}

/** Keeps the first wording; metadata is merged. */
function propertiesOf(input: NewTriplet, known: Edge | undefined): JsonObject {
  const before = known?.properties.metadata
  const metadata = { ...(isJsonObject(before) ? before : {}), ...input.metadata }
  return {
    predicate: known === undefined ? input.predicate : (known.properties.predicate ?? known.type),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

const toNode = (entity: Entity): MemoryNode => ({ kind: 'entity', entity })

interface TripletEnds {
  readonly input: NewTriplet
  readonly subject: Entity | undefined
  readonly object: Entity | undefined
}

function entitiesOf(env: Environment, actor: string, { input, subject, object }: TripletEnds, asOf: Instant) {
  const changes: Change[] = []
  const settle = (known: Entity | undefined, text: string): Entity => {
    // A mention restores an expired entity and changes nothing else.
    const life = known === undefined ? undefined : lifeOf(known, asOf)
    const { entity, changes: made } = settleEntity(env, actor, known, { owner: input.owner, name: text, life }, asOf)
    changes.push(...made)
    return entity
  }
  const from = settle(subject, input.subject)
  const to =
    entityKey(input.subject) === entityKey(input.object) || (subject !== undefined && subject.id === object?.id)
      ? from
      : settle(object, input.object)
  return { subject: from, object: to, changes }
}

/** A stored triplet by the id of its relation. */
export async function tripletOf(env: Environment, edgeId: string): Promise<Triplet> {
  const [edge] = await env.store.edgesById([edgeId])
  const ends = edge === undefined ? [] : await env.store.entities([edge.from, edge.to])
  const subject = ends.find(({ id }) => id === edge?.from)
  const object = ends.find(({ id }) => id === edge?.to)
  if (edge === undefined || subject === undefined || object === undefined) throw unknownNode(edgeId)
  return { edge, subject, object }
}

interface TripletQuery {
  readonly owner: string
  readonly subject?: string | undefined
  readonly predicate?: string | undefined
  readonly object?: string | undefined
  readonly limit: number
}

/** Relations between entities by name, alias and predicate, oldest first. */
export async function findTriplets(env: Environment, query: TripletQuery): Promise<readonly Triplet[]> {
  const { owner } = query
  const subject = query.subject === undefined ? undefined : await entityNamed(env, query.subject, owner)
  const object = query.object === undefined ? undefined : await entityNamed(env, query.object, owner)
  if ((query.subject !== undefined && subject === undefined) || (query.object !== undefined && object === undefined)) return []
  const edges = await env.store.edges({
    owner,
    ...(subject === undefined ? {} : { from: subject.id }),
    ...(object === undefined ? {} : { to: object.id }),
    ...(query.predicate === undefined ? {} : { types: relationSpellings(query.predicate) }),
    betweenKinds: ['entity', 'entity'],
    limit: query.limit + 1000,
  })
  const now = env.clock.now()
  const entities = new Map(
    (await env.store.entities([...new Set(edges.flatMap((edge) => [edge.from, edge.to]))])).map((entity) => [entity.id, entity]),
  )
  return edges
    .flatMap((edge) => {
      const [from, to] = [entities.get(edge.from), entities.get(edge.to)]
      const there = from !== undefined && to !== undefined && !isExpired(from, now) && !isExpired(to, now) && edge.validUntil === null
      return there && (query.predicate === undefined || isSameRelation(edge, query.predicate)) ? [{ subject: from, object: to, edge }] : []
    })
    .slice(0, query.limit)
}
