import { createHash } from 'node:crypto'
import type { PairText } from '../ports/reranker.js'

/** Scores of pairs that the model `modelId` has read, least recently used first out. */
interface ScoreCache {
  /** The digest of a question and a pair: texts are not kept. */
  keyOf(question: string, pair: PairText, tooLong: number): string
  get(key: string): number | undefined
  put(key: string, score: number): void
}

export function createScoreCache(modelId: string, maxSize: number): ScoreCache {
  // A Map iterates in insertion order: re-inserting on use keeps the oldest first.
  const scores = new Map<string, number>()
  return {
    keyOf: (question, { memory, before, after }, tooLong) =>
      createHash('sha256')
        .update(JSON.stringify([modelId, tooLong, question, memory, before, after]))
        .digest('base64'),
    get(key) {
      const score = scores.get(key)
      if (score !== undefined) {
        scores.delete(key)
        scores.set(key, score)
      }
      return score
    },
    put(key, score) {
      scores.delete(key)
      scores.set(key, score)
      if (scores.size <= maxSize) return
      for (const oldest of scores.keys()) {
        scores.delete(oldest)
        break
      }
    },
  }
}
