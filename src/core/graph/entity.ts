import type { JsonObject } from '../encoding/json.js'
import type { FactStatus, Instant } from '../facts/fact.js'

/** A named thing that facts are about. Name and aliases are unique per owner, ignoring case and spacing. */
export interface Entity {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly type: string
  readonly description: string | null
  readonly aliases: readonly string[]
  readonly uri: string | null
  readonly status: FactStatus
  readonly source: string
  readonly metadata: JsonObject
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant | null
  readonly ttlDays: number | null
  readonly version: number
}
