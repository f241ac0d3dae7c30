import type { AccessFilter } from '../core/access/access-filter.js'
import type { Fact, Instant } from '../core/facts/fact.js'
import type { Edge } from '../core/graph/edge.js'
import type { Entity } from '../core/graph/entity.js'
import type { JournalEntry } from '../core/journal/change.js'

/** Origin of an edge: explicit, a mention, vector similarity, or a statement. */
export type EdgeOrigin = 'made' | 'named' | 'alike' | 'stated'

/** An edge as seen from one endpoint. */
export interface Neighbour {
  readonly id: string
  readonly origin: EdgeOrigin
}

/** Counts of an owner, without expired nodes. */
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
  /** Row number, the paging key of facts. */
  readonly rid: number
  readonly fact: Fact
}

/** Progress through the vectors: batch number, and row within the batch. */
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

/** Facts of one owner in the order of maintenance. */
interface FactUpkeep {
  /** Ended and archived facts, in row order; expired ones only if archived. */
  pastFacts(
    owner: string,
    status: 'outdated' | 'archived',
    page: { readonly at: Instant; readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedFact[]>
  /** Current facts that expired before the instant. */
  expiredFacts(
    owner: string,
    page: { readonly at: Instant; readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedFact[]>
  /** Current facts recorded since the instant and not compared since their last change. */
  uncheckedFacts(
    owner: string,
    page: { readonly at: Instant; readonly since: Instant; readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedFact[]>
  /** Marks facts as compared, unless they changed since they were read. Derived: no version, no journal entry. */
  noteCompared(owner: string, facts: readonly { readonly id: string; readonly version: number }[], now: Instant): Promise<void>
  /** Rebuilds the edges of reference fields for a page of rows. Returns the last row, or null at the end. */
  rebuildReferenceEdges(owner: string, after: number, limit: number): Promise<number | null>
}

/** Similarity links, derived from the vectors of facts. */
interface SimilarLinks {
  /** Owners with vectors that were not compared yet: progress, and the last batch. */
  unlinked(limit: number): Promise<readonly UnlinkedOwner[]>
  /** Facts of an owner with vectors after that position, in order, including facts without automatic links. */
  vectorsAfter(owner: string, place: VectorPlace, limit: number): Promise<readonly (PlacedFact & VectorPlace)[]>
  /** Records that the owner's vectors up to that batch were compared. */
  markLinked(owner: string, stamp: number): Promise<void>
  /** Adds derived edges. Existing ones stay; an edge whose endpoint was deleted or lost its vector is omitted. */
  linkSimilar(links: readonly SimilarLink[]): Promise<void>
}

export interface EntityVectors {
  /** Entities without a current vector. Captured ones get none, because there are thousands. */
  entitiesToEmbed(owner: string, limit: number): Promise<readonly Entity[]>
  putEntityVectors(vectors: readonly { readonly entity: Entity; readonly vector: Float32Array }[]): Promise<void>
  /** All entities with at least that similarity, best first, whatever their status. */
  similarEntities(query: Float32Array, owner: string, min: number): Promise<readonly { readonly id: string; readonly score: number }[]>
}

/** Graph reads, and the links and vectors that only the graph needs. Limited to one owner unless stated. */
export interface GraphIndex extends FactUpkeep, SimilarLinks, EntityVectors {
  /** Edges of these nodes in both directions, unordered; at most about `limit` per node. */
  neighbours(owner: string, nodes: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly Neighbour[]>>
  /** Edges with both endpoints among these nodes, oldest first; of parallel edges the one with the best origin. */
  edgesAmong(owner: string, nodes: readonly string[]): Promise<readonly Edge[]>
  /** Restricted to the access filter. */
  census(owner: string, now: Instant, reach?: AccessFilter): Promise<OwnerCounts>
  /** Every owner with a fact or an entity. */
  owners(): Promise<readonly string[]>
  /** Journal entries of one actor, newest first, of all owners; with `beyond` those before that entry. */
  journalOf(actor: string, limit: number, beyond?: Pick<JournalEntry, 'seq' | 'hlc'>): Promise<readonly JournalEntry[]>
}
