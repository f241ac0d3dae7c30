import type { ModelState } from './embedder.js'

/** A memory beside the question: as it reads, and the turns around it in the same session. */
export interface PairText {
  readonly memory: string
  readonly before: string | null
  readonly after: string | null
}

export interface RerankScores {
  /** Of the question. */
  readonly tokens: number
  /** Raw scores in the order of the pairs, the higher the better; none for a question that was too long. */
  readonly scores: readonly number[]
}

export interface RerankerStatus {
  readonly state: ModelState
  /** Set while the state is `error`: what failed and what to do. */
  readonly problem: string | null
}

export interface ScorePairsOptions {
  /** A question of this many tokens or more is only measured, not judged. */
  readonly tooLong: number
  /** Work that is expected to take longer, with what waits before it, is refused with `unavailable` at once. */
  readonly withinMs: number
  readonly signal?: AbortSignal
}

/** A model that reads a question and a memory together. */
export interface Reranker {
  status(): RerankerStatus
  /**
   * The same pair gets the same score in every process, whatever it is judged with. Rejects with `unavailable` when the
   * model cannot be had; the next call tries again. Cancelling ends the work between parts.
   */
  scorePairs(question: string, pairs: readonly PairText[], options: ScorePairsOptions): Promise<RerankScores>
  close(): Promise<void>
}
