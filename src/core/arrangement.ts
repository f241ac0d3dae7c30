import type { Instant } from './fact.js'
import type { JsonObject } from './json.js'

/** What someone has arranged about a memory beside what is in it: who may come in, where, by which rules and with whom it exchanges facts. */
export const ARRANGEMENT_KINDS = ['key', 'garden', 'policy', 'peer', 'settings'] as const
export type ArrangementKind = (typeof ARRANGEMENT_KINDS)[number]

/** A secret that belongs to one is kept apart, as a digest: neither journal nor export ever holds it. */
export interface Arrangement {
  readonly kind: ArrangementKind
  readonly id: string
  readonly owner: string
  /** One name per kind and owner; null where it needs none. */
  readonly name: string | null
  readonly data: JsonObject
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}
