import type { PairText } from '../ports/reranker.js'
import { passGate } from './native-gate.js'
import { type BatchWorker, loadOnnx, type OnnxSetup, serveOnnx } from './onnx-model.js'
import { toPair } from './pair-tokens.js'

/** Some pairs of one query. */
export interface PairWork {
  readonly question: string
  readonly pairs: readonly PairText[]
  /** A query with this many tokens or more is not scored. */
  readonly tooLong: number
}

const EMPTY_REQUEST = { question: '', pairs: [{ memory: '', before: null, after: null }], tooLong: 1 }

export async function load(setup: OnnxSetup): Promise<BatchWorker<PairWork, readonly number[]>> {
  const { session, tokenizer, toTensor, ...rest } = await loadOnnx(setup)
  const tokensOf = (text: string): readonly number[] => tokenizer.encode(text, { add_special_tokens: false }).ids

  /** One pair per run: otherwise a score would depend on its batch. Batches are not faster here. */
  const scoreOf = async (question: readonly number[], { memory, before, after }: PairText): Promise<number> => {
    const { ids, types } = toPair({
      question,
      memory: tokensOf(memory),
      before: before === null ? null : tokensOf(before),
      after: after === null ? null : tokensOf(after),
    })
    const inputs = {
      input_ids: toTensor(ids.length, (index) => ids[index] ?? 0),
      token_type_ids: toTensor(ids.length, (index) => types[index] ?? 0),
      attention_mask: toTensor(ids.length, () => 1),
    }
    const outputs = await passGate(setup.gate, () => session.run(inputs))
    const data = outputs.score?.data
    const score = data instanceof Float32Array ? data[0] : undefined
    for (const value of [...Object.values(inputs), ...Object.values(outputs)]) value.dispose()
    if (score === undefined || !Number.isFinite(score)) throw new Error('the model returned no score')
    return score
  }

  const run = async ({ question, pairs, tooLong }: PairWork): Promise<readonly number[]> => {
    const requested = tokensOf(question)
    const scores: number[] = []
    if (requested.length < tooLong) for (const pair of pairs) scores.push(await scoreOf(requested, pair))
    return scores
  }
  // The first run allocates memory, and detects another kind of model before any query is accepted.
  await run(EMPTY_REQUEST)
  return { run, ...rest }
}

await serveOnnx(load)
