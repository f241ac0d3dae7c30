import type { AccessFilter } from '../core/access/access-filter.js'
import type { SourceHistory } from '../core/access/attestation.js'
import type { Fact, Instant, Scope } from '../core/facts/fact.js'
import type { Page, PageCursor } from './store.js'

/** Which facts a list of statements shows, newest first. Facts without a statement say their text (`plain`). */
export interface StatementQuery {
  readonly owner: string
  readonly reach?: AccessFilter
  readonly ids?: readonly string[]
  readonly entity?: string
  readonly relation?: string
  readonly relationPrefix?: string
  /** Facts that came without a typed value: only these, or none of these. */
  readonly plain?: boolean
  readonly source?: string
  readonly scope?: Scope
  /** Of this garden; null is none. */
  readonly garden?: string | null
  readonly attested?: boolean | null
  readonly leastConfidence?: number
  /** Recorded later than this. */
  readonly since?: Instant
  /** What holds now. */
  readonly at: Instant
  /** Those that have expired or were retracted too. */
  readonly ended?: boolean
  /** The losing side of a contradiction, and what a resolution replaced, too. */
  readonly contradicted?: boolean
  /** What the store notes itself, and nothing else; without it none of that. */
  readonly system?: boolean
}

/** Statements of one source in one scope, outside of gardens and not from peers: whoever may read one of them may read all. */
export interface HistoryQuery {
  readonly owner: string
  readonly source: string
  readonly scope: Scope
  /** Recorded later than this, and no later than that. */
  readonly after: Instant
  readonly until: Instant
}

export interface StatementReads {
  /** Newest first. Whatever is there from the first page to the last comes once, whoever writes in between. */
  statements(query: StatementQuery, page: { readonly before?: PageCursor; readonly limit: number }): Promise<Page<Fact>>
  /** Counted no further than asked. */
  countStatements(query: StatementQuery, atMost?: number): Promise<number>
  /** Those of the facts that hold and that another one contradicts which the reader may see. */
  contradicted(ids: readonly string[], at: Instant, reach?: AccessFilter): Promise<ReadonlySet<string>>
  /** What a source has said of late, of the newest so many. */
  sourceHistory(query: HistoryQuery, atMost: number): Promise<SourceHistory>
  byHash(owner: string, hashes: readonly string[]): Promise<readonly Fact[]>
  /** Whether an owner has a fact, whoever may read it: where a contract tells the two apart. */
  isThere(owner: string, id: string): Promise<boolean>
}

/** An edge between entities as it stood at some time: of a statement, or of a relation that someone made. Ends are URIs. */
export interface StatedEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly relation: string
  readonly confidence: number
  readonly trust: number | null
  /** Facts at its ends, or that it is: whoever may not read one of them may not know of the edge. */
  readonly facts: readonly string[]
}

export interface StatedEdgeQuery {
  readonly owner: string
  readonly reach?: AccessFilter
  /** Entities, as URIs. */
  readonly nodes: readonly string[]
  readonly scope: Scope
  /** What holds then, by its window. */
  readonly at: Instant
  /** Without what was committed after that time; with all, unless given. */
  readonly asOf?: Instant
  /** No more than about so many edges each way of one entity, and of 64 together, the first by where they lead; all, unless given. */
  readonly atMost?: number
}

/** Of one entity, behind another one in the order of the bytes of their URIs. */
export interface OrderedEdgesQuery extends Omit<StatedEdgeQuery, 'nodes' | 'atMost'> {
  readonly node: string
  readonly after?: string | undefined
}

export interface OrderedEdges {
  /** All edges to the entities in between, in no order. */
  readonly edges: readonly StatedEdge[]
  /** The entity up to which they were read; null where there are no more. */
  readonly through: string | null
}

export interface StatedEdges {
  /** Edges of one entity in pages, in the order of those to which they lead: of very many as long as one page takes. */
  edgesInOrder(query: OrderedEdgesQuery): Promise<OrderedEdges>
  /** Edges that touch these entities, whichever way they point, in no order. */
  statedEdges(query: StatedEdgeQuery): Promise<readonly StatedEdge[]>
  /** How many edges that may be read start at each of these entities; counted up to 5,000 or so. */
  outDegrees(query: StatedEdgeQuery): Promise<ReadonlyMap<string, number>>
  /** Of each entity the statements of the highest effective confidence that hold, best first. */
  strongest(query: Omit<StatedEdgeQuery, 'asOf'>, limit: number): Promise<ReadonlyMap<string, readonly Fact[]>>
  /** The same by their rows, which are numbered as in a view of this owner. */
  strongestRows(query: Omit<StatedEdgeQuery, 'asOf'>, limit: number): Promise<ReadonlyMap<string, readonly number[]>>
  /** The time of the last commit: what is committed later is later. */
  lastCommit(owner: string): Promise<Instant>
  /** With which cursors are signed, so that every process on the same store knows its own. */
  cursorKey(): Promise<string>
}

/** How often facts were recalled: no part of them, so neither in the journal nor in a version. */
export interface AccessCounts {
  accessCounts(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  noteAccess(counts: ReadonlyMap<string, number>, at: Instant): Promise<void>
}

export interface StaleCard {
  readonly owner: string
  readonly entity: string
  readonly scope: Scope
  readonly garden: string | null
  /** Changes whenever there is something new to tell. */
  readonly mark: number
}

/** Cards that do not say any more what is known. The commit that makes them so notes it. */
export interface StaleCards {
  staleCards(of: Partial<Omit<StaleCard, 'mark'>>, limit: number): Promise<readonly StaleCard[]>
  /** Made anew, unless something has happened since it was read. */
  clearStaleCard(card: StaleCard): Promise<void>
}

export interface Statements extends StatementReads, StatedEdges, AccessCounts, StaleCards {}
