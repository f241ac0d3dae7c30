import type { FactStatus, Instant } from '../facts/fact.js'

/** The few columns of a fact that ranking looks at. */
export interface FactHeader {
  readonly rid: number
  readonly id: string
  readonly owner: string
  /** What it is about, in normal form. */
  readonly subject: string | null
  readonly author: string | null
  /** Facts of one session are a conversation; one without stands for itself. */
  readonly session: string | null
  readonly recordedAt: Instant
  readonly validFrom: Instant
  readonly validUntil: Instant | null
  readonly expiresAt: Instant | null
  readonly status: FactStatus
  readonly isCode: boolean
}

/** A fact with both sides of its score. `cosine` is null while its vector is still to be made. */
export interface Candidate {
  readonly sketch: FactHeader
  readonly cosine: number | null
  readonly bm25: number
  /** How many of the question's terms it holds or borrows. */
  readonly matches: number
  /** By the same measure: words it holds of kinds that the question names. */
  readonly near: number
  /** How many terms it has of its own. */
  readonly length: number
}

/** A candidate with its place on the common scale, and why. */
export interface ScoredCandidate extends Candidate {
  score: number
  readonly vector: number
  readonly lexical: number
  /** What links or the graph walk added, 0 to 1. */
  graph: number
  /** The seed and the name through which it was lifted. */
  via: { readonly seed: string; readonly name: string } | null
  readonly boosts: readonly ('near words' | 'author' | 'subject' | 'recency')[]
  /** What the reranker said (null where it was not asked of this one), and what that added. */
  reranked?: { readonly raw: number | null; readonly share: number }
}
