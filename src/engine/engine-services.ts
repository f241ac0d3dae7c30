import type { OwnerAccess } from '../core/access/access-filter.js'
import type { Fact, Instant, Scope } from '../core/facts/fact.js'
import type { Denials } from './access/denials.js'
import type { KeyRing } from './access/keys.js'
import type { CodeMemory } from './code/code-memory.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'
import type { DeliveryLog } from './deliveries/delivery-log.js'
import type { MemoryNode } from './entities/nodes.js'
import type { DerivedIndexSync } from './environment.js'
import type { LastCall, Linker } from './links/similar.js'

/** Background work and caches of a process, created once and shared by all calls. */
export interface EngineServices {
  readonly keyRing: KeyRing
  readonly denials: Denials
  readonly lastCall: LastCall
  readonly linker: Linker
  readonly cards: Cards
  readonly accesses: AccessLog
  readonly trust: TrustCache
  /** Limits concurrent statement recalls. */
  readonly recalls: ConcurrencyLimit
  readonly totals: TotalsCache
  readonly searchCache: SearchCache
  readonly deliveryLog: DeliveryLog
  readonly code: CodeMemory
  /** The LanceDB and Kuzu copies of the store. */
  readonly derived: LazyIndexSync
}

export interface NodeHit {
  readonly node: MemoryNode
  /** Cosine similarity; 0 while the vector is pending. */
  readonly similarity: number
  readonly score: number
}

export interface SearchCache {
  /** The result of the same query, until the store changes or the entry expires. */
  get(key: string, mark: number): readonly NodeHit[] | undefined
  put(key: string, mark: number, hits: readonly NodeHit[]): void
  /** Counts entries that could still be served: none once the store version has changed. */
  stats(mark?: number): { readonly enabled: boolean; readonly size: number; readonly maxSize: number; readonly ttlSeconds: number }
}

/** Identifies a card: facts of one scope and of one garden or none. */
export interface CardKey {
  readonly owner: string
  readonly entity: string
  readonly scope: Scope
  readonly garden: string | null
}

export interface Card {
  readonly fact: Fact
  /** True if newer facts are missing. */
  readonly isStale: boolean
  /** True if rebuilding the card exceeded the wait. */
  readonly timedOut: boolean
  readonly facts: readonly Fact[]
  readonly contradictions: readonly (readonly [Fact, Fact])[]
}

/** A card that is still being built. */
export interface PendingCard {
  /** Facts listed by the outdated card and their confidence; null without a card. */
  readonly divergentFrom: ReadonlyMap<string, number> | null
  /** True if building the card exceeded the wait. */
  readonly timedOut: boolean
}

export interface Cards {
  /** The card of an entity for an access filter; null without facts. An outdated card is never returned. */
  read(key: CardKey, into: OwnerAccess, options?: { readonly force?: boolean }): Promise<Card | PendingCard | null>
  /** Starts rebuilding outdated cards in the background. */
  wake(): void
  close(): Promise<void>
}

/** Counts recalls per fact in memory and writes them periodically, so that reading does not write. */
export interface AccessLog {
  note(ids: readonly string[]): void
  flush(): Promise<void>
  close(): Promise<void>
}

/** Cached totals, valid until the next commit or their expiry. */
type TotalsCache = Map<string, { readonly total: number; readonly until: Instant; readonly commit: Instant }>

/** Trust of sources, cached until it expires. */
type TrustCache = Map<string, { readonly until: number; readonly trust: number }>

export interface LazyIndexSync extends DerivedIndexSync {
  /** Also builds what is configured and missing. */
  begin(owner: string): Promise<void>
}
