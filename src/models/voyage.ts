import type { Embedder } from '../ports/embedder.js'
import { type HttpEmbedderOptions, joinUrl, openHttpEmbedder } from './http.js'
import { resolveModel } from './known.js'
import { hintForKeyedService, orderedData } from './openai.js'

const DEFAULT_VOYAGE_URL = 'https://api.voyageai.com/v1'
export const DEFAULT_VOYAGE_MODEL = 'voyage-3-lite'

export function openVoyageEmbedder(options: HttpEmbedderOptions): Embedder {
  const model = resolveModel(options)
  const size = model.requestedDimensions === undefined ? {} : { output_dimension: model.requestedDimensions }
  return openHttpEmbedder(
    {
      service: 'Voyage',
      model,
      endpoint: joinUrl(options.url ?? DEFAULT_VOYAGE_URL, '/embeddings'),
      maxCharacters: 8000,
      batchSize: 96,
      needsKey: options.url === undefined,
      // The service adds its own prefixes, by input type.
      body: (input, purpose) => ({
        model: model.name,
        input,
        input_type: purpose === 'query' ? 'query' : 'document',
        truncation: true,
        ...size,
      }),
      vectors: orderedData,
      hint: hintForKeyedService,
    },
    options,
  )
}
