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
  /** Current facts of this claim (`claimKey`). */
  readonly claim?: string
  /** Facts valid at this instant. */
  readonly validAt?: AsOf
  readonly recordedAfter?: Instant
  readonly recordedBefore?: Instant
  readonly kind?: string
  /** Facts whose text contains this, whatever the case of its letters. */
  readonly text?: string
  /** Facts whose id begins with this. */
  readonly idPrefix?: string
  /** Facts that this filter allows. */
  readonly reach?: AccessFilter
  /** Newest first by default. */
  readonly oldestFirst?: boolean
  readonly limit: number
  readonly offset: number
}

export interface EntityQuery {
  readonly owner?: string
  /** Identity keys of names or aliases (`entityKey`). */
  readonly keys?: readonly string[]
  /** Names or aliases as mentioned (`normalName`). */
  readonly names?: readonly string[]
  /** Parts of normalised names of one owner: entities with most of them first. */
  readonly nameParts?: readonly string[]
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
  /** Only edges between these kinds of nodes. */
  readonly betweenKinds?: readonly [NodeKind, NodeKind]
  /** Explicit edges and those of statements, without mentions and similarity. */
  readonly stated?: true
  readonly limit: number
}

export interface JournalQuery {
  readonly owner?: string
  /** Journal numbers within one owner. Without an owner, only a store that numbers all owners together supports it. */
  readonly after?: number
  readonly before?: number
  /** Continues after this entry in the direction of the query; also over all owners. */
  readonly beyond?: Pick<JournalEntry, 'seq' | 'hlc'>
  readonly target?: string
  readonly newestFirst?: boolean
  readonly limit: number
}

export interface Counts {
  readonly facts: number
  readonly entities: number
  readonly edges: number
  /** Explicit edges. */
  readonly relations: number
  readonly sources: number
  readonly passages: number
  readonly activeFacts: number
  readonly outdatedFacts: number
}

/** Identifies a call, so that a repeated call does not commit twice. */
export interface CallId {
  readonly owner: string
  readonly actor: string
  /** The caller's idempotency key, unique within owner and actor. */
  readonly key: string
  /** Hash of the arguments: the same key with other arguments is an error. */
  readonly fingerprint: string
}

/** Entries of one commit in one owner's journal; entries of other commits may lie between them. */
export interface JournalRange {
  readonly owner: string
  readonly firstSeq: number
  readonly lastSeq: number
}

/** A committed call, kept for `CALLS_KEPT`. */
export interface RecordedCall {
  readonly fingerprint: string
  /** The commit in its journal entries. */
  readonly commit: string
  readonly entries: readonly JournalRange[]
  /** Null until recorded, and after something in it was deleted. */
  readonly answer: JsonObject | null
}

/** Actor, owners and call of a commit. */
export interface CommitContext {
  readonly actor: string
  /** Owners whose rows it may change; a change of another owner is rejected. */
  readonly owners: CommitOwners
  /** An instant from elsewhere, such as another store's journal: the journal order continues after it. */
  readonly observed?: Instant | undefined
  readonly call?: CallId | undefined
}

export interface CommitReceipt {
  readonly at: Instant
  /** The commit in its journal entries. */
  readonly commit: string
  /** Its entries, one range per owner; empty if nothing changed. */
  readonly entries: readonly JournalRange[]
  /** Facts skipped because their source asserted the same already, with the id of the existing fact. */
  readonly repeats?: ReadonlyMap<string, string>
  /** Kinds of secrets that were masked. */
  readonly masked?: readonly string[]
  /** The call was committed before: nothing was decided or changed. */
  readonly earlier?: RecordedCall
}

interface FactReads {
  /** Pass the owner if known: a partitioned database then reads one partition. The same applies below. */
  facts(ids: readonly string[], owner?: string): Promise<readonly Fact[]>
  listFacts(query: FactQuery): Promise<readonly Fact[]>
  countFacts(query: Omit<FactQuery, 'limit' | 'offset'>): Promise<number>
  /** Facts in the order of recording. Every fact present from the first to the last page is returned once, despite concurrent writes. */
  pageFacts(query: PageQuery): Promise<Page<Fact>>
}

