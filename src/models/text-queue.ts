import type { EmbedOptions } from '../ports/embedder.js'
import { cancelled } from './cache.js'

interface Batch {
  readonly texts: readonly string[]
  readonly vectors: Float32Array[]
  readonly settle: (failure: Error | null) => void
}

/** Texts waiting for a model that takes one at a time. A question overtakes every passage that has not started. */
export interface TextQueue {
  add(texts: readonly string[], purpose: EmbedOptions['purpose'], signal: AbortSignal | undefined): Promise<readonly Float32Array[]>
  take(): string | undefined
  /** The text last taken is done, or failed. Without effect when its caller has given up meanwhile. */
  complete(vector: Float32Array): void
  fail(failure: Error): void
  rejectAll(failure: Error): void
}

export function createTextQueue(): TextQueue {
  const lanes = { query: new Set<Batch>(), passage: new Set<Batch>() } as const
  let current: Batch | null = null

  const leave = (batch: Batch, failure: Error | null): void => {
    lanes.query.delete(batch)
    lanes.passage.delete(batch)
    if (current === batch) current = null
    batch.settle(failure)
  }

  return {
    add: (texts, purpose, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => leave(batch, cancelled())
        const vectors: Float32Array[] = []
        const settle = (failure: Error | null): void => {
          signal?.removeEventListener('abort', onAbort)
          if (failure === null) resolve(vectors)
          else reject(failure)
        }
        const batch: Batch = { texts, vectors, settle }
        signal?.addEventListener('abort', onAbort, { once: true })
        lanes[purpose].add(batch)
      }),
    take() {
      for (const lane of [lanes.query, lanes.passage]) {
        for (const batch of lane) {
          current = batch
          return batch.texts[batch.vectors.length]
        }
      }
      return undefined
    },
    complete(vector) {
      if (current === null) return
      const batch = current
      current = null
      batch.vectors.push(vector)
      if (batch.vectors.length === batch.texts.length) leave(batch, null)
    },
    fail(failure) {
      if (current !== null) leave(current, failure)
    },
    rejectAll(failure) {
      for (const batch of [...lanes.query, ...lanes.passage]) leave(batch, failure)
    },
  }
}
