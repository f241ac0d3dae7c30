import type { PairText } from '../ports/reranker.js'
import type { ModelThread } from './model-thread.js'
import { PAIR_LIMITS } from './pair-tokens.js'
import type { PairWork } from './pair-worker.js'

/** Fewer pairs are read in one thread: a message to another one takes longer. */
const MIN_SHARED_PAIRS = 4
/** A call can be cancelled between batches. */
const BATCH_SIZE = 8
/** Tokens of a question and of the separators, and characters of a token, on average. */
const FIXED_TOKENS = 15
const CHARACTERS_PER_TOKEN = 4

export type PairThread = ModelThread<PairWork, readonly number[]>

interface PairThreads {
  /** Scores in the order of the pairs; none if the question is too long. */
  run(question: string, pairs: readonly PairText[], tooLong: number, signal: AbortSignal | undefined): Promise<readonly number[]>
  close(): Promise<void>
}

/**
 * Spreads the pairs of a question over further threads, on cores that the first one leaves idle. They are loaded by the second question,
 * so that a process with one question loads one model; until they are ready the first thread reads everything. A pair has the same score
 * in every thread.
 */
export function createPairThreads(first: PairThread, open: () => PairThread, count: number): PairThreads {
  let further: readonly PairThread[] = []

  const findReady = (): readonly PairThread[] => {
    if (first.status().state !== 'ready') return [first]
    if (further.length < count) further = Array.from({ length: count }, open)
    for (const thread of further) if (thread.status().state === 'idle') thread.warm()
    return [first, ...further.filter((thread) => thread.status().state === 'ready')]
  }

  return {
    async run(question, pairs, tooLong, signal) {
      const threads = pairs.length < MIN_SHARED_PAIRS ? [first] : findReady()
      const scores: number[] = []
      await Promise.all(
        dealByLength(pairs, threads.length).map(async (share, nth) => {
          const own = inBatches(share).map(
            (batch): PairWork => ({ question, tooLong, pairs: batch.flatMap((place) => pairs[place] ?? []) }),
          )
          const thread = threads[nth] ?? first
          const read = await thread.run(own, 'query', signal).catch((failure: unknown) => {
            // A further thread may lack memory; the failure of the first one counts.
            if (thread === first || signal?.aborted === true) throw failure
            return first.run(own, 'query', signal)
          })
          read.flat().forEach((score, index) => {
            scores[share[index] ?? 0] = score
          })
        }),
      )
      return scores
    },
    async close() {
      await Promise.all(further.map((thread) => thread.close()))
    },
  }
}

/** Places of the pairs for each thread: the longest first, each to the thread with the least to read, so that all take about the same time. */
function dealByLength(pairs: readonly PairText[], threads: number): readonly (readonly number[])[] {
  const lengths = pairs.map(lengthOf)
  const shares = Array.from({ length: threads }, () => ({ places: [] as number[], length: 0 }))
  for (const place of lengths.map((_, i) => i).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0))) {
    const least = shares.reduce((best, share) => (share.length < best.length ? share : best))
    least.places.push(place)
    least.length += lengths[place] ?? 0
  }
  return shares.map(({ places }) => places)
}

const lengthOf = ({ memory, before, after }: PairText): number =>
  FIXED_TOKENS +
  Math.min(PAIR_LIMITS.memory, memory.length / CHARACTERS_PER_TOKEN) +
  Math.min(PAIR_LIMITS.before, (before?.length ?? 0) / CHARACTERS_PER_TOKEN) +
  Math.min(PAIR_LIMITS.after, (after?.length ?? 0) / CHARACTERS_PER_TOKEN)

const inBatches = (places: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(places.length / BATCH_SIZE) }, (_, i) => places.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE))
