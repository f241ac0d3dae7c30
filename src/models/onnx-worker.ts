import type { InferenceSession, Tensor } from 'onnxruntime-common'
import type { Pooling } from './known.js'
import { passGate } from './native-gate.js'
import { normaliseVector } from './normalise-vector.js'
import { type BatchWorker, loadOnnx, type OnnxSetup, serveOnnx } from './onnx-model.js'

export interface EncoderSetup extends OnnxSetup {
  readonly dimensions: number
  readonly pooling: Pooling
  readonly maxTokens: number
}

export async function load(setup: EncoderSetup): Promise<BatchWorker<string, Float32Array>> {
  const { session, tokenizer, toTensor, ...rest } = await loadOnnx(setup)
  const closing = tokenizer.encode('').ids.slice(1)

  const tokenise = (text: string): readonly number[] => {
    const ids = tokenizer.encode(text).ids
    if (ids.length <= setup.maxTokens) return ids
    return [...ids.slice(0, setup.maxTokens - closing.length), ...closing]
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
      if (valueAt === undefined) throw new Error(`the model requires the input "${name}", which a text encoder does not have`)
      inputs[name] = toTensor(ids.length, valueAt)
    }
    const outputs = await passGate(setup.gate, () => session.run(inputs))
    const vector = pool(choose(outputs, session.outputNames), setup.pooling)
    for (const output of Object.values(outputs)) output.dispose()
    if (vector.length !== setup.dimensions) {
      throw new Error(`its vectors have ${vector.length} dimensions, but ${setup.dimensions} are configured`)
    }
    return normaliseVector(vector)
  }
  // The first run allocates memory, and detects a wrong dimension before any text is accepted.
  await embed('')
  return { run: embed, ...rest }
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
  if (!(data instanceof Float32Array)) throw new Error('the model did not return 32-bit floats')
  const dimensions = dims.at(-1) ?? 0
  const isPooled = dims.length === 2
  if (isPooled || pooling === 'cls') return data.slice(0, dimensions)
  if (pooling === 'last') return data.slice(data.length - dimensions)
  const vector = new Float32Array(dimensions)
  for (let index = 0; index < data.length; index += dimensions) {
    for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) + (data[index + i] ?? 0)
  }
  return vector
}

await serveOnnx(load)
