import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Embedder } from '../ports/embedder.js'
import { type HttpEmbedderOptions, member } from './http.js'
import { openOllamaEmbedder } from './ollama.js'
import { openOpenAiEmbedder } from './openai.js'
import { openVoyageEmbedder } from './voyage.js'

interface Received {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

type Answer = (response: ServerResponse, body: unknown) => void

const answers = {
  json:
    (status: number, value: unknown): Answer =>
    (response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
  raw:
    (text: string): Answer =>
    (response) =>
      void response.end(text),
  ollama: (response: ServerResponse, body: unknown): void => void response.end(JSON.stringify({ embeddings: vectorsFor(body) })),
  hangUp: (response: ServerResponse): void => void response.destroy(),
}

/** A text of n characters gets the vector (n, 1, 0). */
function vectorsFor(body: unknown): readonly (readonly number[])[] {
  const input = member(body, 'input')
  return Array.isArray(input) ? input.map((text) => [String(text).length, 1, 0]) : []
}

/** Answers each request with the next response of the list, and all further ones with the last. */
async function serve(...list: readonly Answer[]): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const answer = list[Math.min(received.length, list.length - 1)]
    received.push({ url: request.url, headers: request.headers, body })
    answer?.(response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, received }
}

const QUICK: HttpEmbedderOptions = { model: 'three', dimensions: 3, retryDelaysMs: [1, 1, 1] }

function ollama(url: string, options: Partial<HttpEmbedderOptions> = {}): Embedder {
  const embedder = openOllamaEmbedder({ ...QUICK, url, ...options })
  onTestFinished(() => embedder.close())
  return embedder
}

const embedOne = (embedder: Embedder): Promise<readonly Float32Array[]> => embedder.embed(['text'], { purpose: 'passage' })

describe('embedding protocols', () => {
  it('supports Ollama, with the prefixes of the model', async () => {
    const { url, received } = await serve((response) => {
      response.end(JSON.stringify({ embeddings: [Array.from({ length: 768 }, (_, i) => (i === 0 ? 2 : 0))] }))
    })
    const embedder = openOllamaEmbedder({ model: 'nomic-embed-text:latest', url: `${url}/` })
    const [vector] = await embedder.embed(['where is it?'], { purpose: 'query' })
    await embedder.embed(['it is here'], { purpose: 'passage' })
    expect(vector?.[0]).toBe(1)
    expect(embedder.model).toMatchObject({ id: 'nomic-embed-text:latest', dimensions: 768 })
    expect(received.map(({ url: path, body }) => ({ path, body }))).toEqual([
      { path: '/api/embed', body: { model: 'nomic-embed-text:latest', input: ['search_query: where is it?'], truncate: true } },
      { path: '/api/embed', body: { model: 'nomic-embed-text:latest', input: ['search_document: it is here'], truncate: true } },
    ])
  })

  it('supports OpenAI and orders its response', async () => {
    const { url, received } = await serve(
      answers.json(200, {
        data: [
          { index: 1, embedding: [0, 1] },
          { index: 0, embedding: [1, 0] },
        ],
      }),
    )
    const embedder = openOpenAiEmbedder({ model: 'text-embedding-3-small', dimensions: 2, url, apiKey: ' sk-secret-key\n' })
    const vectors = await embedder.embed(['first', ''], { purpose: 'passage' })
    expect(vectors).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)])
    expect(embedder.model.id).toBe('text-embedding-3-small@2')
    expect(received[0]).toMatchObject({ url: '/embeddings', headers: { authorization: 'Bearer sk-secret-key' } })
    expect(received[0]?.body).toEqual({ model: 'text-embedding-3-small', input: ['first', ' '], encoding_format: 'float', dimensions: 2 })
  })

  it('supports Voyage and distinguishes queries from documents', async () => {
    const { url, received } = await serve(answers.json(200, { data: [{ embedding: [3, 4] }] }))
    const embedder = openVoyageEmbedder({ model: 'my-voyage', dimensions: 2, url, cacheSize: 0 })
    const [vector] = await embedder.embed(['same'], { purpose: 'query' })
    await embedder.embed(['same'], { purpose: 'passage' })
    expect([...(vector ?? [])].map((value) => value.toFixed(3))).toEqual(['0.600', '0.800'])
    const common = { model: 'my-voyage', input: ['same'], truncation: true }
    expect(received.map(({ body }) => body)).toEqual([
      { ...common, input_type: 'query' },
      { ...common, input_type: 'document' },
    ])
  })
})

