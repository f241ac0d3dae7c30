import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { Worker } from 'node:worker_threads'
import { MemoryError } from '../errors.js'
import type { Embedder, EmbedderState, EmbedOptions } from '../ports/embedder.js'
import { cacheEmbedder, cancelled, NO_CACHE } from './cache.js'
import { type Pooling, type Prefixes, resolveModel } from './known.js'
import { createNativeGate, holdExit, type NativeGate, releaseExit, shutGate } from './native-gate.js'
import type { WorkerReply, WorkerRequest, WorkerSetup } from './onnx-worker.js'
import { shippedWorkerFile } from './shipped.js'
import { createTextQueue } from './text-queue.js'

export interface LocalEmbedderOptions {
  /** Holds `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and, where there is one, `tokenizer_config.json`. */
  readonly folder: string
  readonly modelId?: string | undefined
  readonly dimensions?: number | undefined
  readonly floor?: number | undefined
  readonly pooling?: Pooling | undefined
  readonly prefixes?: Prefixes | undefined
  readonly maxTokens?: number | undefined
  readonly cacheSize?: number | undefined
  /** The model leaves memory after this long without work; 0 keeps it. */
  readonly idleMs?: number | undefined
  readonly threads?: number | undefined
  readonly workerFile?: string | undefined
}

export const DEFAULT_IDLE_MS = 300_000

// Measured on two cores: a second runtime thread doubles the CPU time and, beside other work, the latency too.
const DEFAULT_THREADS = 1
// No text needs more characters than this to fill the window, and a huge one must not be copied or tokenised whole.
const CHARACTERS_PER_TOKEN = 16
const SHUTDOWN_MS = 1000
const HINT = 'Run `npm run build` to make the model again, or configure another embedder. Keyword search works without it.'
const MODEL_FILES = ['model.onnx', join('onnx', 'model.onnx'), 'model_quantized.onnx', join('onnx', 'model_quantized.onnx')]

/** An ONNX text encoder in a worker thread: loaded on first need, one text per run, unloaded when idle. */
export function openLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  return cacheEmbedder(openThread(options), options.cacheSize)
}

function openThread(options: LocalEmbedderOptions): Embedder {
  const { folder, idleMs = DEFAULT_IDLE_MS, threads = DEFAULT_THREADS } = options
  const { id, dimensions, floor, pooling, prefixes, maxTokens } = resolveModel({ ...options, model: options.modelId ?? 'gte-small' })
  const queue = createTextQueue()
  let state: EmbedderState = 'idle'
  let problem: string | null = null
  let worker: Worker | null = null
  let gate = createNativeGate()
  let idleTimer: NodeJS.Timeout | undefined
  let nextId = 0
  let runningId: number | null = null
  let closed = false

  const fail = (reason: string): void => {
    const message = `The embedding model ${id} in ${folder} cannot be used: ${reason}`
    problem = `${message} ${HINT}`
    state = 'error'
    retire(worker)
    queue.rejectAll(unavailable(message))
  }

  const retire = (retired: Worker | null): void => {
    clearTimeout(idleTimer)
    if (retired === null || worker !== retired) return
    worker = null
    runningId = null
  }

  const start = (): void => {
    if (worker !== null || closed) return
    const modelFile = MODEL_FILES.map((name) => join(folder, name)).find((file) => existsSync(file))
    if (modelFile === undefined) {
      fail('there is no model.onnx.')
      return
    }
    const workerFile = options.workerFile ?? shippedWorkerFile()
    if (!existsSync(workerFile)) {
      fail('the program file of its worker thread is missing.')
      return
    }
    state = 'loading'
    problem = null
    const entered = createNativeGate()
    const setup: WorkerSetup = { folder, modelFile, dimensions, pooling, maxTokens, threads, gate: entered }
    forbidTelemetry()
    // No inherited flags: loaders of the parent (test runners, debuggers) do not belong in this thread.
    const started = new Worker(workerFile, { workerData: setup, execArgv: [] })
    worker = started
    gate = entered
    holdExit(entered)
    started.unref()
    started.on('message', (reply: WorkerReply) => {
      if (worker === started) receive(reply)
    })
    started.on('error', (failure: Error) => {
      if (worker === started) fail(`its worker thread failed: ${failure.message}`)
    })
    started.on('exit', (code) => {
      releaseExit(entered)
      if (worker === started) fail(`its worker thread ended unexpectedly (code ${code}).`)
    })
  }

  const receive = (reply: WorkerReply): void => {
    if (reply.type === 'failed') fail(reply.problem)
    else if (reply.type === 'ready') state = 'ready'
    else if (reply.id === runningId) {
      runningId = null
      if (reply.type === 'vector') queue.complete(reply.vector)
      else queue.fail(unavailable(`The embedding model ${id} failed on a text: ${reply.problem}`))
    }
    advance()
  }

  const advance = (): void => {
    if (worker === null || state !== 'ready' || runningId !== null) return
    const text = queue.take()
    if (text === undefined) {
      rest(worker)
      return
    }
    clearTimeout(idleTimer)
    runningId = nextId++
    const request: WorkerRequest = { type: 'embed', id: runningId, text }
    worker.ref()
    worker.postMessage(request)
  }

  const rest = (idle: Worker): void => {
    idle.unref()
    clearTimeout(idleTimer)
    if (idleMs <= 0) return
    idleTimer = setTimeout(() => {
      if (worker !== idle || runningId !== null) return
      retire(idle)
      state = 'idle'
      void shutDown(idle, gate)
    }, idleMs).unref()
  }

  const embed = async (texts: readonly string[], { purpose, signal }: EmbedOptions): Promise<readonly Float32Array[]> => {
    if (closed) throw unavailable(`The embedder ${id} is closed.`)
    if (signal?.aborted === true) throw cancelled()
    if (texts.length === 0) return []
    const longest = maxTokens * CHARACTERS_PER_TOKEN
    const prepared = texts.map((text) => `${prefixes[purpose]}${text}`.slice(0, longest))
    const vectors = queue.add(prepared, purpose, signal)
    start()
    // Only a caller that waits keeps the process alive; loading in the background does not.
    worker?.ref()
    advance()
    return vectors
  }

  return {
    model: { id, dimensions, floor },
    status: () => ({ state, problem, cache: NO_CACHE }),
    warm: start,
    embed,
    async close() {
      closed = true
      const last = worker
      retire(last)
      state = 'idle'
      queue.rejectAll(unavailable(`The embedder ${id} was closed.`))
      if (last !== null) await shutDown(last, gate)
    },
  }
}

/**
 * The native runtime writes a device id into the home directory and reports its use to its vendor, unless the environment of the
 * process says no. A worker has only a copy of it, and the runtime offers JavaScript no other switch.
 */
function forbidTelemetry(): void {
  env.ORT_DISABLE_TELEMETRY = '1'
}

/** Lets the worker give its memory back. One that does not answer is ended, or left to the end of the process while it computes. */
async function shutDown(worker: Worker, gate: NativeGate): Promise<void> {
  const request: WorkerRequest = { type: 'close' }
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(() => {
      if (shutGate(gate)) void worker.terminate()
      else {
        worker.unref()
        resolve()
      }
    }, SHUTDOWN_MS)
    worker.once('exit', () => {
      clearTimeout(deadline)
      resolve()
    })
    worker.postMessage(request)
    worker.ref()
  })
}

function unavailable(message: string): MemoryError {
  return new MemoryError('unavailable', message, { hint: HINT })
}
