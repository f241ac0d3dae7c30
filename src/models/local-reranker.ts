import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError } from '../errors.js'
import type { PairText, Reranker } from '../ports/reranker.js'
import { furtherThreads } from './bulk-threads.js'
import { CHARACTERS_PER_TOKEN, DEFAULT_IDLE_MS, DEFAULT_THREADS } from './local.js'
import { openModelThread, placeOf, sharesThread } from './model-thread.js'
import type { OnnxSetup } from './onnx-model.js'
import { createPairThreads, type PairThread } from './pair-threads.js'
import { PAIR_LIMITS } from './pair-tokens.js'
import type { PairWork } from './pair-worker.js'
import { createScoreCache } from './score-cache.js'
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
  /** Further threads; by default one for each other core, at most three. */
  readonly furtherThreads?: number
  /** Scores kept of pairs already read. */
  readonly cacheSize?: number
}

const MODEL_FILE = 'reranker-int8.onnx'
const SHA256 = '949b6b662f0e7f8f07f5b8e9e526459565906f2e413c693ef19f886455ec0a08'
const MISSING_MODEL_HINT = 'Recall works without it and keeps the first-stage order. Reinstall mneme, or set --rerank 0.'
/** About 330 questions of 30 candidates, 2 MB. */
const DEFAULT_SCORES = 10_000
/** Weight of previous measurements in the estimate. */
const ESTIMATE_DECAY = 0.7

/** The shipped cross-encoder in worker threads: loaded on first use, unloaded when idle. */
export function openLocalReranker(options: LocalRerankerOptions = {}): Reranker {
  const { folder = shippedRerankerFolder(), tokenizerFolder = shippedModelFolder(), idleMs = DEFAULT_IDLE_MS } = options
  const open = (): PairThread =>
    openModelThread<PairWork, readonly number[]>({
      name: `The reranker in ${folder}`,
      hint: MISSING_MODEL_HINT,
      idleMs,
      place: placeOf,
      locate() {
        const modelFile = join(folder, MODEL_FILE)
        if (!existsSync(modelFile)) return `there is no ${MODEL_FILE}.`
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
  const thread = open()
  // A runtime that has one thread per process computes no faster with two models.
  const threads = createPairThreads(thread, open, sharesThread() ? 0 : (options.furtherThreads ?? furtherThreads()))
  const cache = createScoreCache(SHA256, options.cacheSize ?? DEFAULT_SCORES)
  let waiting = 0
  let msPerPair = 0

  /** Measured only without a queue, because waiting time is not the model's. */
  const learn = (ms: number, pairs: number, alone: boolean): void => {
    if (alone && pairs > 0) msPerPair = msPerPair === 0 ? ms / pairs : ESTIMATE_DECAY * msPerPair + (1 - ESTIMATE_DECAY) * (ms / pairs)
  }

  return {
    status: thread.status,
    async scorePairs(question, pairs, { tooLong, withinMs, signal, fresh = false }) {
      const boundQuestion = bound(question, PAIR_LIMITS.question)
      const keyed = pairs.map(bounded).map((pair) => ({ pair, key: cache.keyOf(boundQuestion, pair, tooLong) }))
      const known = new Map<string, number>()
      const missing = new Map<string, PairText>()
      for (const { key, pair } of keyed) {
        const score = fresh ? undefined : cache.get(key)
        if (score === undefined) missing.set(key, pair)
        else known.set(key, score)
      }
      if ((waiting + missing.size) * msPerPair > withinMs)
        throw new MemoryError('unavailable', `Reranker queue full (${waiting} pairs).`, {
          hint: 'Results keep the first-stage order. Retry later.',
        })
      const alone = waiting === 0 && thread.status().state === 'ready'
      const since = performance.now()
      const reading = missing.size
      waiting += reading
      try {
        const scores = await threads.run(boundQuestion, [...missing.values()], tooLong, signal)
        if (scores.length < reading) return []
        learn(performance.now() - since, reading, alone)
        for (const [nth, key] of [...missing.keys()].entries()) {
          const score = scores[nth] ?? 0
          known.set(key, score)
          cache.put(key, score)
        }
        return keyed.map(({ key }) => known.get(key) ?? 0)
      } finally {
        waiting -= reading
      }
    },
    async close() {
      await Promise.all([thread.close(), threads.close()])
    },
  }
}

/** No input needs more characters than this; a huge text must not be copied or tokenised whole. */
const bound = (text: string, tokens: number): string => text.slice(0, tokens * CHARACTERS_PER_TOKEN)

const bounded = ({ memory, before, after }: PairText): PairText => ({
  memory: bound(memory, PAIR_LIMITS.memory),
  before: before === null ? null : before.slice(-PAIR_LIMITS.before * CHARACTERS_PER_TOKEN),
  after: after === null ? null : bound(after, PAIR_LIMITS.after),
})
