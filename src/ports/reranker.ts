import type { ModelState } from './embedder.js'

/** A memory to rerank: its text, and the turns around it in its session. */
export interface PairText {
  readonly memory: string
  readonly before: string | null
  readonly after: string | null
}

export interface RerankerStatus {
  readonly state: ModelState
  /** Set in state `error`: what failed and what to do. */
  readonly problem: string | null
}

export interface ScorePairsOptions {
  /** A query with this many tokens or more is not scored. */
  readonly tooLong: number
  /** Work expected to take longer, including the queue, is rejected with `unavailable` at once. */
  readonly withinMs: number
  readonly signal?: AbortSignal
  /** Reads pairs whose scores are known, too. */
  readonly fresh?: boolean
}

/** A cross-encoder. */
export interface Reranker {
  status(): RerankerStatus
  /**
   * Raw scores in the order of the pairs, higher is better; none if the question is too long. A pair has the same score in every process
   * and batch. Rejects with `unavailable` if the model cannot be loaded; the next call retries. Cancelling stops between batches.
   */
  scorePairs(question: string, pairs: readonly PairText[], options: ScorePairsOptions): Promise<readonly number[]>
  close(): Promise<void>
}
