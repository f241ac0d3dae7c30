import type { Instant } from '../core/facts/fact.js'

/** A deleted fact, kept outside the store for a while. */
export interface TrashEntry {
  readonly id: string
  readonly owner: string
  readonly text: string
  readonly deletedAt: Instant
  /** When its contents are overwritten. */
  readonly until: Instant
  /** The fact and its explicit edges, as lines of an export. */
  readonly lines: readonly string[]
}

/** Deleted facts of this machine. They are in no backup, export or read of the store. */
export interface Trash {
  /** On disk when it resolves. */
  put(entry: TrashEntry): Promise<void>
  /** Latest deletion first. */
  list(): Promise<readonly TrashEntry[]>
  /** Overwrites the contents and removes them. */
  erase(ids: readonly string[]): Promise<void>
}
