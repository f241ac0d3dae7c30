import type { Instant, Scope } from '../core/facts/fact.js'
import type { AsOf } from '../core/facts/validity.js'
import type { FactHeader } from '../core/recall/candidate.js'
import type { LexicalFields } from '../core/recall/lexical/fields.js'
import type { Span } from '../core/text/pieces.js'

/** A filter applied inside the index, before any limit. */
export interface SearchFilter extends AsOf {
  /** Only facts stored before this one. */
  readonly before?: number
  /** Excludes this fact. */
  readonly except?: number
}

export interface Hit {
  /** Row number of the fact, valid within its view. In a view of one owner it increases with every new fact. */
  readonly rid: number
  readonly score: number
}

/** The part of a query that a fact matches. */
export interface TermMatch {
  /** Number of matched terms. */
  readonly terms: number
  /** Sum of their inverse document frequencies. */
  readonly rarity: number
}

/** A matching piece of a long fact. */
export interface FoundPiece extends Span {
  readonly cosine: number
}

/** A lexical match, with the part of the query that the fact and its session contain. */
export interface LexicalHit extends Hit, TermMatch {
  /** Number of its own terms, matching or not. */
  readonly length: number
}

/** Lexical matches of a query. Scores are BM25 over title, text and neighbouring turns of the session. */
export interface LexicalMatches {
  readonly hits: readonly LexicalHit[]
  /** Number of facts in the view. */
  readonly documents: number
  /** Sum of the IDFs of all terms of the query, including unmatched ones. */
  readonly rarity: number
  /** Scores of given facts of the view, valid or not; 0 without a match. */
  scores(rids: readonly number[]): Promise<ReadonlyMap<number, LexicalHit>>
}

export interface LexicalIndex {
  /** Rows whose title or text contains these words consecutively, stop words included; newest first, valid or not. */
  phrase(words: readonly string[], limit: number): Promise<readonly number[]>
  search(terms: readonly string[], pool: SearchFilter, limit: number, fields: LexicalFields): Promise<LexicalMatches>
}

export interface VectorIndex {
  /** Exact cosines, best first. A long fact counts by its best piece or, to compare facts with each other, by the vector of the whole. */
  search(query: Float32Array, pool: SearchFilter, limit: number, granularity?: 'best piece' | 'whole'): Promise<readonly Hit[]>
  /** Exact cosines of the given rows, by their best pieces; rows without a vector are omitted. */
  similarities(query: Float32Array, rids: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** Pieces of long facts among these rows, each with its cosine, in text order; those without a vector are omitted. */
  pieces(query: Float32Array, rids: readonly number[]): Promise<ReadonlyMap<number, readonly FoundPiece[]>>
  /** Stored vectors of the given rows, each of the whole fact. */
  vectors(rids: readonly number[]): Promise<ReadonlyMap<number, Float32Array>>
}

interface Posting {
  readonly name: string
  /** Facts about the name (their subject) and facts that mention it, up to the limit. */
  readonly subjects: readonly number[]
  readonly mentions: readonly number[]
}

/** A turn of a session, clipped. */
export interface Turn {
  readonly author: string | null
  readonly text: string
}

/** A fact with the turns before and after it in its session. */
export interface TurnContext extends Turn {
  readonly title: string | null
  readonly before: Turn | null
  readonly after: Turn | null
}

/** Links computed at write time: subjects and mentions. */
export interface LinkIndex {
  sketches(rids: readonly number[]): Promise<readonly FactHeader[]>
  /** These facts and their neighbours, each text clipped to `characters`: the end of the previous turn, the beginning of the others. */
  surroundings(rids: readonly number[], characters: number): Promise<ReadonlyMap<number, TurnContext>>
  /** Mentions of each fact, in normal form. */
  mentions(rids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>
  /** Posting lists of names in normal form, of one owner; cut at `limit` + 1, so that hubs are recognisable. */
  postings(owner: string, names: readonly string[], limit: number): Promise<readonly Posting[]>
  /** Known names among the words of a text, longest match first. */
  namesIn(owner: string, words: readonly string[]): Promise<readonly string[]>
  /** Which of these words are first names of authors, with the full names. */
  authorsIn(owner: string | undefined, words: readonly string[]): Promise<readonly string[]>
}

/** The columns of a statement that ranking reads; entity and relation are absent without a typed value. */
export interface StatementHeader {
  readonly rid: number
  readonly id: string
  readonly entity: string | null
  readonly relation: string | null
  readonly scope: Scope
  readonly confidence: number
  readonly trust: number | null
  readonly eventAt: Instant
  readonly quarantine: string | null
  readonly derivedFrom: readonly string[]
  readonly hlc: string | null
  /** Recall count. */
  readonly accesses: number
}

/** Translates between row numbers and facts. Those outside the view are omitted. */
export interface Rows {
  ridsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  idsOf(rids: readonly number[]): Promise<ReadonlyMap<number, string>>
}

/**
 * A consistent snapshot of one owner's facts, or of all, opened for one query. It sees every write acknowledged before it was opened. Facts
 * of other owners are not part of it and do not affect its scores. Callers must close it, so that its shards can be evicted.
 */
export interface View {
  /** Changes with every commit. */
  readonly mark: number
  /** Set if an index preselects candidates: some matches of an exact search may be missing. */
  readonly approximate?: true
  readonly words: LexicalIndex
  readonly vectors: VectorIndex
  readonly links: LinkIndex
  readonly rows: Rows
  /** Reads only the columns that ranking needs. */
  statementHeaders(rids: readonly number[]): Promise<ReadonlyMap<number, StatementHeader>>
  close(): void
}