interface EntityReads {
  entities(ids: readonly string[], owner?: string): Promise<readonly Entity[]>
  listEntities(query: EntityQuery): Promise<readonly Entity[]>
  /** Oldest first; every entity present from the first to the last page is returned once. */
  pageEntities(query: PageQuery): Promise<Page<Entity>>
}

interface EdgeReads {
  edges(query: EdgeQuery): Promise<readonly Edge[]>
  edgesById(ids: readonly string[], owner?: string): Promise<readonly Edge[]>
  /** Explicit edges, oldest first; every edge present from the first to the last page is returned once. */
  pageEdges(query: PageQuery): Promise<Page<Edge>>
}

export interface PassageRange {
  readonly path: string
  readonly from: number
  readonly limit: number
}

/** Captured evidence of every kind. */
interface SourceReads {
  sources(ids: readonly string[], owner?: string): Promise<readonly Source[]>
  /** Oldest first; every source present from the first to the last page is returned once. */
  pageSources(query: PageQuery): Promise<Page<Source>>
  /** Files of a source with their passages, by path, after a path; a source that is not a folder has one. */
  sourceFiles(sourceId: string, page: { readonly after: string; readonly limit: number }): Promise<readonly FileChange[]>
  /** Passages of one file of a source by ordinal, from a given one. */
  passages(sourceId: string, range: PassageRange): Promise<readonly Passage[]>
}

interface JournalReads {
  journal(query: JournalQuery): Promise<readonly JournalEntry[]>
  /** The last entry whose contents retention cleared; 0 if none. */
  journalTrimmed(): Promise<number>
}

export interface ControlRecordQuery {
  readonly kind: ControlRecordKind
  readonly owner?: string
  readonly id?: string
  readonly name?: string
}

/** API keys, gardens, decay policies and peers. */
export interface ControlRecords {
  /** Oldest first. */
  arrangements(query: ControlRecordQuery): Promise<readonly ControlRecord[]>
  /** Increases with every change of a control record, in any process. */
  arrangementsMark(): Promise<number>
  /** Digest of the secret of a control record. */
  digestOf(kind: ControlRecordKind, id: string): Promise<string | undefined>
  /** Records the nonce of a peer; false if it was used before. Removed after `until`. */
  useNonce(peer: string, nonce: string, until: Instant): Promise<boolean>
}

/** Statements shared with a peer: of some scopes, outside of gardens. */
export interface FeedQuery {
  readonly owner: string
  readonly scopes: readonly string[]
  /** Continues after this row. */
  readonly after: number
  readonly limit: number
  /** The receiving peer; its own facts are omitted. */
  readonly except: string
}

export interface Feed {
  /**
   * In the order of storing, independent of clocks, so that continuing after `last` misses nothing. Facts from peers are forwarded only if
   * public.
   */
  feed(query: FeedQuery): Promise<{ readonly items: readonly PlacedFact[]; readonly last: number }>
}

/** Idempotent calls. */
interface Calls {
  recordedCall(call: CallId): Promise<RecordedCall | undefined>
  /** Adds the result to a recorded call. Its loss in a power failure loses nothing else. */
  recordAnswer(call: CallId, answer: JsonObject): Promise<void>
}

/** Canonical memory. Reads see every acknowledged write of every process. Absent ids are omitted; lists keep the order of their query. */
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
   * Calls `decide` with the wall-clock instant, raised above the previous commit if clocks differ by less than a tenth of a second, and
   * applies its changes with journal entries and index rows: all or nothing, durable when the promise resolves. The order of an owner's
   * journal (`seq`, `hlc`) always increases. A `put` whose version does not follow the stored one, or an entity name in use, rejects with
   * `conflict`; errors of `decide` are passed on; both change nothing. A `call` is recorded in the same transaction, unless nothing
   * changed; a call that is recorded already returns its record. `decide` may run more than once, so only its last run may have effects
   * outside.
   */
  commit(context: CommitContext, decide: (now: Instant) => readonly Change[]): Promise<CommitReceipt>
  counts(owner: string | undefined): Promise<Counts>
}