describe('requests', () => {
  it('are sent in batches and return vectors in order', async () => {
    const { url, received } = await serve(answers.ollama)
    const vectors = await ollama(url, { batchSize: 2 }).embed(['a', 'bb', 'ccc', 'dddd', 'eeeee'], { purpose: 'passage' })
    expect(received.map(({ body }) => member(body, 'input'))).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']])
    expect(vectors.map((vector) => Math.round((vector[0] ?? 0) / (vector[1] ?? 1)))).toEqual([1, 2, 3, 4, 5])
  })

  it('contain only well-formed text of limited length', async () => {
    const { url, received } = await serve(answers.ollama)
    await ollama(url).embed([`\ud800${'x'.repeat(1_000_000)}`], { purpose: 'passage' })
    expect(member(received[0]?.body, 'input')).toEqual([`\ufffd${'x'.repeat(7999)}`])
  })

  it('are cached', async () => {
    const { url, received } = await serve(answers.ollama)
    const embedder = ollama(url)
    await embedOne(embedder)
    await embedOne(embedder)
    expect(received).toHaveLength(1)
    expect(embedder.status().cache).toMatchObject({ hits: 1, misses: 1 })
  })

  it.each([
    ['a server error', answers.json(500, { error: 'busy' })],
    ['a rate limit', answers.json(429, { error: 'slow down' })],
    ['a broken connection', answers.hangUp],
  ])('are repeated after %s', async (_, failing) => {
    const { url, received } = await serve(failing, failing, answers.ollama)
    const embedder = ollama(url)
    expect(await embedOne(embedder)).toHaveLength(1)
    expect(received).toHaveLength(3)
    expect(embedder.status()).toMatchObject({ state: 'ready', problem: null })
  })

  it.each([
    ['a server error, after three repetitions', 4, /status 500: \{"error":"busy"\}/, answers.json(500, { error: 'busy' })],
    ['a rate limit, after three repetitions', 4, /status 429/, answers.json(429, {})],
    ['a broken connection, after three repetitions', 4, /cannot be reached/, answers.hangUp],
    ['a refusal, at once', 1, /status 404/, answers.json(404, { error: 'model not found' })],
    ['malformed JSON, at once', 1, /not JSON: <html>/, answers.raw('<html>')],
    ['an answer of another shape', 1, /returned no embeddings/, answers.json(200, { vectors: [] })],
    [
      'the wrong number of vectors',
      1,
      /2 vectors for 1 texts/,
      answers.json(200, {
        embeddings: [
          [1, 2, 3],
          [1, 2, 3],
        ],
      }),
    ],
    ['the wrong dimension', 1, /vectors of 2 dimensions, but 3 are configured/, answers.json(200, { embeddings: [[1, 2]] })],
    ['something other than numbers', 1, /finite numbers/, answers.json(200, { embeddings: [[1, null, 3]] })],
  ])('fail on %s', async (_, requests, expected, answer) => {
    const { url, received } = await serve(answer)
    const embedder = ollama(url)
    await expect(embedOne(embedder)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(expected) })
    expect(received).toHaveLength(requests)
    expect(embedder.status()).toMatchObject({ state: 'error', problem: expect.stringMatching(expected) })
  })

  it('report what to do about a wrong dimension and a missing model', async () => {
    const wrong = await serve(answers.json(200, { embeddings: [[1, 2]] }))
    await expect(embedOne(ollama(wrong.url))).rejects.toMatchObject({ hint: expect.stringMatching(/dimensions to 2 .*reindex/) })
    const missing = await serve(answers.json(404, {}))
    await expect(embedOne(ollama(missing.url))).rejects.toMatchObject({ hint: expect.stringContaining('ollama pull three') })
  })

  it('time out', async () => {
    // The time is up when the request has arrived, however long that takes on a busy machine.
    const limit = new AbortController()
    const timer = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    onTestFinished(() => timer.mockRestore())
    const { url, received } = await serve(() => limit.abort())
    await expect(embedOne(ollama(url, { timeoutMs: 1234 }))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not respond within 1234 ms'),
    })
    expect(timer).toHaveBeenCalledWith(1234)
    expect(received).toHaveLength(1)
  })

  it('fail without a server', async () => {
    await expect(embedOne(ollama('http://127.0.0.1:1'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('127.0.0.1:1'),
    })
  })

  it('are cancelled, during the request and during the pause before a repetition', async () => {
    for (const options of [{}, { retryDelaysMs: [600_000] }]) {
      const controller = new AbortController()
      const abort = (): void => controller.abort()
      const { url } = await serve((response) => {
        if ('retryDelaysMs' in options) response.writeHead(500).end(abort)
        else abort()
      })
      const call = ollama(url, options).embed(['text'], { purpose: 'query', signal: controller.signal })
      await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    }
  })

  it('end when the embedder is closed', async () => {
    const { url } = await serve(() => void embedder.close())
    const embedder = ollama(url)
    await expect(embedOne(embedder)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('closed') })
  })
})

describe('secrets', () => {
  it('stay out of errors', async () => {
    const apiKey = 'sk-live-0123456789'
    const { url, received } = await serve(answers.json(401, { error: `bad key ${apiKey}, also known as sk-liv*****6789` }))
    const embedder = openOpenAiEmbedder({ ...QUICK, url: `${url}/v1/?token=hidden`, apiKey })
    const failure: unknown = await embedOne(embedder).catch((reason: unknown) => reason)
    expect(received[0]?.url).toBe('/v1/embeddings?token=hidden')
    expect(failure).toMatchObject({ code: 'unavailable', hint: 'Check the API key (--embed-key).' })
    expect(`${JSON.stringify(failure)}${String(failure)}${JSON.stringify(embedder.status())}`).not.toMatch(/sk-liv|6789|hidden/)
  })

  it('are rejected where they would be visible', () => {
    expect(() => openOpenAiEmbedder({ ...QUICK, apiKey: 'sk-secret\nkey' })).toThrow(/^(?!.*secret).*white space/s)
    expect(() => openOpenAiEmbedder({ ...QUICK, url: 'http://me:secret@127.0.0.1' })).toThrow(/^(?!.*secret).*without user name/s)
  })
})
