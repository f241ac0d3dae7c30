import type { JsonObject } from '../encoding/json.js'
import type { Instant, Scope } from '../facts/fact.js'

export type NodeKind = 'fact' | 'entity' | 'source' | 'passage'

/** A typed, directed, weighted link between any two nodes of one owner. */
export interface Edge {
  readonly id: string
  readonly owner: string
  readonly from: string
  readonly fromKind: NodeKind
  readonly to: string
  readonly toKind: NodeKind
  readonly type: string
  readonly weight: number
  readonly confidence: number
  readonly trust: number | null
  readonly scope: Scope
  readonly properties: JsonObject
  /** The fact this edge was derived from, if any. The edge is deleted with it. */
  readonly factId: string | null
  readonly createdAt: Instant
  readonly validUntil: Instant | null
  readonly version: number
}
