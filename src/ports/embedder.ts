/** Identity of a model, stored with its vectors. Vectors of two models never share an index. */
export interface EmbeddingModel {
  readonly id: string
  readonly dimensions: number
  /** Typical cosine of unrelated texts with this model. */
  readonly floor: number
  /** True for a model whose vectors of other scripts than Latin mean little. */
  readonly isEnglishOnly?: boolean
}

/** `idle`: not loaded; loaded on first use. */
export type ModelState = 'idle' | 'loading' | 'ready' | 'error'

export interface EmbedderStatus {
  readonly state: ModelState
  /** Set in state `error`: what failed and what to do. */
  readonly problem: string | null
  /** A limitation of a working model, known once it is loaded. */
  readonly notice?: string
  readonly cache: { readonly hits: number; readonly misses: number; readonly size: number; readonly maxSize: number }
}

export interface EmbedOptions {
  /** Some models need different prefixes for queries and passages. */
  readonly purpose: 'query' | 'passage'
  readonly signal?: AbortSignal
}

export interface Embedder {
  readonly model: EmbeddingModel
  /** True if no model is configured: nothing is sent to it and no error is reported. */
  readonly disabled?: boolean
  status(): EmbedderStatus
  /** Starts loading in the background; never throws. */
  warm(): void
  /**
   * Unit vectors in the order of the texts. A text has the same vector in every process and batch. Rejects with `unavailable` if the model
   * cannot be loaded; the next call retries.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  close(): Promise<void>
}
