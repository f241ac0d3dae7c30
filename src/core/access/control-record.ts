import type { JsonObject } from '../encoding/json.js'
import type { Instant } from '../facts/fact.js'

/** Data stored with the memory: keys, gardens, decay policies, peers and settings. */
export const CONTROL_RECORD_KINDS = ['key', 'garden', 'policy', 'peer', 'settings'] as const
export type ControlRecordKind = (typeof CONTROL_RECORD_KINDS)[number]

/** The secret of a key is stored separately as a digest; neither journal nor export contains it. */
export interface ControlRecord {
  readonly kind: ControlRecordKind
  readonly id: string
  readonly owner: string
  /** Unique per kind and owner, for peers per kind; null without a name. */
  readonly name: string | null
  readonly data: JsonObject
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}
