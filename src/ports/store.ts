import type { AccessFilter } from '../core/access/access-filter.js'
import type { ControlRecord, ControlRecordKind } from '../core/access/control-record.js'
import type { JsonObject } from '../core/encoding/json.js'
import type { Fact, FactStatus, Instant } from '../core/facts/fact.js'
import type { Passage, Source } from '../core/facts/source.js'
import type { AsOf } from '../core/facts/validity.js'
import type { Edge, NodeKind } from '../core/graph/edge.js'
import type { Entity } from '../core/graph/entity.js'
import type { Change, CommitOwners, FileChange, JournalEntry } from '../core/journal/change.js'
import type { Doubts, FactFacets } from './facets.js'
import type { PlacedFact } from './graph-index.js'
import type { Page, PageCursor } from './page.js'

export type { Page, PageCursor } from './page.js'

export interface FactQuery {
  readonly owner?: string
  readonly session?: string
  readonly status?: FactStatus
  readonly subject?: string
  /** What they claim (`claimKey`), current ones only. */
  readonly claim?: string
  /** Only facts that are valid at this moment. */
  readonly validAt?: AsOf
  readonly recordedAfter?: Instant
  /** Only facts that are reached. */
  readonly reach?: AccessFilter
  /** Newest first unless set. */
  readonly oldestFirst?: boolean
  readonly limit: number
  readonly offset: number
}

export interface EntityQuery {
  readonly owner?: string
  /** What sets the names or aliases apart (`entityKey`). */
  readonly keys?: readonly string[]
  /** Names or aliases as texts mention them (`normalName`). */
  readonly names?: readonly string[]
  readonly limit: number
  readonly offset: number
}

export interface PageQuery {
  readonly owner?: string
  readonly after?: PageCursor
  readonly limit: number
}

export interface EdgeQuery {
  readonly owner?: string
  /** Edges that touch one of these nodes; `outgoing` starts there, `incoming` ends there. */
  readonly nodes?: readonly string[]
  readonly direction?: 'outgoing' | 'incoming' | 'both'
  readonly types?: readonly string[]
  readonly from?: string
  readonly to?: string
  /** Edges of these kinds of ends only. */
  readonly betweenKinds?: readonly [NodeKind, NodeKind]
  /** Those that someone made or that a fact states; not those that follow from names or likeness. */
  readonly stated?: true
  readonly limit: number
}

export interface JournalQuery {
  readonly owner?: string
  /** Numbers of one owner's entries; without an owner only a store that numbers everyone's together takes them. */
  readonly after?: number
  readonly before?: number
  /** An entry behind which to go on, in the direction of the query: it works over all owners, too. */
  readonly beyond?: Pick<JournalEntry, 'seq' | 'hlc'>
  readonly target?: string
  readonly newestFirst?: boolean
  readonly limit: number
}

export interface Counts {
  readonly facts: number
  readonly entities: number
  readonly edges: number
  /** Edges that someone made, without the automatic ones. */
  readonly relations: number
  readonly sources: number
  readonly passages: number
  readonly activeFacts: number
  readonly outdatedFacts: number
}

/** Which call a commit belongs to, so that repeating the call cannot commit twice. */
export interface CallId {
  readonly owner: string
  readonly actor: string
  /** The caller's choice, told apart within owner and actor. */
  readonly key: string
  /** Stands for what was asked: one key for two different calls is a mistake. */
  readonly fingerprint: string
}

/** Entries of one commit in one owner's journal; those of other commits may lie between them. */
export interface JournalRange {
  readonly owner: string
  readonly firstSeq: number
  readonly lastSeq: number
}

/** A call that has been committed, kept for `CALLS_KEPT` after it. */
export interface RecordedCall {
  readonly fingerprint: string
  /** Stands in its entries of the journal. */
  readonly commit: string
  readonly entries: readonly JournalRange[]
  /** Null as long as it is not known, and once something in it was deleted. */
  readonly answer: JsonObject | null
}

/** Who commits, whose memory it is about, and as part of what. */
export interface CommitContext {
  readonly actor: string
  /** Everyone whose rows it may change; a change of another's is refused. */
  readonly owners: CommitOwners
  /** An instant seen elsewhere, such as in the journal of another store: the order of the journal goes on after it. */
  readonly observed?: Instant | undefined
  readonly call?: CallId | undefined
}

export interface CommitReceipt {
  readonly at: Instant
  /** Stands in its entries of the journal. */
  readonly commit: string
  /** Where its entries are, one stretch per owner; none when nothing changed. */
  readonly entries: readonly JournalRange[]
  /** Facts that were left out because their source says the same already, each with the id of that fact. */
  readonly repeats?: ReadonlyMap<string, string>
  /** Kinds of secrets that were masked in what was written. */
  readonly masked?: readonly string[]
  /** The call was committed before: nothing was decided and nothing changed. */
  readonly earlier?: RecordedCall
}

