import type { Instant } from '../core/facts/fact.js'

/** Where a page ended. It stays right when rows before it are deleted, as an offset does not; only the store reads it. */
export interface PageCursor {
  readonly at: Instant
  readonly key: number | string
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Where the next page begins; null after the last. */
  readonly next: PageCursor | null
}
