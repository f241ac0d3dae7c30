import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { InferenceSession, Tensor } from 'onnxruntime-common'
import { brokenModule } from '../core/files/broken-module.js'
import type { ThreadReply, ThreadRequest } from './model-thread.js'
import { type NativeGate, passGate } from './native-gate.js'
import { loadRuntime, type RuntimeKind } from './onnx-runtime.js'
import { installFolder } from './shipped.js'

/** Setup of every worker with an ONNX model. */
export interface OnnxSetup {
  /** Contains the tokenizer. */
  readonly folder: string
  readonly modelFile: string
  /** If known, a file with another hash is rejected. */
  readonly sha256?: string
  readonly threads: number
  /** For tests; by default the best available. */
  readonly runtime?: RuntimeKind
  readonly gate: NativeGate
}

/** How a worker processes one batch. */
export interface BatchWorker<Input, Output> {
  run(input: Input): Promise<Output>
  release(): Promise<void>
  /** A limitation of the runtime, for the user. */
  readonly notice?: string
}

interface Tokens {
  readonly ids: readonly number[]
}

interface OnnxModel {
  readonly session: InferenceSession
  readonly tokenizer: { encode(text: string, options?: { readonly add_special_tokens?: boolean }): Tokens }
  /** One row of integers. */
  toTensor(length: number, valueAt: (index: number) => number): Tensor
  release(): Promise<void>
  readonly notice?: string
}

export async function loadOnnx(setup: OnnxSetup): Promise<OnnxModel> {
  // Loaded here, so that a missing library is reported instead of ending the thread.
  const runtime = await passGate(setup.gate, () => loadRuntime(setup.runtime))
  const model =
    setup.sha256 === undefined
      ? runtime.kind === 'native'
        ? setup.modelFile
        : await readFile(setup.modelFile)
      : await readTrusted(setup.modelFile, setup.sha256)
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const tokenizer = new Tokenizer(await readJson(join(setup.folder, 'tokenizer.json')), await readTokenizerConfig(setup.folder))
  // Memory arena and pattern stay on: without them, long texts left up to twice the resident memory.
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: setup.threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    ...runtime.sessionOptions,
  }
  const session = await passGate(setup.gate, () =>
    typeof model === 'string' ? runtime.InferenceSession.create(model, options) : runtime.InferenceSession.create(model, options),
  )
  return {
    session,
    tokenizer: { encode: (text, input) => tokenizer.encode(text.replace(/\p{Cs}/gu, '\ufffd'), input) },
    toTensor(length, valueAt) {
      const values = new BigInt64Array(length)
      for (let i = 0; i < length; i++) values[i] = BigInt(valueAt(i))
      return new runtime.Tensor('int64', values, [1, length])
    },
    release: () => passGate(setup.gate, () => session.release()),
    ...(runtime.notice === undefined ? {} : { notice: runtime.notice }),
  }
}

async function readTrusted(file: string, expected: string): Promise<Uint8Array> {
  const bytes = await readFile(file)
  const got = createHash('sha256').update(bytes).digest('hex')
  if (got !== expected) throw new Error(`${file} is damaged: its sha256 is ${got}, expected ${expected}.`)
  return bytes
}

async function readJson(file: string): Promise<object> {
  const text = await readFile(file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is damaged: it is not JSON.`, { cause })
  }
  if (typeof value !== 'object' || value === null) throw new Error(`${file} is not a JSON object`)
  return value
}

async function readTokenizerConfig(folder: string): Promise<object> {
  try {
    return await readJson(join(folder, 'tokenizer_config.json'))
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return {}
    throw failure
  }
}

/** The export of a worker module, for a shared thread. */
export type LoadModel = (setup: object) => Promise<BatchWorker<unknown, unknown>>

/** Loads the model of this worker and serves its owner until closed. A shared thread does this itself. */
export async function serveOnnx<Setup extends OnnxSetup, Input, Output>(
  load: (setup: Setup) => Promise<BatchWorker<Input, Output>>,
): Promise<void> {
  if (parentPort === null || workerData?.common === true) return
  const setup: Setup = workerData
  await serve(parentPort, () => load(setup))
}

export async function serve<Input, Output>(port: MessagePort, load: () => Promise<BatchWorker<Input, Output>>): Promise<void> {
  const reply = (message: ThreadReply<Output>): void => port.postMessage(message)
  let model: BatchWorker<Input, Output>
  try {
    model = await load()
  } catch (failure) {
    reply({ type: 'failed', problem: problemOf(failure) })
    port.close()
    return
  }
  port.on('message', (request: ThreadRequest<Input>) => {
    if (request.type === 'close') {
      void model.release().finally(() => port.close())
      return
    }
    const { id } = request
    model.run(request.input).then(
      (output) => reply({ type: 'done', id, output }),
      (failure: unknown) => reply({ type: 'rejected', id, problem: messageOf(failure) }),
    )
  })
  reply({ type: 'ready', notice: model.notice ?? null })
}

/** The problem with the runtime or a model file, and its remedy. */
function problemOf(failure: unknown): string {
  const broken = brokenModule(failure, installFolder())
  return broken === undefined ? messageOf(failure) : [broken.message, broken.hint].join(' ')
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
