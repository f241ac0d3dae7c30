import { sha256 } from '../../encoding/hash.js'
import { isJsonObject, type Json, type JsonObject } from '../../encoding/json.js'
import type { Fact, Instant } from '../../facts/fact.js'
import type { Edge, NodeKind } from '../../graph/edge.js'
import { claimEnds } from './claim-ends.js'
import { type FactType, factTypeOf, type ObjectType, typeOfId } from './objects.js'

interface ReferenceField {
  readonly of: readonly FactType[]
  /** The relation in the graph; null if the reference need not be an object. */
  readonly relation: string | null
  /** At most one id. */
  readonly single?: true
}

/** Fields by which a fact refers to other objects. Edges, filters, checks and repairs are derived from this table. */
const REFERENCE_FIELDS = {
  subject_refs: { of: ['knowledge'], relation: 'subject' },
  related_node_refs: { of: ['activity', 'work_item'], relation: 'related_node' },
  related_work_item_refs: { of: ['activity'], relation: 'related_work_item' },
  related_knowledge_refs: { of: ['work_item'], relation: 'related_knowledge' },
  source_refs: { of: ['activity', 'work_item'], relation: 'source' },
  produced_object_refs: { of: ['activity'], relation: 'produced_object' },
  artifact_refs: { of: ['activity'], relation: null },
  owner_refs: { of: ['work_item'], relation: 'owner' },
  depends_on: { of: ['work_item'], relation: 'depends_on' },
  blocked_by: { of: ['work_item'], relation: 'blocked_by' },
  parent_ref: { of: ['work_item'], relation: 'parent', single: true },
  child_refs: { of: ['work_item'], relation: 'child' },
} as const satisfies Readonly<Record<string, ReferenceField>>

export type ReferenceName = keyof typeof REFERENCE_FIELDS
const FIELDS: Readonly<Record<ReferenceName, ReferenceField>> = REFERENCE_FIELDS
const isReferenceName = (name: string): name is ReferenceName => Object.hasOwn(FIELDS, name)

export const referenceFieldsOf = (type: FactType): readonly ReferenceName[] =>
  Object.keys(FIELDS).flatMap((name) => (isReferenceName(name) && FIELDS[name].of.includes(type) ? [name] : []))

export const isSingle = (name: ReferenceName): boolean => FIELDS[name].single === true
export const relationOf = (name: ReferenceName): string | null => FIELDS[name].relation

const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []

export const referencesOf = ({ references }: Pick<Fact, 'references'>, field: ReferenceName): readonly string[] =>
  texts(references?.[field])

/** A citation: a passage of a source, as it was when cited. */
export interface EvidenceRef {
  readonly source_id: string
  readonly segment_id: string
  readonly locator?: JsonObject
  readonly hash?: string
}

const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

export function evidenceOf({ evidence }: Pick<Fact, 'evidence'>): readonly EvidenceRef[] {
  const list: readonly Json[] = Array.isArray(evidence) ? evidence : []
  return list.flatMap((entry) => {
    if (!isJsonObject(entry)) return []
    const source_id = textOf(entry.source_id)
    const segment_id = textOf(entry.segment_id)
    if (source_id === undefined || segment_id === undefined) return []
    const hash = textOf(entry.hash)
    return [
      {
        source_id,
        segment_id,
        ...(isJsonObject(entry.locator) ? { locator: entry.locator } : {}),
        ...(hash === undefined ? {} : { hash }),
      },
    ]
  })
}

type Derivation = 'canonical_relation' | 'field_reference' | 'evidence_ref' | 'structured_payload'

/** A relation that follows from a reference field. */
export interface Reference {
  readonly from: string
  readonly to: string
  readonly relation: string
  readonly derivation: Derivation
  readonly field: string
}

/** Only texts with a colon can be ids. */
export const looksLikeId = (text: string): boolean => text.includes(':')

