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

/** What a wrong clock has dated later than some instant. */
export interface FutureDated {
  readonly facts: readonly string[]
  readonly entities: readonly string[]
  readonly edges: readonly string[]
}

/** What tidying a file has brought. */
export interface CompactionResult {
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Entries of the journal that were old enough to lose their contents or to go. */
  readonly entries: number
}

/** Finding and mending what has gone wrong. */
export interface Repairs {
  /** Compares rows, journal and indexes with each other. Changes nothing. */
  diagnose(): Promise<readonly Finding[]>
  /** At most so many of each that were dated later than the instant; of facts also those that contradict themselves. */
  ahead(than: Instant, limit: number): Promise<FutureDated>
  /** Dates entries of the journal that lie after the instant by those around them, and all that is derived. Answers how many. */
  redateJournal(now: Instant): Promise<number>
  /** Takes a store as it is from which acknowledged changes are missing. False when nothing was known to be. */
  acceptLoss(): Promise<boolean>
}

/** Keeping the file well; long work, in pages, with progress. */
export interface Maintenance extends Repairs {
  /** Makes postings and derived links anew from the facts. Answers how many facts were linked. */
  relink(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number>
  /** Makes the stored terms of every fact anew. */
  reterm(progress: (done: number, total: number) => void, signal: AbortSignal): Promise<number>
  /** Gives back what the file does not need any more. `full` writes it anew, and keeps others from writing meanwhile. */
  compact(full: boolean, progress: (message: string) => void, signal: AbortSignal): Promise<CompactionResult>
  /** A consistent copy while others go on writing. */
  backup(target: string): Promise<void>
  /** The same beside the store, under a new name, which it answers; null where there is no file. */
  keepCopy(): Promise<string | null>
}

/** All that an engine needs of a database; one factory per technology. */
export interface Backend {
  readonly store: Store
  readonly graph: GraphIndex
  readonly code: CodeIndex
  readonly backlog: EmbeddingBacklog
  readonly jobs: Jobs
  readonly statements: Statements
  readonly deliveries: Deliveries
  readonly maintenance: Maintenance
  /** Where it is, for people. */
  readonly location: string
  /** Opens what a question about one owner's facts needs, or about everyone's, as far as they are reached. */
  view(owner: string | undefined, reach?: AccessFilter): Promise<View>
  /** It is limited to what someone reaches: how much else there is, and what goes on, is not theirs to know. */
  readonly isRestricted?: boolean
  /** Nothing can be written, for want of the right to: every write is refused. */
  readonly readOnly: boolean
  /** True once it takes no more writes and has to be opened anew: what a failed commit has left only a new one can tell. */
  needsReopen(): boolean
  /** Why nothing can be stored at present, with what to do; undefined when nothing is known against it. */
  problem(): Promise<string | undefined>
  /** Loads what everyone's facts are searched with, as far as there is room; searches do so by themselves when needed. */
  warm(): Promise<void>
  memoryBytes(): number
  close(): Promise<void>
}
