import type { JournalEntry } from '../core/change.js'
import type { Entity } from '../core/entity.js'
import type { Fact, Instant } from '../core/fact.js'

/** An edge as a walk needs it: no properties, no weight. */
export interface Link {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly type: string
  /** Made from names or vectors, not by anyone. */
  readonly derived: boolean
}

/** What one owner has that has not expired. */
export interface Census {
  readonly facts: number
  readonly entities: number
  readonly activeFacts: number
  readonly outdatedFacts: number
  readonly archivedFacts: number
  /** Edges between nodes that have not expired. */
  readonly edges: number
}

export interface PlacedFact {
  /** Row number: facts are paged by it. */
  readonly rid: number
  readonly fact: Fact
}

/** How far the vectors have been followed: the stamp of a batch and the row within it. */
export interface VectorPlace {
  readonly stamp: number
  readonly rid: number
}

export interface SimilarLink {
  readonly owner: string
  readonly from: string
  readonly to: string
  readonly toKind: 'fact' | 'entity'
  readonly type: string
  /** The cosine. */
  readonly weight: number
}

/** Reads along the graph, and the links and vectors that only the graph needs. Everything is of one owner unless it says otherwise. */
export interface GraphIndex {
  /** Links that touch any of these nodes, in no order; at most `limit` of each side. */
  adjacent(owner: string, nodes: readonly string[], limit: number): Promise<readonly Link[]>
  /** Links with one end in each list, in either direction. */
  between(owner: string, some: readonly string[], others: readonly string[]): Promise<readonly Link[]>
  /** Which of these nodes have expired by then or do not belong to the owner. */
  hidden(owner: string, nodes: readonly string[], at: Instant): Promise<ReadonlySet<string>>
  census(owner: string, at: Instant): Promise<Census>
  /** Everyone who has a fact or an entity. */
  owners(): Promise<readonly string[]>
  /** Facts that have ended or are archived, in the order of their rows; those that expired are left out unless archived. */
  pastFacts(owner: string, status: 'outdated' | 'archived', page: { readonly at: Instant; readonly after: number; readonly limit: number }): Promise<readonly PlacedFact[]>
  /** Current facts that expired by then. */
  expiredFacts(owner: string, page: { readonly at: Instant; readonly after: number; readonly limit: number }): Promise<readonly PlacedFact[]>
  /** Current facts recorded since then that were not compared with others since they last changed. */
  uncheckedFacts(owner: string, page: { readonly at: Instant; readonly since: Instant; readonly after: number; readonly limit: number }): Promise<readonly PlacedFact[]>
  /** What one actor did, newest first, whoever it belonged to. */
  journalOf(actor: string, limit: number): Promise<readonly JournalEntry[]>
  /** Facts of all owners whose vectors were stored after that place, in order; facts that refuse automatic links too. */
  vectorsAfter(place: VectorPlace, limit: number): Promise<readonly (PlacedFact & VectorPlace)[]>
  /** Adds derived edges. Those that are there stay, and an edge whose end is gone or has no vector any more is left out. */
  linkSimilar(links: readonly SimilarLink[]): Promise<void>
  /** Entities that have changed since their vector was made, or have none. */
  entitiesToEmbed(owner: string, limit: number): Promise<readonly Entity[]>
  putEntityVectors(vectors: readonly { readonly entity: Entity; readonly vector: Float32Array }[]): Promise<void>
  /** All entities at least that similar, best first, whatever their status. */
  similarEntities(query: Float32Array, owner: string, least: number): Promise<readonly { readonly id: string; readonly score: number }[]>
}
