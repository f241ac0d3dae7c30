import type { JsonObject } from '../encoding/json.js'
import type { FactStatus, Instant } from './fact.js'

/** Captured evidence: a repository, file, page, PDF or conversation. */
export interface Source {
  readonly id: string
  readonly owner: string
  readonly kind: string
  readonly title: string
  /** Where it was read: a path or URL. */
  readonly origin: string
  /** Of its content, where whoever read it has made one. */
  readonly fingerprint: string
  /** Its life; how far its index is stands in the metadata. */
  readonly status: FactStatus
  readonly metadata: JsonObject
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

/** A piece of a source; a code chunk is a passage. Lines are 1-based and inclusive. */
export interface Passage {
  readonly id: string
  readonly owner: string
  readonly sourceId: string
  readonly path: string
  readonly ordinal: number
  readonly text: string
  readonly kind: string
  readonly language: string | null
  readonly name: string | null
  /** Enclosing names, outermost first, as `a.b`. */
  readonly scopePath: string | null
  readonly startLine: number
  readonly endLine: number
  /** Where it stands in a source that has no lines: a page, a heading, a message. */
  readonly locator?: JsonObject
  readonly hash: string
  /** What is embedded in place of the text. */
  readonly embedText: string
  /** The words it is found by and its first vector, where whoever read it has made them already. */
  readonly terms?: Uint8Array
  readonly rough?: Uint8Array
}
