import { MemoryError } from '../errors.js'
import type { EmbeddingModel } from '../ports/embedder.js'

export type Pooling = 'mean' | 'cls' | 'last'

export interface Prefixes {
  readonly query: string
  readonly passage: string
}

interface KnownModel {
  readonly dimensions: number
  readonly floor: number
  readonly pooling: Pooling
  readonly prefixes: Prefixes
  readonly maxTokens: number
  /** The provider can shorten the vectors of this model. */
  readonly resizable: boolean
  readonly isEnglishOnly: boolean
}

/** The shipped model. */
export const BUILT_IN = 'gte-small'

const NO_PREFIXES: Prefixes = { query: '', passage: '' }
const E5: Prefixes = { query: 'query: ', passage: 'passage: ' }
const NOMIC: Prefixes = { query: 'search_query: ', passage: 'search_document: ' }
const MXBAI: Prefixes = { query: 'Represent this sentence for searching relevant passages: ', passage: '' }

function known(dimensions: number, floor: number, rest: Partial<KnownModel> = {}): KnownModel {
  return { dimensions, floor, pooling: 'mean', prefixes: NO_PREFIXES, maxTokens: 512, resizable: false, isEnglishOnly: false, ...rest }
}

// The floor of gte-small was measured on unrelated short sentences and question-passage pairs, with medians of 0.73 to 0.78. The other
// floors are estimates; configure the floor if it matters.
const KNOWN_MODELS = new Map<string, KnownModel>([
  [BUILT_IN, known(384, 0.74, { isEnglishOnly: true })],
  ['e5_small', known(384, 0.72, { prefixes: E5 })],
  ['e5_multi', known(768, 0.72, { prefixes: E5 })],
  ['nomic', known(768, 0.45, { prefixes: NOMIC, maxTokens: 2048, isEnglishOnly: true })],
  ['bge_m3', known(1024, 0.35, { pooling: 'cls', maxTokens: 8192 })],
  ['mxbai-embed-large', known(1024, 0.35, { pooling: 'cls', prefixes: MXBAI, isEnglishOnly: true })],
  ['all-minilm', known(384, 0.05, { isEnglishOnly: true })],
  ['text-embedding-3-small', known(1536, 0.1, { maxTokens: 8191, resizable: true })],
  ['text-embedding-3-large', known(3072, 0.1, { maxTokens: 8191, resizable: true })],
  ['text-embedding-ada-002', known(1536, 0.7, { maxTokens: 8191 })],
  ['voyage-3-lite', known(512, 0.2, { maxTokens: 32000 })],
  ['voyage-3', known(1024, 0.2, { maxTokens: 32000 })],
  ['voyage-3-large', known(1024, 0.2, { maxTokens: 32000, resizable: true })],
  ['voyage-3.5', known(1024, 0.2, { maxTokens: 32000, resizable: true })],
  ['voyage-3.5-lite', known(1024, 0.2, { maxTokens: 32000, resizable: true })],
  ['voyage-code-3', known(1024, 0.2, { maxTokens: 32000, resizable: true })],
])

const ALIASES = new Map<string, string>([
  ['thenlper/gte-small', 'gte-small'],
  ['xenova/gte-small', 'gte-small'],
  ['e5-small', 'e5_small'],
  ['e5-small-v2', 'e5_small'],
  ['multilingual-e5-small', 'e5_small'],
  ['intfloat/e5-small-v2', 'e5_small'],
  ['intfloat/multilingual-e5-small', 'e5_small'],
  ['e5-multi', 'e5_multi'],
  ['multilingual-e5-base', 'e5_multi'],
  ['intfloat/multilingual-e5-base', 'e5_multi'],
  ['nomic-embed-text', 'nomic'],
  ['nomic-embed-text-v1.5', 'nomic'],
  ['nomic-ai/nomic-embed-text-v1.5', 'nomic'],
  ['bge-m3', 'bge_m3'],
  ['baai/bge-m3', 'bge_m3'],
  ['mixedbread-ai/mxbai-embed-large-v1', 'mxbai-embed-large'],
  ['all-minilm-l6-v2', 'all-minilm'],
])

/** Finds a model by any of its names; an Ollama tag such as `:latest` is ignored. */
export function findKnownModel(name: string): KnownModel | undefined {
  const plain = name.toLowerCase().replace(/:[^/]*$/, '')
  return KNOWN_MODELS.get(ALIASES.get(plain) ?? plain)
}

/** Models whose vector length needs no configuration. */
export const listKnownModels = (): readonly { readonly model: string; readonly dimensions: number; readonly builtIn: boolean }[] =>
  [...KNOWN_MODELS].map(([model, { dimensions }]) => ({ model, dimensions, builtIn: model === BUILT_IN }))

interface ModelChoice {
  readonly model: string
  readonly dimensions?: number | undefined
  readonly floor?: number | undefined
  readonly pooling?: Pooling | undefined
  readonly prefixes?: Prefixes | undefined
  readonly maxTokens?: number | undefined
}

export interface ResolvedModel extends EmbeddingModel {
  readonly name: string
  readonly pooling: Pooling
  readonly prefixes: Prefixes
  readonly maxTokens: number
  /** Set if the provider must be asked for shortened vectors. */
  readonly requestedDimensions: number | undefined
}

/** The known properties of a model, overridden by configuration. */
export function resolveModel(choice: ModelChoice): ResolvedModel {
  const entry = findKnownModel(choice.model)
  const dimensions = choice.dimensions ?? entry?.dimensions
  if (dimensions === undefined) {
    throw new MemoryError('invalid_input', `The embedding model "${choice.model}" has no known vector length.`, {
      hint: `Set the embedder's dimensions, or use a known model: ${[...KNOWN_MODELS.keys()].join(', ')}.`,
    })
  }
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 16_384) {
    throw new MemoryError('invalid_input', `Embedding dimensions must be a whole number from 1 to 16384, not ${dimensions}.`)
  }
  const resized = entry?.resizable === true && dimensions !== entry.dimensions
  return {
    // Shortened vectors are not comparable with full ones, so they count as another model.
    id: resized ? `${choice.model}@${dimensions}` : choice.model,
    name: choice.model,
    dimensions,
    floor: choice.floor ?? entry?.floor ?? 0,
    ...(entry?.isEnglishOnly === true ? { isEnglishOnly: true } : {}),
    pooling: choice.pooling ?? entry?.pooling ?? 'mean',
    prefixes: choice.prefixes ?? entry?.prefixes ?? NO_PREFIXES,
    maxTokens: choice.maxTokens ?? entry?.maxTokens ?? 512,
    requestedDimensions: resized ? dimensions : undefined,
  }
}

/** The properties of a model that the engine reads. */
export const toEmbeddingModel = ({ id, dimensions, floor, isEnglishOnly }: ResolvedModel): EmbeddingModel => ({
  ...{ id, dimensions, floor },
  ...(isEnglishOnly === true ? { isEnglishOnly } : {}),
})
