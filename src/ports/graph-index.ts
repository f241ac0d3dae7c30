import type { AccessFilter } from '../core/access/access-filter.js'
import type { Fact, Instant } from '../core/facts/fact.js'
import type { Edge } from '../core/graph/edge.js'
import type { Entity } from '../core/graph/entity.js'
import type { JournalEntry } from '../core/journal/change.js'

/** How an edge came about: someone made it, a name was found in a text, two vectors are alike, or a fact refers to something. */
export type EdgeOrigin = 'made' | 'named' | 'alike' | 'stated'

/** An edge as a walk sees it: what is at its other end. */
export interface Neighbour {
  readonly id: string
  readonly origin: EdgeOrigin
}

/** What one owner has that has not expired, or was archived. */
export interface OwnerCounts {
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

export interface UnlinkedOwner {
  readonly owner: string
  readonly linked: number
  readonly stamp: number
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

/** Facts of one owner as maintenance goes through them. */
export interface FactUpkeep {
  /** Facts that have ended or are archived, in the order of their rows; those that expired are left out unless archived. */
  pastFacts(
    owner: string,
    status: 'outdated' | 'archived',
    page: { readonly at: Instant; readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedFact[]>
  /** Current facts that expired by then. */
  expiredFacts(
    owner: string,
    page: { readonly at: Instant; readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedFact[]>
  /** Current facts recorded since then that were not compared with others since they last changed. */
  uncheckedFacts(
    owner: string,
    page: { readonly at: Instant; readonly since: Instant; readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedFact[]>
  /** Notes that these were compared, unless they changed since they were read. Derived, so neither a version nor in the journal. */
  noteCompared(owner: string, facts: readonly { readonly id: string; readonly version: number }[], at: Instant): Promise<void>
  /** Makes the relations that follow from what facts refer to anew, of so many behind that row. Answers the last of them; null behind the end. */
  rebuildReferenceEdges(owner: string, after: number, limit: number): Promise<number | null>
}

/** Links by likeness, which are derived from the vectors of facts. */
export interface SimilarLinks {
  /** Some of the owners who have vectors that were not yet compared with others: up to where they were, and up to where there are any. */
  unlinked(limit: number): Promise<readonly UnlinkedOwner[]>
  /** Facts of an owner whose vectors were stored after that place, in order; facts that refuse automatic links too. */
  vectorsAfter(owner: string, place: VectorPlace, limit: number): Promise<readonly (PlacedFact & VectorPlace)[]>
  /** The owner's vectors up to that batch were compared. */
  markLinked(owner: string, stamp: number): Promise<void>
  /** Adds derived edges. Those that are there stay, and an edge whose end is gone or has no vector any more is left out. */
  linkSimilar(links: readonly SimilarLink[]): Promise<void>
}

export interface EntityVectors {
  /** Entities that have changed since their vector was made, or have none; captured ones get none, there are thousands of them. */
  entitiesToEmbed(owner: string, limit: number): Promise<readonly Entity[]>
  putEntityVectors(vectors: readonly { readonly entity: Entity; readonly vector: Float32Array }[]): Promise<void>
  /** All entities at least that similar, best first, whatever their status. */
  similarEntities(query: Float32Array, owner: string, least: number): Promise<readonly { readonly id: string; readonly score: number }[]>
}

/** Reads along the graph, and the links and vectors that only the graph needs. Everything is of one owner unless it says otherwise. */
export interface GraphIndex extends FactUpkeep, SimilarLinks, EntityVectors {
  /** Where the edges of these nodes lead, whichever way they point, in no order; a hub brings about `limit` of them at most. */
  neighbours(owner: string, nodes: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly Neighbour[]>>
  /** Edges with both ends among these nodes, oldest first; of edges that say the same only the one of the best origin. */
  edgesAmong(owner: string, nodes: readonly string[]): Promise<readonly Edge[]>
  /** As far as it is reached. */
  census(owner: string, at: Instant, reach?: AccessFilter): Promise<OwnerCounts>
  /** Everyone who has a fact or an entity. */
  owners(): Promise<readonly string[]>
  /** What one actor did, newest first, whoever it belonged to. */
  journalOf(actor: string, limit: number): Promise<readonly JournalEntry[]>
}