/** All relations that follow from the fields of a fact, each once. */
export function relationsOf(fact: Fact): readonly Reference[] {
  const found: Reference[] = []
  for (const field of referenceFieldsOf(factTypeOf(fact))) {
    const relation = FIELDS[field].relation
    if (relation === null) continue
    for (const to of referencesOf(fact, field)) found.push({ from: fact.id, to, relation, derivation: 'field_reference', field })
  }
  for (const { source_id } of evidenceOf(fact))
    found.push({ from: fact.id, to: source_id, relation: 'evidence', derivation: 'evidence_ref', field: 'evidence_refs' })
  const { object } = claimEnds(fact)
  const subject = fact.subject ?? referencesOf(fact, 'subject_refs')[0]
  if (fact.predicate !== null && subject !== undefined && typeof object === 'string' && looksLikeId(object))
    found.push({ from: subject, to: object, relation: fact.predicate, derivation: 'structured_payload', field: 'payload.object' })
  const keyOf = ({ from, relation, to }: Reference): string => `${from}\0${relation}\0${to}`
  return [...new Map(found.map((reference) => [keyOf(reference), reference])).values()]
}

/** The object behind an id. */
export interface KnownEnd {
  readonly kind: NodeKind
  readonly type: ObjectType
}

const KIND_OF: Readonly<Record<ObjectType, NodeKind>> = {
  source: 'source',
  node: 'entity',
  knowledge: 'fact',
  activity: 'fact',
  work_item: 'fact',
}

/** The kind of endpoint by the form of the id; undefined until it is looked up. */
const endOfId = (id: string): KnownEnd | undefined => {
  const type = typeOfId(id)
  return type === undefined ? undefined : { type, kind: KIND_OF[type] }
}

const FIELD_EDGE = 'ref-'

/** True if an edge follows from a reference field. */
export const isFieldEdge = ({ id }: Pick<Edge, 'id'>): boolean => id.startsWith(FIELD_EDGE)

const UNKNOWN_END: KnownEnd = { kind: 'entity', type: 'node' }

/** Endpoints whose kind is not known from their ids. */
export const findUnresolvedEndpoints = (fact: Fact): readonly string[] => [
  ...new Set(relationsOf(fact).flatMap(({ from, to }) => [from, to].filter((id) => id !== fact.id && endOfId(id) === undefined))),
]

/** The edges that follow from a fact's fields. They are deleted with it and recomputed when it changes. */
export function fieldEdges(fact: Fact, asOf: Instant, known: ReadonlyMap<string, KnownEnd>): readonly Edge[] {
  const own: KnownEnd = { kind: 'fact', type: factTypeOf(fact) }
  const endOf = (id: string): KnownEnd => (id === fact.id ? own : (endOfId(id) ?? known.get(id) ?? UNKNOWN_END))
  return relationsOf(fact).map((reference) => ({
    id: `${FIELD_EDGE}${sha256([fact.id, reference.from, reference.relation, reference.to].join('\0')).slice(0, 32)}`,
    owner: fact.owner,
    from: reference.from,
    fromKind: endOf(reference.from).kind,
    to: reference.to,
    toKind: endOf(reference.to).kind,
    type: reference.relation,
    weight: 1,
    confidence: 1,
    trust: null,
    scope: fact.scope,
    properties: { relation_schema: relationSchema(reference, fact, endOf(reference.from).type, endOf(reference.to).type) },
    factId: fact.id,
    createdAt: asOf,
    validUntil: null,
    version: 1,
  }))
}

/** The schema of a relation, in published terms. */
const relationSchema = (reference: Reference, fact: Fact, from: ObjectType, to: ObjectType): JsonObject => ({
  version: 1,
  derivation: reference.derivation,
  origin_object_type: factTypeOf(fact),
  origin_object_id: fact.id,
  origin_field: reference.field,
  source_object_type: from,
  target_object_type: to,
})

/** True if the edges of a fact stay the same after a change. */
export const sameRelations = (a: Fact, b: Fact): boolean =>
  JSON.stringify([relationsOf(a), a.scope]) === JSON.stringify([relationsOf(b), b.scope])
