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
  /** The cosine; 0 while the vector is still to be made. */
  readonly similarity: number
  readonly score: number
}

export interface SearchCache {
  /** What was found for the same question while nothing was written by anyone and its time is not over. */
  get(key: string, mark: number): readonly NodeHit[] | undefined
  put(key: string, mark: number, hits: readonly NodeHit[]): void
  /** Counts entries that could still be served: none once the store version has changed. */
  stats(mark?: number): { readonly enabled: boolean; readonly size: number; readonly maxSize: number; readonly ttlSeconds: number }
}

/** What a card is about: facts of one scope, and of one garden or none. */
export interface CardKey {
  readonly owner: string
  readonly entity: string
  readonly scope: Scope
  readonly garden: string | null
}

export interface Card {
  readonly fact: Fact
  /** It does not say all that is known. */
  readonly isStale: boolean
  /** It was to be made anew, which took too long. */
  readonly timedOut: boolean
  readonly facts: readonly Fact[]
  readonly contradictions: readonly (readonly [Fact, Fact])[]
}

/** A right card is still to come. */
export interface PendingCard {
  /** What the card that is known to be wrong lists, with its confidence; null where there is none at all. */
  readonly divergentFrom: ReadonlyMap<string, number> | null
  /** It was to be made now, which took too long. */
  readonly timedOut: boolean
}

export interface Cards {
  /** The card of an entity as far as someone reaches; null where there is nothing to tell. None is served that is known to be wrong. */
  read(of: CardKey, into: OwnerAccess, options?: { readonly force?: boolean }): Promise<Card | PendingCard | null>
  /** Starts to make cards anew that do not say any more what is known; returns at once. */
  wake(): void
  close(): Promise<void>
}

/** How often each fact was recalled, gathered here and written now and then: to read must not mean to write. */
export interface AccessLog {
  note(ids: readonly string[]): void
  flush(): Promise<void>
  close(): Promise<void>
}

/** How many there were, until something was committed or some time has passed. */
export type TotalsCache = Map<string, { readonly total: number; readonly until: Instant; readonly commit: Instant }>

/** What was found out about sources, until it is looked up again. */
export type TrustCache = Map<string, { readonly until: number; readonly trust: number }>

export interface LazyIndexSync extends DerivedIndexSync {
  /** Also makes what was configured and is not there yet. */
  begin(owner: string): Promise<void>
}
