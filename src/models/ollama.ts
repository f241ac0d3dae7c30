import type { Embedder } from '../ports/embedder.js'
import { type HttpEmbedderOptions, joinUrl, member, openHttpEmbedder } from './http.js'
import { resolveModel } from './known.js'

const DEFAULT_OLLAMA_URL = 'http://127.0.0.1:11434'
export const DEFAULT_OLLAMA_MODEL = 'nomic-embed-text'

export function openOllamaEmbedder(options: HttpEmbedderOptions): Embedder {
  const model = resolveModel(options)
  return openHttpEmbedder(
    {
      service: 'Ollama',
      model,
      endpoint: joinUrl(options.url ?? DEFAULT_OLLAMA_URL, '/api/embed'),
      // The server truncates to the model's window.
      maxCharacters: 8000,
      batchSize: 32,
      body: (input) => ({ model: model.name, input, truncate: true }),
      vectors: (answer) => {
        const rows = member(answer, 'embeddings')
        return Array.isArray(rows) ? rows : undefined
      },
      hint: (status) =>
        status === 404 ? `Run \`ollama pull ${model.name}\`, and check the URL.` : 'See the log of the Ollama server, then retry.',
    },
    options,
  )
}
