/** What is recorded beside each vector. Two models never share an index. */
export interface EmbeddingModel {
  readonly id: string
  readonly dimensions: number
  /** The cosine that unrelated texts typically score with this model. */
  readonly floor: number
}

/** `idle` is not loaded: it will be on first need. */
export type ModelState = 'idle' | 'loading' | 'ready' | 'error'

export interface EmbedderStatus {
  readonly state: ModelState
  /** Set while the state is `error`: what failed and what to do. */
  readonly problem: string | null
  /** It works, but not as well as it should: why. Known once it is loaded. */
  readonly notice?: string
  readonly cache: { readonly hits: number; readonly misses: number; readonly size: number; readonly maxSize: number }
}

export interface EmbedOptions {
  /** Some models want another prefix for questions than for what is stored. */
  readonly purpose: 'query' | 'passage'
  readonly signal?: AbortSignal
}

export interface Embedder {
  readonly model: EmbeddingModel
  /** True where no model is wanted: nothing is sent to it, and nobody is told that it fails. */
  readonly disabled?: boolean
  status(): EmbedderStatus
  /** Starts loading in the background; never throws. */
  warm(): void
  /**
   * Unit vectors in the order of the texts. The same text gives the same vector in every process, whatever it is
   * batched with. Rejects with `unavailable` when the model cannot be had; the next call tries again.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  close(): Promise<void>
}
