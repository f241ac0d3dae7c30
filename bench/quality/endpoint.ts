import { createServer, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { VectorCache } from './vectors.js'

const embeddingRequest = z.object({
  model: z.string().optional(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.enum(['float', 'base64']).optional(),
})

export interface VectorEndpoint {
  readonly url: string
  close(): Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

/**
 * Serves cached vectors in the shape of OpenAI's embeddings API, on loopback. Every system under test asks the same
 * endpoint, so that they differ in retrieval and not in their model.
 */
export async function startVectorEndpoint(cache: VectorCache): Promise<VectorEndpoint> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    }
    try {
      if (request.method !== 'POST' || !request.url?.endsWith('/embeddings')) return answer(404, { error: { message: 'not found' } })
      const { input, model, encoding_format } = embeddingRequest.parse(JSON.parse(await bodyOf(request)))
      const vectors = await cache.embed(typeof input === 'string' ? [input] : input, 'passage')
      const data = vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding:
          encoding_format === 'base64'
            ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
            : Array.from(vector),
      }))
      answer(200, { object: 'list', data, model: model ?? '', usage: { prompt_tokens: 0, total_tokens: 0 } })
    } catch (error) {
      answer(500, { error: { message: error instanceof Error ? error.message : String(error) } })
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The vector endpoint did not get a port')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
