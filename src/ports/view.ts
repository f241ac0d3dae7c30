import type { Instant, Scope } from '../core/facts/fact.js'
import type { AsOf } from '../core/facts/validity.js'
import type { FactHeader } from '../core/recall/candidate.js'
import type { LexicalFields } from '../core/recall/fields.js'
import type { Span } from '../core/text/pieces.js'

/** What may be found: filtered inside the index, before any cut. */
export interface SearchFilter extends AsOf {
  /** Only facts stored before this one. */
  readonly before?: number
  /** Every fact but this one. */
  readonly except?: number
}

export interface Hit {
  /** Row number of the fact: it means something within its view only. In a view of one owner it grows with every new fact. */
  readonly rid: number
  readonly score: number
}

/** Which part of a question a fact answers in words. */
export interface TermMatch {
  /** How many of its terms. */
  readonly terms: number
  /** The sum of their rarities (inverse document frequencies). */
  readonly rarity: number
}

/** A stretch of a long fact. */
export interface FoundPiece extends Span {
  readonly cosine: number
}

/** A fact found by words, with the part of the question that it, with its session, holds. */
export interface LexicalHit extends Hit, TermMatch {
  /** How many terms it has of its own, whether any matches or not. */
  readonly length: number
}

/** The lexical side of one question. Scores are BM25 over title, text and the neighbours of the same session. */
export interface LexicalMatches {
  readonly hits: readonly LexicalHit[]
  /** How many facts the view has. */
  readonly documents: number
  /** Sum of the rarities of all terms of the question, of those that nobody holds too. */
  readonly rarity: number
  /** The same for given facts of the view, whether they hold then or not; a fact that no term matches has a score of 0. */
  scores(rids: readonly number[]): Promise<ReadonlyMap<number, LexicalHit>>
}

export interface LexicalIndex {
  /** Rows whose title or text holds these words one after another, small words included; newest first, valid or not. */
  phrase(words: readonly string[], limit: number): Promise<readonly number[]>
  search(terms: readonly string[], pool: SearchFilter, limit: number, fields: LexicalFields): Promise<LexicalMatches>
}

export interface VectorIndex {
  /** Exact cosines, best first. Of a long fact its best piece counts, or, to compare facts with each other, the vector of the whole. */
  search(query: Float32Array, pool: SearchFilter, limit: number, by?: 'best piece' | 'whole'): Promise<readonly Hit[]>
  /** Exact cosines of the given rows, by their best pieces; rows without a vector yet are left out. */
  similarities(query: Float32Array, rids: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** The pieces of the long ones among these rows that have vectors, each with its cosine, in the order of the text. */
  pieces(query: Float32Array, rids: readonly number[]): Promise<ReadonlyMap<number, readonly FoundPiece[]>>
  /** Stored vectors of the given rows, as a whole. */
  vectors(rids: readonly number[]): Promise<ReadonlyMap<number, Float32Array>>
}

export interface Posting {
  readonly name: string
  /** Facts about it (their subject) and facts that mention it, at most the limit asked for. */
  readonly subjects: readonly number[]
  readonly mentions: readonly number[]
}

/** One statement of a session, as far as it was asked for. */
export interface Turn {
  readonly author: string | null
  readonly text: string
}

/** A fact between the turns before and after it in its session. */
export interface TurnContext extends Turn {
  readonly title: string | null
  readonly before: Turn | null
  readonly after: Turn | null
}

/** Links made at write time: what a fact is about and what it names. */
export interface LinkIndex {
  sketches(rids: readonly number[]): Promise<readonly FactHeader[]>
  /** These facts as they read, each text cut to so many characters: the end of the turn before, the beginning of the others. */
  surroundings(rids: readonly number[], characters: number): Promise<ReadonlyMap<number, TurnContext>>
  /** What each of these facts mentions, in normal form. */
  mentions(rids: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>
  /** Posting lists of names in normal form, of one owner; a list is cut at `limit` + 1 so that a hub can be told. */
  postings(owner: string, names: readonly string[], limit: number): Promise<readonly Posting[]>
  /** Known names among the words of a text, longest match first. */
  namesIn(owner: string, words: readonly string[]): Promise<readonly string[]>
  /** Which of these words are first names of authors of facts, with the full author names. */
  authorsIn(owner: string | undefined, words: readonly string[]): Promise<readonly string[]>
}

/** What the ranking of statements looks at; of a fact that came without a typed value, neither entity nor relation. */
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
  /** How often it was recalled. */
  readonly accesses: number
}

/** Row numbers of facts and back. What is not in the view is left out. */
export interface Rows {
  ridsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  idsOf(rids: readonly number[]): Promise<ReadonlyMap<number, string>>
}

/**
 * What one question needs of one owner's facts, or of everyone's: it sees every write acknowledged before it was opened.
 * Nothing of other owners is in it, nor counts in its scores. Whoever opens it closes it, so that its memory can be let go.
 */
export interface View {
  /** A number that changes whenever anything was committed by anyone. */
  readonly mark: number
  /** So many facts that an index names those that may answer: a few that an exact search would find may be missing. */
  readonly approximate?: true
  readonly words: LexicalIndex
  readonly vectors: VectorIndex
  readonly links: LinkIndex
  readonly rows: Rows
  /** Hundreds are ranked for a question, and few are told: no more is read of them than that takes. */
  statementHeaders(rids: readonly number[]): Promise<ReadonlyMap<number, StatementHeader>>
  close(): void
}
