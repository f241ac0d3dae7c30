import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError } from '../errors.js'
import type { PairText, Reranker } from '../ports/reranker.js'
import { CHARACTERS_PER_TOKEN, DEFAULT_IDLE_MS, DEFAULT_THREADS } from './local.js'
import { openModelThread, placeOf } from './model-thread.js'
import type { OnnxSetup } from './onnx-model.js'
import { PAIR_LIMITS } from './pair-tokens.js'
import type { PairScores, PairWork } from './pair-worker.js'
import { shippedModelFolder, shippedRerankerFolder, shippedWorkerFile } from './shipped.js'

export interface LocalRerankerOptions {
  /** Contains `reranker-int8.onnx`. */
  readonly folder?: string | undefined
  /** Contains the tokenizer, which is that of the shipped embedder. */
  readonly tokenizerFolder?: string | undefined
  /** Unloads the model after this time without work; 0 keeps it. */
  readonly idleMs?: number | undefined
  readonly threads?: number | undefined
  readonly workerFile?: string | undefined
}

const MODEL = 'reranker-int8.onnx'
const SHA256 = '4e0a2bd6f4b80a5f80a48c57e7fee6ff14066196989c8248d562618c27d1448d'
const HINT = 'Recall works without it and keeps the first-stage order. Reinstall mneme, or set --rerank 0.'
/** A call can be cancelled between batches. */
const BATCH_SIZE = 8
/** Weight of previous measurements in the estimate. */
const ESTIMATE_DECAY = 0.7

/** The shipped cross-encoder in a worker thread: loaded on first use, unloaded when idle. */
export function openLocalReranker(options: LocalRerankerOptions = {}): Reranker {
  const { folder = shippedRerankerFolder(), tokenizerFolder = shippedModelFolder(), idleMs = DEFAULT_IDLE_MS } = options
  const thread = openModelThread<PairWork, PairScores>({
    name: `The reranker in ${folder}`,
    hint: HINT,
    idleMs,
    place: placeOf,
    locate() {
      const modelFile = join(folder, MODEL)
      if (!existsSync(modelFile)) return `there is no ${MODEL}.`
      const workerFile = options.workerFile ?? shippedWorkerFile('pair-worker')
      if (!existsSync(workerFile)) return 'its worker file is missing.'
      const setup: Omit<OnnxSetup, 'gate'> = {
        folder: tokenizerFolder,
        modelFile,
        sha256: SHA256,
        threads: options.threads ?? DEFAULT_THREADS,
      }
      return { workerFile, setup }
    },
  })
  let waiting = 0
  let msPerPair = 0

  /** Measured only without a queue, because waiting time is not the model's. */
  const learn = (ms: number, pairs: number, alone: boolean): void => {
    if (alone && pairs > 0) msPerPair = msPerPair === 0 ? ms / pairs : ESTIMATE_DECAY * msPerPair + (1 - ESTIMATE_DECAY) * (ms / pairs)
  }

  return {
    status: thread.status,
    async scorePairs(question, pairs, { tooLong, withinMs, signal }) {
      if ((waiting + pairs.length) * msPerPair > withinMs)
        throw new MemoryError('unavailable', `Reranker queue full (${waiting} pairs).`, {
          hint: 'Results keep the first-stage order. Retry later.',
        })
      const parts = inParts(pairs.map(bounded)).map(
        (part): PairWork => ({ question: bound(question, PAIR_LIMITS.question), pairs: part, tooLong }),
      )
      const alone = waiting === 0 && thread.status().state === 'ready'
      const since = performance.now()
      waiting += pairs.length
      try {
        const done = await thread.run(parts, 'query', signal)
        const scores = done.flatMap((part) => part.scores)
        learn(performance.now() - since, scores.length, alone)
        return { tokens: done[0]?.tokens ?? 0, scores }
      } finally {
        waiting -= pairs.length
      }
    },
    close: thread.close,
  }
}

const inParts = (pairs: readonly PairText[]): readonly (readonly PairText[])[] =>
  Array.from({ length: Math.ceil(pairs.length / BATCH_SIZE) }, (_, i) => pairs.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE))

/** No input needs more characters than this; a huge text must not be copied or tokenised whole. */
const bound = (text: string, tokens: number): string => text.slice(0, tokens * CHARACTERS_PER_TOKEN)

const bounded = ({ memory, before, after }: PairText): PairText => ({
  memory: bound(memory, PAIR_LIMITS.memory),
  before: before === null ? null : before.slice(-PAIR_LIMITS.before * CHARACTERS_PER_TOKEN),
  after: after === null ? null : bound(after, PAIR_LIMITS.after),
})