export interface FactReads {
  /** Whoever knows the owner names it: a server that keeps owners apart then looks in one place only. The same holds below. */
  facts(ids: readonly string[], owner?: string): Promise<readonly Fact[]>
  listFacts(query: FactQuery): Promise<readonly Fact[]>
  countFacts(query: Omit<FactQuery, 'limit' | 'offset'>): Promise<number>
  /** Facts in the order they were recorded. Whatever is there from the first page to the last comes once, whoever writes in between. */
  pageFacts(query: PageQuery): Promise<Page<Fact>>
}

export interface EntityReads {
  entities(ids: readonly string[], owner?: string): Promise<readonly Entity[]>
  listEntities(query: EntityQuery): Promise<readonly Entity[]>
  /** Oldest first; whatever is there from the first page to the last comes once. */
  pageEntities(query: PageQuery): Promise<Page<Entity>>
}

export interface EdgeReads {
  edges(query: EdgeQuery): Promise<readonly Edge[]>
  edgesById(ids: readonly string[], owner?: string): Promise<readonly Edge[]>
  /** Those that someone made, oldest first; whatever is there from the first page to the last comes once. */
  pageEdges(query: PageQuery): Promise<Page<Edge>>
}

export interface PassageRange {
  readonly path: string
  readonly from: number
  readonly limit: number
}

/** Captured evidence, of whatever kind. */
export interface SourceReads {
  sources(ids: readonly string[], owner?: string): Promise<readonly Source[]>
  /** Oldest first; whatever is there from the first page to the last comes once. */
  pageSources(query: PageQuery): Promise<Page<Source>>
  /** Files of a source with their passages, by path, those after a path; a source that is no folder has one. */
  sourceFiles(sourceId: string, page: { readonly after: string; readonly limit: number }): Promise<readonly FileChange[]>
  /** Passages of one file of a source, by their ordinals, from one on. */
  passages(sourceId: string, range: PassageRange): Promise<readonly Passage[]>
}

export interface JournalReads {
  journal(query: JournalQuery): Promise<readonly JournalEntry[]>
  /** The last entry whose contents were dropped for their age; 0 when none was. */
  journalTrimmed(): Promise<number>
}

export interface ControlRecordQuery {
  readonly kind: ControlRecordKind
  readonly owner?: string
  readonly id?: string
  readonly name?: string
}

/** Keys, gardens, policies and peers. */
export interface ControlRecords {
  /** Oldest first. */
  arrangements(query: ControlRecordQuery): Promise<readonly ControlRecord[]>
  /** Grows with every change to one of them, in whatever process. */
  arrangementsMark(): Promise<number>
  /** What stands for the secret of one. */
  digestOf(kind: ControlRecordKind, id: string): Promise<string | undefined>
  /** Notes that a peer used it; false when it had before. Forgotten after `until`. */
  useNonce(peer: string, nonce: string, until: Instant): Promise<boolean>
}

/** What is shared with others: statements that stand in no garden, of some scopes. */
export interface FeedQuery {
  readonly owner: string
  readonly scopes: readonly string[]
  /** The row after which to go on. */
  readonly after: number
  readonly limit: number
  /** The peer it is for: what came from it is left out. */
  readonly except: string
}

export interface Feed {
  /**
   * In the order in which they were stored, whatever clocks said: who goes on after `last` misses nothing. What came from a
   * peer is passed on only if it is public.
   */
  feed(query: FeedQuery): Promise<{ readonly items: readonly PlacedFact[]; readonly last: number }>
}

/** Calls that a client may repeat. */
export interface Calls {
  recordedCall(call: CallId): Promise<RecordedCall | undefined>
  /** Adds the answer to a recorded call. Losing it in a power cut loses nothing else. */
  recordAnswer(call: CallId, answer: JsonObject): Promise<void>
}

/**
 * Canonical memory. Reads see every acknowledged write of every process.
 * Missing ids are left out of an answer; lists keep the order of their query.
 */
export interface Store
  extends FactReads,
    EntityReads,
    EdgeReads,
    SourceReads,
    JournalReads,
    Calls,
    ControlRecords,
    Feed,
    FactFacets,
    Doubts {
  /**
   * Calls `decide` with the time of the wall, made later than the commit before it where clocks differ by less than a tenth of a
   * second, then applies what it returns together with the journal entries and index rows: all or nothing, durable when
   * the promise resolves. The order of an owner's journal (`seq`, `hlc`) grows whatever clocks say. A `put` whose version
   * does not follow the stored one, or a name taken by another entity, rejects with `conflict`; whatever `decide` throws is
   * passed on; either way nothing is changed. With a `call`, the same call is recorded in the same transaction, unless
   * nothing changed; a call that is recorded already is answered with what is known of it. `decide` may run more than once
   * before the commit stands, so it changes nothing outside but what its last run has decided.
   */
  commit(by: CommitContext, decide: (at: Instant) => readonly Change[]): Promise<CommitReceipt>
  counts(owner: string | undefined): Promise<Counts>
}
