import type { AccessFilter } from '../core/access/access-filter.js'
import type { Instant } from '../core/facts/fact.js'
import type { EmbeddingBacklog } from './backlog.js'
import type { CodeIndex } from './code-index.js'
import type { Deliveries } from './deliveries.js'
import type { GraphIndex } from './graph-index.js'
import type { Jobs } from './jobs.js'
import type { Statements } from './statements.js'
import type { Store } from './store.js'
import type { View } from './view.js'

export interface Finding {
  readonly severity: 'error' | 'warning'
  readonly what: string
  /** What to do about it. */
  readonly remedy: string
}

/** Rows with instants after a given one. */
export interface FutureDated {
  readonly facts: readonly string[]
  readonly entities: readonly string[]
  readonly edges: readonly string[]
}

/** The result of compaction. */
export interface CompactionResult {
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Journal entries that retention cleared or removed. */
  readonly entries: number
}

/** Diagnosis and repair. */
interface Repairs {
  /** Compares rows, journal and indexes. Changes nothing. */
  diagnose(): Promise<readonly Finding[]>
  /** At most `limit` future-dated rows of each kind; of facts also inconsistent ones. */
  ahead(than: Instant, limit: number): Promise<FutureDated>
  /**
   * Corrects the instants of future-dated journal entries from their neighbours, and those of derived rows. Returns the number of entries.
   */
  redateJournal(now: Instant): Promise<number>
  /** Accepts a store from which acknowledged changes are missing. False if no loss was known. */
  acceptLoss(): Promise<boolean>
}

/** Long maintenance, in pages, with progress. */
export interface Maintenance extends Repairs {
  /** Rebuilds mentions and derived links from the facts. Returns the number of facts. */
  relink(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number>
  /** Rebuilds the stored terms of every fact. */
  reterm(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number>
  /** Reclaims free space. `full` rewrites the file, which blocks other writers. */
  compact(full: boolean, progress: (message: string) => void, signal: AbortSignal): Promise<CompactionResult>
  /** A consistent copy while the store is in use. */
  backup(target: string): Promise<void>
  /** A backup next to the store, under a new name, which is returned; null without a file. */
  keepCopy(): Promise<string | null>
}

/** The ports through which use cases reach a database; a context carries them restricted to its principal. */
export interface StoragePorts {
  readonly store: Store
  readonly graph: GraphIndex
  readonly code: CodeIndex
  readonly backlog: EmbeddingBacklog
  readonly jobs: Jobs
  readonly statements: Statements
  readonly deliveries: Deliveries
  readonly maintenance: Maintenance
  /** Location of the store, for messages. */
  readonly location: string
  /** Opens a view of one owner's facts, or of all, restricted to an access filter. */
  view(owner: string | undefined, reach?: AccessFilter): Promise<View>
  /** Restricted to one principal: global counts and process state are hidden. */
  readonly isRestricted?: boolean
  /** The store is read-only: every write is rejected. */
  readonly readOnly: boolean
  /** Why nothing can be stored at present, with the remedy; undefined if no problem is known. */
  problem(): Promise<string | undefined>
  memoryBytes(): number
}

export interface WarmOptions {
  /** The owner whose shard is loaded first, whatever its size. */
  readonly first: string
  /** Shards of other owners are loaded, one at a time, while all shards take less than this. */
  readonly maxBytes: number
  /** Called before each of them; resolves when the process is idle, to false when no more may be loaded. */
  untilIdle(): Promise<boolean>
}

/** An open database; one factory per technology. */
export interface Backend extends StoragePorts {
  /** True after a commit with unknown outcome: refuses writes until reopened. */
  needsReopen(): boolean
  /** Loads index shards before the first search. Searches load them on demand otherwise. */
  warm(options: WarmOptions): Promise<void>
  close(): Promise<void>
}
