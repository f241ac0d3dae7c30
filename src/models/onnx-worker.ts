import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { brokenModule } from '../core/broken-module.js'
import type { Pooling } from './known.js'
import { type NativeGate, passGate } from './native-gate.js'
import { installFolder } from './shipped.js'
import { toUnit } from './unit.js'

export interface WorkerSetup {
  readonly folder: string
  readonly modelFile: string
  readonly dimensions: number
  readonly pooling: Pooling
  readonly maxTokens: number
  readonly threads: number
  readonly gate: NativeGate
}

export type WorkerRequest = { readonly type: 'embed'; readonly id: number; readonly text: string } | { readonly type: 'close' }

export type WorkerReply =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly problem: string }
  | { readonly type: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly type: 'rejected'; readonly id: number; readonly problem: string }

interface Model {
  embed(text: string): Promise<Float32Array>
  release(): Promise<void>
}

async function load(setup: WorkerSetup): Promise<Model> {
  // Imported here, not above, so that a missing native library is answered with its reason instead of killing the thread.
  const { default: runtime } = await passGate(setup.gate, () => import('onnxruntime-node'))
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const tokenizer = new Tokenizer(await readJson(join(setup.folder, 'tokenizer.json')), await readTokenizerConfig(setup.folder))
  // Memory arena and pattern stay on: measured without them, long texts left up to twice the memory resident.
  const session = await passGate(setup.gate, () =>
    runtime.InferenceSession.create(setup.modelFile, {
      intraOpNumThreads: setup.threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    }),
  )
  const closing = tokenizer.encode('').ids.slice(1)

  const tokenise = (text: string): readonly number[] => {
    const ids = tokenizer.encode(text.replace(/\p{Cs}/gu, '\ufffd')).ids
    if (ids.length <= setup.maxTokens) return ids
    return [...ids.slice(0, setup.maxTokens - closing.length), ...closing]
  }
  const toInput = (length: number, valueAt: (index: number) => number): Tensor => {
    const values = new BigInt64Array(length)
    for (let i = 0; i < length; i++) values[i] = BigInt(valueAt(i))
    return new runtime.Tensor('int64', values, [1, length])
  }
  const embed = async (text: string): Promise<Float32Array> => {
    const ids = tokenise(text)
    const available: Readonly<Record<string, (index: number) => number>> = {
      input_ids: (index) => ids[index] ?? 0,
      attention_mask: () => 1,
      token_type_ids: () => 0,
      position_ids: (index) => index,
    }
    const inputs: Record<string, Tensor> = {}
    for (const name of session.inputNames) {
      const valueAt = available[name]
      if (valueAt === undefined) throw new Error(`the model wants an input "${name}", which is not one of a text encoder`)
      inputs[name] = toInput(ids.length, valueAt)
    }
    const outputs = await passGate(setup.gate, () => session.run(inputs))
    const vector = pool(choose(outputs, session.outputNames), setup.pooling)
    for (const output of Object.values(outputs)) output.dispose()
    if (vector.length !== setup.dimensions) {
      throw new Error(`its vectors have ${vector.length} dimensions, but ${setup.dimensions} are configured`)
    }
    return toUnit(vector)
  }
  // The first run allocates, and shows a wrong dimension before any text is accepted.
  await embed('')
  return { embed, release: () => passGate(setup.gate, () => session.release()) }
}

async function readJson(file: string): Promise<object> {
  const text = await readFile(file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is damaged: it does not hold JSON.`, { cause })
  }
  if (typeof value !== 'object' || value === null) throw new Error(`${file} does not hold a JSON object`)
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

function choose(outputs: InferenceSession.OnnxValueMapType, names: readonly string[]): Tensor {
  for (const name of ['sentence_embedding', 'dense_vecs', 'last_hidden_state', 'token_embeddings', ...names]) {
    const output = outputs[name]
    if (output !== undefined && output.type === 'float32') return output
  }
  throw new Error('the model has no 32-bit float output to read a vector from')
}

function pool(output: Tensor, pooling: Pooling): Float32Array {
  const { data, dims } = output
  if (!(data instanceof Float32Array)) throw new Error('the model did not answer with 32-bit floats')
  const dimensions = dims.at(-1) ?? 0
  const isPooled = dims.length === 2
  if (isPooled || pooling === 'cls') return data.slice(0, dimensions)
  if (pooling === 'last') return data.slice(data.length - dimensions)
  const vector = new Float32Array(dimensions)
  for (let at = 0; at < data.length; at += dimensions) {
    for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) + (data[at + i] ?? 0)
  }
  return vector
}

async function serve(port: MessagePort, setup: WorkerSetup): Promise<void> {
  const reply = (message: WorkerReply, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer)
  let model: Model
  try {
    model = await load(setup)
  } catch (failure) {
    reply({ type: 'failed', problem: problemOf(failure) })
    port.close()
    return
  }
  port.on('message', (request: WorkerRequest) => {
    if (request.type === 'close') {
      void model.release().finally(() => port.close())
      return
    }
    const { id } = request
    model.embed(request.text).then(
      (vector) => reply({ type: 'vector', id, vector }),
      (failure: unknown) => reply({ type: 'rejected', id, problem: messageOf(failure) }),
    )
  })
  reply({ type: 'ready' })
}

/** What is wrong with the runtime or a file of the model, and what mends it. */
function problemOf(failure: unknown): string {
  const broken = brokenModule(failure, installFolder())
  return broken === undefined ? messageOf(failure) : [broken.message, broken.hint].join(' ')
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

if (parentPort !== null) {
  const setup: WorkerSetup = workerData
  await serve(parentPort, setup)
}
