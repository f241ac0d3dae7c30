import { basename } from 'node:path'
import { MemoryError } from '../errors.js'
import type { Embedder } from '../ports/embedder.js'
import { NO_CACHE } from './cache.js'
import { openHashEmbedder } from './hash.js'
import type { HttpEmbedderOptions } from './http.js'
import { BUILT_IN, type Pooling } from './known.js'
import { openLocalEmbedder } from './local.js'
import { DEFAULT_OLLAMA_MODEL, openOllamaEmbedder } from './ollama.js'
import { DEFAULT_OPENAI_MODEL, openOpenAiEmbedder } from './openai.js'
import { shippedModelFolder } from './shipped.js'
import { DEFAULT_VOYAGE_MODEL, openVoyageEmbedder } from './voyage.js'

const EMBEDDER_PROVIDERS = ['local', 'ollama', 'openai', 'voyage', 'onnx', 'hash', 'none'] as const
type EmbedderProvider = (typeof EMBEDDER_PROVIDERS)[number]

interface EmbedderSettings {
  readonly provider: EmbedderProvider
  readonly model?: string | undefined
  readonly dimensions?: number | undefined
  readonly floor?: number | undefined
  /** Folder of the ONNX model; by default the shipped one for the provider `local`. */
  readonly folder?: string | undefined
  readonly pooling?: Pooling | undefined
  readonly queryPrefix?: string | undefined
  readonly passagePrefix?: string | undefined
  readonly maxTokens?: number | undefined
  readonly threads?: number | undefined
  readonly idleMs?: number | undefined
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
  readonly batchSize?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly cacheSize?: number | undefined
}

/** Reads settings only: models load and services are called on first use. */
export function openEmbedder(settings: EmbedderSettings): Embedder {
  switch (settings.provider) {
    case 'local':
      return openLocalEmbedder({
        ...settings,
        ...prefixesOf(settings),
        folder: settings.folder ?? shippedModelFolder(),
        modelId: BUILT_IN,
      })
    case 'onnx':
      return openOnnxFolder(settings)
    case 'ollama':
      return openOllamaEmbedder(toHttpOptions(settings, DEFAULT_OLLAMA_MODEL))
    case 'openai':
      return openOpenAiEmbedder(toHttpOptions(settings, DEFAULT_OPENAI_MODEL))
    case 'voyage':
      return openVoyageEmbedder(toHttpOptions(settings, DEFAULT_VOYAGE_MODEL))
    case 'hash':
      return openHashEmbedder(settings.dimensions)
    case 'none':
      return createDisabledEmbedder(settings.dimensions)
  }
}

function openOnnxFolder(settings: EmbedderSettings): Embedder {
  const { folder } = settings
  if (folder === undefined || folder === '') {
    throw new MemoryError('invalid_input', 'The onnx embedder requires a model folder.', {
      hint: 'Pass the folder with model.onnx and tokenizer.json in --embed-folder (or MNEME_EMBED_FOLDER).',
    })
  }
  return openLocalEmbedder({ ...settings, ...prefixesOf(settings), folder, modelId: settings.model ?? basename(folder) })
}

function toHttpOptions(settings: EmbedderSettings, defaultModel: string): HttpEmbedderOptions {
  return { ...settings, ...prefixesOf(settings), model: settings.model ?? defaultModel }
}

/** Empty if neither is configured, so that the table of known models applies. */
function prefixesOf({ queryPrefix, passagePrefix }: EmbedderSettings): Pick<HttpEmbedderOptions, 'prefixes'> {
  if (queryPrefix === undefined && passagePrefix === undefined) return {}
  return { prefixes: { query: queryPrefix ?? '', passage: passagePrefix ?? '' } }
}

/** Used when embedding is disabled: recall then uses keywords and links. */
function createDisabledEmbedder(dimensions = 384): Embedder {
  const problem = 'Embedding is disabled. Set an embedder to search by meaning.'
  return {
    model: { id: 'none', dimensions, floor: 0 },
    disabled: true,
    status: () => ({ state: 'error', problem, cache: NO_CACHE }),
    warm: () => undefined,
    embed: async () => {
      throw new MemoryError('unavailable', 'Embedding is disabled.', { hint: 'Set one with --embedder, e.g. `local`.' })
    },
    close: async () => undefined,
  }
}
