import type { Embedder } from '../ports/embedder.js'
import { type HttpEmbedderOptions, joinUrl, member, openHttpEmbedder } from './http.js'
import { resolveModel } from './known.js'

const DEFAULT_OPENAI_URL = 'https://api.openai.com/v1'
export const DEFAULT_OPENAI_MODEL = 'text-embedding-3-small'

/** OpenAI, or any server with its `/embeddings` protocol. */
export function openOpenAiEmbedder(options: HttpEmbedderOptions): Embedder {
  const model = resolveModel(options)
  const size = model.requestedDimensions === undefined ? {} : { dimensions: model.requestedDimensions }
  return openHttpEmbedder(
    {
      service: 'The OpenAI-compatible service',
      model,
      endpoint: joinUrl(options.url ?? DEFAULT_OPENAI_URL, '/embeddings'),
      // A text above the window is rejected, not truncated.
      maxCharacters: Math.min(8000, model.maxTokens * 3),
      batchSize: 96,
      // Other servers with this protocol often need none.
      needsKey: options.url === undefined,
      body: (input) => ({ model: model.name, input, encoding_format: 'float', ...size }),
      vectors: orderedData,
      hint: hintForKeyedService,
    },
    options,
  )
}

/** The vectors in `data`, by `index` if present, because the order is not guaranteed. */
export function orderedData(answer: unknown): readonly unknown[] | undefined {
  const data = member(answer, 'data')
  if (!Array.isArray(data)) return undefined
  const rows: unknown[] = []
  for (const [position, entry] of data.entries()) {
    const index = member(entry, 'index') ?? position
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= data.length || index in rows) return undefined
    rows[index] = member(entry, 'embedding')
  }
  return rows
}

export function hintForKeyedService(status: number): string {
  if (status === 401 || status === 403) return 'Check the API key (--embed-key).'
  if (status === 404) return 'Check the URL (--embed-url) and the name of the model (--embed-model).'
  if (status === 429) return 'Rate limit exceeded: retry later.'
  return status >= 500 ? 'The service failed: retry later.' : 'Check the model, its dimensions and the URL.'
}
