import type { FactStatus, Instant } from '../facts/fact.js'
import type { Scored } from './rank.js'

/** The columns of a fact that ranking reads. */
export interface FactHeader {
  readonly rid: number
  readonly id: string
  readonly owner: string
  /** Subject in normal form. */
  readonly subject: string | null
  readonly author: string | null
  /** Facts of one session are a conversation; a fact without one is a note. */
  readonly session: string | null
  readonly recordedAt: Instant
  readonly validFrom: Instant
  readonly validUntil: Instant | null
  readonly expiresAt: Instant | null
  readonly status: FactStatus
  readonly isCode: boolean
}

/** A fact retrieved for ranking. */
export interface Candidate {
  readonly header: FactHeader
  /** Null if it has no vector yet. */
  readonly cosine: number | null
  readonly bm25: number
  /** Number of query terms in its own text or its context. */
  readonly matches: number
  /** Sum of the IDFs of these terms. */
  readonly rarity: number
  /** BM25 of its hyponyms of categories in the query. */
  readonly kinds: number
  /** Number of terms in its text. */
  readonly length: number
}

export interface ScoredCandidate extends Candidate, Scored {
  /** Cosine and BM25 relative to the best candidate, 0 to 1. */
  readonly vector: number
  readonly lexical: number
  /** Strength of the link or share of the graph walk that reached it, 0 to 1. */
  readonly graph: number
  /** The seed and the name through which it was reached. */
  readonly via: { readonly seed: string; readonly name: string } | null
  /** Raw score of the judge; null where the judge did not read it. */
  readonly judged: number | null
  /** Log-odds before the judge, by which relevance is computed where a caller sets weights. */
  readonly logOdds: number
}

export const newestFirst = (a: Candidate, b: Candidate): number => b.header.recordedAt - a.header.recordedAt || a.header.rid - b.header.rid
