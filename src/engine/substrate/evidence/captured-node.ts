import { canonicalJson, type JsonObject } from '../../../core/encoding/json.js'
import { slugify, stableId } from '../../../core/evidence/object-id.js'
import type { Instant } from '../../../core/facts/fact.js'
import type { Entity } from '../../../core/graph/entity.js'
import { CAPTURED_URI_PREFIX } from '../../../core/graph/names.js'
import type { Change } from '../../../core/journal/change.js'

/** A thing found in evidence, such as a document or a file of a repository. */
export interface CapturedNode {
  readonly owner: string
  readonly kind: string
  readonly name: string
  readonly summary: string
  /** Identifies it among those of its owner. */
  readonly identity: string
  readonly sourceId: string
  readonly aliases?: readonly string[]
  readonly more?: JsonObject
}

export const nodeId = ({ owner, identity }: Pick<CapturedNode, 'owner' | 'identity'>): string => stableId('node', `${owner}|${identity}`)

/** The change that updates the node; none if it is up to date. */
export function putNode(node: CapturedNode, known: Entity | undefined, now: Instant): readonly Change[] {
  const metadata: JsonObject = {
    ...node.more,
    source_id: node.sourceId,
    identity_key: node.identity,
    slug: slugify(node.name),
  }
  const aliases = [...new Set([...(known?.aliases ?? []), ...(node.aliases ?? [])])]
  const same =
    known?.aliases.length === aliases.length &&
    known.status === 'active' &&
    known.name === node.name &&
    known.type === node.kind &&
    known.description === node.summary &&
    canonicalJson(known.metadata) === canonicalJson(metadata)
  if (same) return []
  const entity: Entity = {
    id: nodeId(node),
    owner: node.owner,
    name: node.name,
    type: node.kind,
    description: node.summary,
    aliases,
    uri: `${CAPTURED_URI_PREFIX}${encodeURI(node.identity.replaceAll('|', '/'))}`,
    status: 'active',
    source: 'ingest',
    metadata,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
    expiresAt: null,
    ttlDays: null,
    version: (known?.version ?? 0) + 1,
  }
  return [{ op: 'entity.put', entity, reason: 'ingest' }]
}

/** The change that archives a node that is no longer in the evidence. */
export const archiveNode = (known: Entity, now: Instant): readonly Change[] =>
  known.status === 'archived'
    ? []
    : [
        {
          op: 'entity.put',
          entity: { ...known, status: 'archived', updatedAt: now, version: known.version + 1 },
          reason: 'no longer there',
        },
      ]
