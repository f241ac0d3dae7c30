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
  /** Fingerprint of its content, if the reader computed one. */
  readonly fingerprint: string
  /** Its lifecycle; the indexing progress is in the metadata. */
  readonly status: FactStatus
  readonly metadata: JsonObject
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

/** A stored chunk of a source. Lines are 1-based and inclusive. */
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
  /** Position in a source without lines: a page, a heading, a message. */
  readonly locator?: JsonObject
  readonly hash: string
  /** The text to embed instead of `text`. */
  readonly embedText: string
  /** Packed terms and rough vector, if the reader computed them. */
  readonly terms?: Uint8Array
  readonly rough?: Uint8Array
}
