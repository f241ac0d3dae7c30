import type { Span } from '../core/text/pieces.js'
import type { EmbeddingModel } from './embedder.js'

/** `pieces` are those of long facts; each is one text, and belongs to a fact that has a vector of its own already. */
export type Embeddable = 'facts' | 'pieces' | 'passages'

export interface PendingText {
  readonly owner: string
  /** Of pieces and passages; facts are told by their ids. */
  readonly rid: number
  readonly id: string
  readonly version: number
  readonly text: string
  /** True of a fact that is also embedded in pieces. */
  readonly long?: boolean
  /** Which stretch of a long fact this is. */
  readonly piece?: PlacedPiece
}

export interface PlacedPiece extends Span {
  readonly index: number
}

export interface EmbeddedText extends Omit<PendingText, 'text' | 'long'> {
  readonly vector: Float32Array
}

export interface Claims {
  /** The oldest texts that wait; those that another process has claimed are left out for a while. */
  take(of: Embeddable, limit: number): Promise<readonly PendingText[]>
  /** Texts that were claimed and cannot be embedded here: another process need not wait until the claim ends. */
  giveUp(of: Embeddable, texts: readonly PendingText[]): Promise<void>
}

/** Which stored texts still lack a vector. A row of the store, so it survives every crash. */
export interface EmbeddingBacklog {
  /** How many texts, counted no further than asked; of pieces, how many facts lack some. */
  pending(of: Embeddable, atMost?: number): Promise<number>
  /** Oldest first. `only` restricts to facts with these ids. */
  next(of: Embeddable, limit: number, only?: readonly string[]): Promise<readonly PendingText[]>
  /** How several processes work side by side; missing where one at a time holds a lease for all. */
  readonly claims?: Claims
  /**
   * Stores vectors of texts that have not changed since; answers how many were taken. Rejects with `conflict` when a
   * model is named and the store has moved to another.
   */
  fill(of: Embeddable, vectors: readonly EmbeddedText[], model?: Pick<EmbeddingModel, 'id'>): Promise<number>
  /** The model whose vectors the store holds; undefined until the first is stored. */
  model(): Promise<Pick<EmbeddingModel, 'id' | 'dimensions'> | undefined>
  /** Makes the store ready for a model's vectors, dropping those of any other. Whoever is cut short goes on with `finishMove`. */
  adopt(model: EmbeddingModel): Promise<void>
  /** Drops every vector, so that all are made anew with this model. */
  discard(model: EmbeddingModel): Promise<void>
  /** Goes on with a change of model that was cut short. */
  resumeModelSwitch(): Promise<void>
}
