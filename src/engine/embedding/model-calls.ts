import { MemoryError, toMemoryError } from '../../errors.js'
import type { Embedder, EmbedOptions } from '../../ports/embedder.js'
import { type Backoff, createBackoff } from '../backoff.js'
import { withTimeout } from '../with-timeout.js'

/** Calls of the model, which fail at once for a while after a failure that took long. */
interface ModelCalls {
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  /** Time until passages are tried again. */
  pauseMs(): number
  /** Ends all pauses. */
  reset(): void
}

/** A faster failure costs little, and repeating the request detects a recovered model. */
const COSTLY_MS = 1000
/** Maximum wait for a query vector; after that, keyword results are better than none. */
const QUESTION_MS = 10_000

export function createModelCalls(embedder: Embedder): ModelCalls {
  // Separate pauses: a text that a service rejects must not make every query fail.
  const pauses: Readonly<Record<EmbedOptions['purpose'], Backoff>> = { passage: createBackoff(), query: createBackoff() }
  const tooLate = (): MemoryError =>
    new MemoryError('unavailable', `The embedding model ${embedder.model.id} did not answer within ${QUESTION_MS / 1000} s.`, {
      hint: 'Check the embedder: `mneme settings` shows which it is, `mneme doctor` asks it.',
    })
  return {
    async embed(texts, options) {
      const pause = pauses[options.purpose]
      const known = pause.failure()
      if (known !== undefined) throw known
      const since = performance.now()
      try {
        const vectors = await (options.purpose === 'query'
          ? withTimeout(embedder.embed(texts, options), QUESTION_MS, tooLate)
          : embedder.embed(texts, options))
        // A working query shows that the model works; a failing one says nothing about passages.
        if (pauses.query.recordSuccess() || options.purpose === 'passage') pauses.passage.recordSuccess()
        return vectors
      } catch (error) {
        const failure = toMemoryError(error)
        if (failure.code !== 'cancelled' && performance.now() - since >= COSTLY_MS) pause.recordFailure(failure)
        throw failure
      }
    },
    pauseMs: () => pauses.passage.remainingMs(),
    reset() {
      for (const pause of Object.values(pauses)) pause.recordSuccess()
    },
  }
}
