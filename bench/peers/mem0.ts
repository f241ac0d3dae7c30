import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { embedText } from '../../src/core/embedding/fact-text.js'
import type { System } from '../quality/run.js'

interface Mem0 {
  add(text: string, options: { userId: string; infer: false; metadata: Record<string, string> }): Promise<unknown>
  search(query: string, options: { topK: number; threshold: number; filters: Record<string, string> }): Promise<unknown>
}

interface Mem0Module {
  readonly Memory: new (config: Record<string, unknown>) => Mem0
}

const found = z.object({ results: z.array(z.object({ score: z.number().nullish(), metadata: z.object({ evalId: z.string() }) })) })

/** mem0 with its in-memory store and the same vectors; its language model is not called. */
export async function openMem0(peers: string, embedUrl: string, modelId: string, dimensions: number): Promise<System> {
  process.env.MEM0_TELEMETRY = 'false'
  process.env.DOTENV_CONFIG_QUIET = 'true'
  const entry = join(peers, 'node_modules', 'mem0ai', 'dist', 'oss', 'index.js')
  const loaded: { default: Mem0Module } = await import(pathToFileURL(entry).href)
  const endpoint = { apiKey: 'unused', baseURL: embedUrl }
  const memory = new loaded.default.Memory({
    embedder: { provider: 'openai', config: { ...endpoint, model: modelId, embeddingDims: dimensions } },
    vectorStore: { provider: 'memory', config: { collectionName: 'bench', dimension: dimensions, dbPath: ':memory:' } },
    llm: { provider: 'openai', config: { ...endpoint, model: 'unused' } },
    disableHistory: true,
  })
  return {
    async store(item) {
      await memory.add(embedText({ ...item, text: item.content, subject: null }), {
        userId: item.pool,
        infer: false,
        metadata: { evalId: item.id },
      })
    },
    async ask(question, _mode, limit) {
      const start = performance.now()
      const value = await memory.search(question.query, { topK: limit, threshold: 0, filters: { user_id: question.pool } })
      const milliseconds = performance.now() - start
      const { results } = found.parse(value)
      return { ranked: results.map((result) => result.metadata.evalId), milliseconds }
    },
    close: () => Promise.resolve(),
  }
}
