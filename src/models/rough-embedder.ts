import type { RoughEmbedder } from '../ports/code-index.js'
import { normaliseVector } from './normalise-vector.js'
import { shippedStaticFolder } from './shipped.js'
import { openStaticEmbedder, type StaticEmbedder } from './static.js'

const DIMENSIONS = 256
/** The model whose vectors can be projected. */
const TEACHER_MODEL = 'gte-small'

/** Loaded on first use: most processes never search code. */
export function createRoughEmbedder(modelId: string): RoughEmbedder {
  let embedder: StaticEmbedder | undefined
  const open = (): StaticEmbedder => {
    embedder ??= openStaticEmbedder(shippedStaticFolder())
    return embedder
  }
  return {
    dimensions: DIMENSIONS,
    passage: (text) => open().embed(text),
    query(text, vector) {
      const own = open().embed(text)
      if (vector === undefined || modelId !== TEACHER_MODEL) return own
      const projected = open().project(vector)
      return normaliseVector(own.map((component, i) => component + (projected[i] ?? 0)))
    },
  }
}
