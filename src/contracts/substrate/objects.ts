import { isJsonObject, type Json, type JsonObject } from '../../core/encoding/json.js'
import type { Fact } from '../../core/facts/fact.js'
import type { Source } from '../../core/facts/source.js'
import type { Entity } from '../../core/graph/entity.js'
import { claimEnds } from '../../core/substrate/objects/claim-ends.js'
import { factTypeOf, objectStatus, titleOf } from '../../core/substrate/objects/objects.js'
import { evidenceOf, isSingle, referenceFieldsOf, referencesOf } from '../../core/substrate/objects/references.js'
import { isGoverned } from '../../core/substrate/objects/stated-words.js'
import { headOf, type MemoryObject, ofEntity, ofSource } from '../../engine/substrate/objects/objects.js'
import { iso, isoOrNull } from './shapes.js'

export type WireObject = Readonly<Record<string, unknown>>

/** An object with all its fields, as named in this contract. */
export function toObject(object: MemoryObject): WireObject {
  if (object.type === 'source') return sourceObject(object.source)
  if (object.type === 'node') return nodeObject(object.entity)
  const { fact } = object
  if (object.type === 'activity') return activityObject(fact)
  return object.type === 'work_item' ? workItemObject(fact) : knowledgeObject(fact)
}

const times = (fact: Fact) => ({ created_at: iso(fact.recordedAt), updated_at: iso(fact.updatedAt) })

const governance = (fact: Fact) => ({ reason: fact.reason, memory_source: fact.origin, scope_refs: fact.scopes ?? [] })

const head = (fact: Fact) => ({ id: fact.id, kind: fact.kind, title: titleOf(fact), summary: fact.text, status: objectStatus(fact) })

/** Fields of an object that reference others, by its type. */
const references = (fact: Fact): WireObject =>
  Object.fromEntries(
    referenceFieldsOf(factTypeOf(fact)).map((field) => {
      const ids = referencesOf(fact, field)
      return [field, isSingle(field) ? (ids[0] ?? null) : ids]
    }),
  )

const knowledgeObject = (fact: Fact): WireObject => ({
  ...head(fact),
  identity_key: `knowledge|${fact.kind}|${titleOf(fact)}`.toLowerCase(),
  ...references(fact),
  evidence_refs: evidenceOf(fact),
  payload: payloadOf(fact),
  confidence: fact.confidence,
  valid_from: iso(fact.validFrom),
  valid_until: isoOrNull(fact.validUntil),
  last_verified_at: isoOrNull(fact.verifiedAt),
  ...governance(fact),
  conflicts_with: fact.conflicts ?? [],
  superseded_by: fact.supersededBy,
  ...times(fact),
})

/** The governance fields of knowledge are included in its metadata. */
function payloadOf(fact: Fact): JsonObject {
  const { metadata, object: _, ...details } = fact.details ?? {}
  const claim: JsonObject =
    fact.subject === null && fact.predicate === null ? {} : { subject: fact.subject, predicate: fact.predicate, ...claimEnds(fact) }
  const shownMetadata: Record<string, Json> = { ...fact.metadata, ...(isJsonObject(metadata) ? metadata : {}) }
  if (isGoverned(fact)) Object.assign(shownMetadata, { ...governance(fact), conflicts_with: fact.conflicts ?? [] })
  return { ...claim, ...details, metadata: shownMetadata }
}

const textOf = (fact: Fact, name: string): Json => fact.details?.[name] ?? null

const activityObject = (fact: Fact): WireObject => ({
  ...head(fact),
  started_at: iso(fact.eventAt),
  ended_at: textOf(fact, 'ended_at') ?? iso(Math.max(fact.eventAt, fact.recordedAt)),
  ...references(fact),
  ...governance(fact),
  ...times(fact),
})

const workItemObject = (fact: Fact): WireObject => ({
  ...head(fact),
  lifecycle_state: fact.status === 'active' ? 'active' : 'archived',
  priority: textOf(fact, 'priority') ?? 'medium',
  ...references(fact),
  resolution: textOf(fact, 'resolution'),
  due_at: textOf(fact, 'due_at'),
  opened_at: iso(fact.eventAt),
  ...governance(fact),
  ...times(fact),
})

function nodeObject(entity: Entity): WireObject {
  const { id, kind, title, status, summary, createdAt, updatedAt } = headOf(ofEntity(entity))
  const { identity_key, slug, ...metadata } = entity.metadata
  return {
    ...{ id, kind, name: title, slug: slug ?? null, identity_key: identity_key ?? entity.uri, aliases: entity.aliases, summary, status },
    ...{ metadata, created_at: iso(createdAt), updated_at: iso(updatedAt) },
  }
}

/** The part of a repository's index state that concerns readers. */
function repoMetadata({ adapter, freshness, node_id, index, patterns, skipped, masked }: JsonObject): WireObject {
  const { include = [], exclude = [], force = false } = isJsonObject(patterns) ? patterns : {}
  const repo_ingest = { index: index ?? null, include_patterns: include, exclude_patterns: exclude, force, skipped, masked }
  return {
    ...(adapter === undefined ? {} : { adapter }),
    ...(freshness === undefined ? {} : { freshness }),
    node_id: node_id ?? null,
    repo_ingest,
  }
}

function sourceObject(source: Source): WireObject {
  const { id, kind, title, status, createdAt, updatedAt } = headOf(ofSource(source))
  const { identity_key, content_type, origin, payload, summary: _, ...rest } = source.metadata
  const metadata = kind === 'repo' ? repoMetadata(rest) : rest
  return {
    ...{ id, kind, origin: isJsonObject(origin) ? origin : { path: source.origin }, title, identity_key: identity_key ?? source.origin },
    ...{ fingerprint: source.fingerprint, content_type: content_type ?? (kind === 'repo' ? 'repo_map' : 'text') },
    ...{ payload: isJsonObject(payload) ? payload : {}, metadata, status, created_at: iso(createdAt), updated_at: iso(updatedAt) },
  }
}
