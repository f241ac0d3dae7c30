import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from '../ports/embedder.js'
import { createBulkThreads, furtherThreads } from './bulk-threads.js'
import { cacheEmbedder, NO_CACHE } from './cache.js'
import { type Pooling, type Prefixes, resolveModel, toEmbeddingModel } from './known.js'
import { type ModelThread, openModelThread, placeOf, sharesThread } from './model-thread.js'
import type { RuntimeKind } from './onnx-runtime.js'
import type { EncoderSetup } from './onnx-worker.js'
import { shippedWorkerFile } from './shipped.js'

export interface LocalEmbedderOptions {
  /** Contains `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and optionally `tokenizer_config.json`. */
  readonly folder: string
  readonly modelId?: string | undefined
  readonly dimensions?: number | undefined
  readonly floor?: number | undefined
  readonly pooling?: Pooling | undefined
  readonly prefixes?: Prefixes | undefined
  readonly maxTokens?: number | undefined
  readonly cacheSize?: number | undefined
  /** Unloads the model after this time without work; 0 keeps it. */
  readonly idleMs?: number | undefined
  readonly threads?: number | undefined
  readonly workerFile?: string | undefined
  /** Further threads for bulk work; by default one for each other core, at most three. */
  readonly bulkThreads?: number
  /** For tests; by default the best available. */
  readonly runtime?: RuntimeKind
}

export const DEFAULT_IDLE_MS = 300_000

/** Further threads give their memory back soon after bulk work. */
const BULK_IDLE_MS = 10_000

// Measured on two cores: a second runtime thread doubles the CPU time and, with other load, the latency too.
export const DEFAULT_THREADS = 1
// No text needs more characters per token of the window; a huge one must not be copied or tokenised whole.
export const CHARACTERS_PER_TOKEN = 16
const MISSING_MODEL_HINT = 'Run `npm run build` to rebuild the model, or configure another embedder. Keyword search works without it.'
const MODEL_FILES = ['model.onnx', join('onnx', 'model.onnx'), 'model_quantized.onnx', join('onnx', 'model_quantized.onnx')]

/** An ONNX text encoder in a worker thread: loaded on first use, one text per run, unloaded when idle. */
export function openLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  return cacheEmbedder(openEncoder(options), options.cacheSize)
}

function openEncoder(options: LocalEmbedderOptions): Embedder {
  const { folder, idleMs = DEFAULT_IDLE_MS, threads = DEFAULT_THREADS } = options
  const model = resolveModel({ ...options, model: options.modelId ?? 'gte-small' })
  const { id, dimensions, pooling, prefixes, maxTokens } = model
  const open = (unloadMs: number): ModelThread<string, Float32Array> =>
    openModelThread({
      name: `The embedding model ${id} in ${folder}`,
      hint: MISSING_MODEL_HINT,
      idleMs: unloadMs,
      place: () => placeOf(options.runtime),
      locate() {
        const modelFile = MODEL_FILES.map((name) => join(folder, name)).find((file) => existsSync(file))
        if (modelFile === undefined) return 'there is no model.onnx.'
        const workerFile = options.workerFile ?? shippedWorkerFile('onnx-worker')
        if (!existsSync(workerFile)) return 'its worker file is missing.'
        const setup: Omit<EncoderSetup, 'gate'> = {
          folder,
          modelFile,
          dimensions,
          pooling,
          maxTokens,
          threads,
          ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
        }
        return { workerFile, setup }
      },
    })
  const thread = open(idleMs)
  // A runtime that has one thread per process computes no faster with two models.
  const further = sharesThread(options.runtime) ? 0 : (options.bulkThreads ?? furtherThreads())
  const bulk = createBulkThreads(thread, () => open(BULK_IDLE_MS), further)
  return {
    model: toEmbeddingModel(model),
    status: () => ({ ...thread.status(), cache: NO_CACHE }),
    warm: thread.warm,
    async embed(texts, { purpose, signal }) {
      const longest = maxTokens * CHARACTERS_PER_TOKEN
      const read = texts.map((text) => `${prefixes[purpose]}${text}`.slice(0, longest))
      return purpose === 'query' ? thread.run(read, purpose, signal) : bulk.run(read, signal)
    },
    async close() {
      await Promise.all([thread.close(), bulk.close()])
    },
  }
}
