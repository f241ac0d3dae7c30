import { z } from 'zod'
import type { Instant } from '../../core/facts/fact.js'
import { lifeOf } from '../../core/facts/lifecycle.js'
import type { Edge } from '../../core/graph/edge.js'
import { isProvisional } from '../../core/recall/provisional.js'
import { noLaterThan } from '../../core/time/instants.js'
import type { Context } from '../../engine/context.js'
import type { MemoryNode } from '../../engine/entities/nodes.js'

/** Absent and null are equivalent in this contract. */
export const nullToUndefined = <T>(value: T | null | undefined): T | undefined => value ?? undefined

export const ownerId = z.string().nullish()
export const nodeId = z.string()
/** Any JSON object; the recursive JSON schema would cost tokens. */
export const object = z.record(z.string(), z.json()).nullish().meta({ wire: 'object' })

/** Accepts any number and clamps it to the bounds. */
export const clamped = (fallback: number) =>
  z
    .int()
    .nullish()
    .transform((value) => value ?? fallback)
    .meta({ wire: 'integer' })

/** A node schema would be repeated in eight listings; clients read the fields from the results. */
const node = z.record(z.string(), z.unknown())
export const nodeAnswer = z.object({ success: z.boolean(), node })
export const nodeList = z.array(node)

export const toMilliseconds = (instant: Instant | null): number | null => (instant === null ? null : Math.floor(instant / 1000))

/** Stored type of entities without a type. */
const UNKNOWN_TYPE = 'unknown'

/** This contract does not distinguish MCP clients. */
const toSource = (source: string): string => (source.startsWith('mcp:') ? 'mcp' : source)

export function toNode(node: MemoryNode, asOf: Instant): Record<string, unknown> {
  const { id, owner, metadata, ttlDays, expiresAt, source } = node.kind === 'fact' ? node.fact : node.entity
  const own =
    node.kind === 'fact'
      ? {
          text: node.fact.text,
          status: lifeOf(node.fact, asOf),
          created_at: toMilliseconds(noLaterThan(node.fact.recordedAt, asOf)),
          last_dedup_at: toMilliseconds(node.fact.dedupAt),
          ...(isProvisional(node.fact) ? { fact_status: node.fact.status } : {}),
        }
      : {
          text: node.entity.name,
          type: node.entity.type === UNKNOWN_TYPE ? null : node.entity.type,
          status: lifeOf(node.entity, asOf),
          created_at: toMilliseconds(noLaterThan(node.entity.createdAt, asOf)),
          last_dedup_at: null,
        }
  return {
    id,
    node_id: id,
    node_type: node.kind === 'fact' ? 'Fact' : 'Entity',
    ...own,
    owner_id: owner,
    source: toSource(source),
    metadata,
    ttl_days: ttlDays,
    expires_at: toMilliseconds(expiresAt),
  }
}

export const answerNode = (context: Context, node: MemoryNode): { success: boolean; node: Record<string, unknown> } => ({
  success: true,
  node: toNode(node, context.clock.now()),
})

export const toEdge = (edge: Edge): Record<string, unknown> => ({
  from_id: edge.from,
  to_id: edge.to,
  relation_type: edge.type,
  properties: edge.properties,
})

export const roundSimilarity = (cosine: number): number => Math.round(cosine * 1e6) / 1e6
