import type { JsonObject } from '../encoding/json.js'
import type { Instant } from '../facts/fact.js'

/** What someone has arranged about a memory beside what is in it: who may come in, where, by which rules and with whom it exchanges facts. */
export const CONTROL_RECORD_KINDS = ['key', 'garden', 'policy', 'peer', 'settings'] as const
export type ControlRecordKind = (typeof CONTROL_RECORD_KINDS)[number]

/** A secret that belongs to one is kept apart, as a digest: neither journal nor export ever holds it. */
export interface ControlRecord {
  readonly kind: ControlRecordKind
  readonly id: string
  readonly owner: string
  /** One name per kind and owner; null where it needs none. */
  readonly name: string | null
  readonly data: JsonObject
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}
