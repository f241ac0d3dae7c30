import type { Span } from '../core/text/pieces.js'
import type { EmbeddingModel } from './embedder.js'

/** `pieces` belong to long facts, each of which also has a vector of the whole. */
export type Embeddable = 'facts' | 'pieces' | 'passages'

export interface PendingText {
  readonly owner: string
  /** Row number of a piece or passage; facts are identified by id. */
  readonly rid: number
  readonly id: string
  readonly version: number
  readonly text: string
  /** True for a fact that is also embedded in pieces. */
  readonly long?: boolean
  /** Position of a piece in its fact. */
  readonly piece?: PlacedPiece
}

interface PlacedPiece extends Span {
  readonly index: number
}

export interface EmbeddedText extends Omit<PendingText, 'text' | 'long'> {
  readonly vector: Float32Array
}

export interface Claims {
  /** The oldest texts without a vector; those claimed by another process are skipped. */
  take(kind: Embeddable, limit: number): Promise<readonly PendingText[]>
  /** Releases claims on texts that cannot be embedded here, so that another process need not wait. */
  giveUp(kind: Embeddable, texts: readonly PendingText[]): Promise<void>
}

/** Stored texts without a vector. Persistent, so it survives crashes. */
export interface EmbeddingBacklog {
  /** Number of texts, counted up to `atMost`; for pieces, of facts that lack some. */
  pending(kind: Embeddable, atMost?: number): Promise<number>
  /** Oldest first. `only` restricts the result to these fact ids. */
  next(kind: Embeddable, limit: number, only?: readonly string[]): Promise<readonly PendingText[]>
  /** Claims for concurrent processes; absent if one process holds a lease for all. */
  readonly claims?: Claims
  /**
   * Stores the vectors of texts that did not change since. Returns how many were stored. Rejects with `conflict` if a model is named and
   * the store uses another.
   */
  fill(kind: Embeddable, vectors: readonly EmbeddedText[], model?: Pick<EmbeddingModel, 'id'>): Promise<number>
  /** The model of the stored vectors; undefined until the first is stored. */
  model(): Promise<Pick<EmbeddingModel, 'id' | 'dimensions'> | undefined>
  /** Switches the store to a model and drops the vectors of any other. `resumeModelSwitch` completes an interrupted switch. */
  adopt(model: EmbeddingModel): Promise<void>
  /** Drops every vector, so that all are recomputed with this model. */
  discard(model: EmbeddingModel): Promise<void>
  /** Completes an interrupted model switch. */
  resumeModelSwitch(): Promise<void>
}
