import type { AccessFilter } from '../core/access/access-filter.js'
import type { SourceHistory } from '../core/access/attestation.js'
import type { Fact, Instant, Scope } from '../core/facts/fact.js'
import type { Page, PageCursor } from './store.js'

/** A list of statements, newest first. The value of facts without a statement is their text (`plain`). */
export interface StatementQuery {
  readonly owner: string
  readonly reach?: AccessFilter
  readonly ids?: readonly string[]
  readonly entity?: string
  readonly relation?: string
  readonly relationPrefix?: string
  /** Facts without a typed value: only these, or none of these. */
  readonly plain?: boolean
  readonly source?: string
  readonly scope?: Scope
  /** A garden; null for facts outside of gardens. */
  readonly garden?: string | null
  readonly attested?: boolean | null
  readonly leastConfidence?: number
  /** Recorded after this instant. */
  readonly since?: Instant
  /** Valid at this instant. */
  readonly at: Instant
  /** Includes expired and retracted ones. */
  readonly ended?: boolean
  /** Includes contradicted ones, and those replaced by a resolution. */
  readonly contradicted?: boolean
  /** System facts only; otherwise none of them. */
  readonly system?: boolean
}

/** Statements of one source in one scope, outside of gardens and not from peers: a reader of one may read all. */
interface HistoryQuery {
  readonly owner: string
  readonly source: string
  readonly scope: Scope
  /** Recorded after this instant, up to `until`. */
  readonly after: Instant
  readonly until: Instant
}

export interface StatementReads {
  /** Newest first. Every row present from the first to the last page is returned once, despite concurrent writes. */
  statements(query: StatementQuery, page: { readonly before?: PageCursor; readonly limit: number }): Promise<Page<Fact>>
  /** Counted up to `atMost`. */
  countStatements(query: StatementQuery, atMost?: number): Promise<number>
  /** Valid facts contradicted by a fact that the reader may see. */
  contradicted(ids: readonly string[], now: Instant, reach?: AccessFilter): Promise<ReadonlySet<string>>
  /** Recent statements of a source, limited to the newest. */
  sourceHistory(query: HistoryQuery, atMost: number): Promise<SourceHistory>
  byHash(owner: string, hashes: readonly string[]): Promise<readonly Fact[]>
  /** True if an owner has a fact, even one the reader may not see, for contracts that distinguish the two. */
  isThere(owner: string, id: string): Promise<boolean>
}

/** An edge between entities at some time, from a statement or an explicit relation. Endpoints are URIs. */
export interface StatedEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly relation: string
  readonly confidence: number
  readonly trust: number | null
  /** Facts of the edge and its endpoints. A reader without access to one of them may not see the edge. */
  readonly facts: readonly string[]
}

export interface StatedEdgeQuery {
  readonly owner: string
  readonly reach?: AccessFilter
  /** Entity URIs. */
  readonly nodes: readonly string[]
  readonly scope: Scope
  /** Valid at this instant. */
  readonly at: Instant
  /** Without later commits; all if absent. */
  readonly asOf?: Instant
  /** At most about this many edges per direction of one entity, and of 64 entities together, ordered by target; all if absent. */
  readonly atMost?: number
}

/** Edges of one entity after another one, in the byte order of URIs. */
export interface OrderedEdgesQuery extends Omit<StatedEdgeQuery, 'nodes' | 'atMost'> {
  readonly node: string
  readonly after?: string | undefined
}

export interface OrderedEdges {
  /** All edges to entities in the range, unordered. */
  readonly edges: readonly StatedEdge[]
  /** The last entity read; null at the end. */
  readonly through: string | null
}

export interface StatedEdges {
  /** Edges of one entity in pages, ordered by target. The cost of a page does not depend on the number of edges. */
  edgesInOrder(query: OrderedEdgesQuery): Promise<OrderedEdges>
  /** Edges of these entities in both directions, unordered. */
  statedEdges(query: StatedEdgeQuery): Promise<readonly StatedEdge[]>
  /** Number of readable outgoing edges per entity; counted up to about 5,000. */
  outDegrees(query: StatedEdgeQuery): Promise<ReadonlyMap<string, number>>
  /** The valid statements of each entity with the highest effective confidence, best first. */
  strongest(query: Omit<StatedEdgeQuery, 'asOf'>, limit: number): Promise<ReadonlyMap<string, readonly Fact[]>>
  /** The same by row numbers, as in a view of this owner. */
  strongestRows(query: Omit<StatedEdgeQuery, 'asOf'>, limit: number): Promise<ReadonlyMap<string, readonly number[]>>
  /** Instant of the last commit; later commits have later instants. */
  lastCommit(owner: string): Promise<Instant>
  /** The key that signs cursors, shared by every process on the store. */
  cursorKey(): Promise<string>
}

/** Recall counts of facts. Not part of the fact: no version, no journal entry. */
export interface AccessCounts {
  accessCounts(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  noteAccess(counts: ReadonlyMap<string, number>, now: Instant): Promise<void>
}

export interface StaleCard {
  readonly owner: string
  readonly entity: string
  readonly scope: Scope
  readonly garden: string | null
  /** Changes with every new recall. */
  readonly mark: number
}

/** Cards that are out of date, as marked by commits. */
export interface StaleCards {
  staleCards(subject: Partial<Omit<StaleCard, 'mark'>>, limit: number): Promise<readonly StaleCard[]>
  /** Marks a card as rebuilt, unless facts changed since it was read. */
  clearStaleCard(card: StaleCard): Promise<void>
}

export interface Statements extends StatementReads, StatedEdges, AccessCounts, StaleCards {}
