import { setTimeout as delay } from 'node:timers/promises'
import { MemoryError } from '../errors.js'
import type { Embedder, EmbedOptions, ModelState } from '../ports/embedder.js'
import { cacheEmbedder, cancelled, NO_CACHE } from './cache.js'
import { type Prefixes, type ResolvedModel, toEmbeddingModel } from './known.js'
import { normaliseVector } from './normalise-vector.js'

/** Settings of an embedding service over HTTP. */
export interface HttpEmbedderOptions {
  readonly model: string
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
  readonly dimensions?: number | undefined
  readonly floor?: number | undefined
  readonly prefixes?: Prefixes | undefined
  readonly maxTokens?: number | undefined
  readonly batchSize?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly retryDelaysMs?: readonly number[] | undefined
  readonly cacheSize?: number | undefined
}

/** The differences between services. */
interface HttpProtocol {
  readonly service: string
  readonly model: ResolvedModel
  readonly endpoint: string
  readonly maxCharacters: number
  readonly batchSize: number
  body(texts: readonly string[], purpose: EmbedOptions['purpose']): Readonly<Record<string, unknown>>
  /** One unchecked entry per text, in order; undefined for an unexpected response. */
  vectors(answer: unknown): readonly unknown[] | undefined
  /** True if the service requires a key. */
  readonly needsKey?: boolean
  /** What to do about a rejection with this status. */
  hint(status: number): string
}

const RETRY_DELAYS_MS = [100, 500, 2000] as const
const DEFAULT_TIMEOUT_MS = 30_000
const MAX_EXCERPT_CHARS = 200

type Attempt = { readonly answer: unknown } | { readonly failure: MemoryError; readonly retry: boolean }

export function openHttpEmbedder(protocol: HttpProtocol, options: HttpEmbedderOptions): Embedder {
  const { service, model } = protocol
  const { batchSize = protocol.batchSize, timeoutMs = DEFAULT_TIMEOUT_MS, retryDelaysMs = RETRY_DELAYS_MS } = options
  const apiKey = checkApiKey(service, options.apiKey)
  const endpoint = checkUrl(service, protocol.endpoint)
  const where = `${service} at ${endpoint.origin}${endpoint.pathname}`
  const authorization: Readonly<Record<string, string>> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...authorization }
  const closing = new AbortController()
  let state: ModelState = 'idle'
  let problem: string | null = null

  const unavailable = (message: string, hint: string): MemoryError => new MemoryError('unavailable', hideSecrets(message, apiKey), { hint })

  const missingKey = (): MemoryError =>
    unavailable(
      `${where} requires an API key, and none is set.`,
      'Set it with --embed-key or MNEME_EMBED_KEY, or choose another --embedder.',
    )

  const attempt = async (payload: string, signal: AbortSignal | undefined): Promise<Attempt> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signals = [timeout, closing.signal]
    if (signal !== undefined) signals.push(signal)
    let response: Response
    let text: string
    try {
      response = await fetch(endpoint, { method: 'POST', headers, body: payload, signal: AbortSignal.any(signals), redirect: 'error' })
      text = await response.text()
    } catch (failure) {
      if (signal?.aborted === true) throw cancelled()
      if (closing.signal.aborted) throw unavailable(`The embedder ${model.id} was closed.`, 'Reopen it.')
      if (timeout.aborted) {
        return {
          failure: unavailable(
            `${where} did not respond within ${timeoutMs} ms.`,
            'Retry later or raise the timeout (--embed-timeout-ms).',
          ),
          retry: false,
        }
      }
      const message = `${where} cannot be reached: ${reasonOf(failure)}.`
      return { failure: unavailable(message, 'Check that the service runs and that its URL (--embed-url) is right.'), retry: true }
    }
    if (!response.ok) {
      const retry = response.status === 429 || response.status >= 500
      const message = `${where} rejected the request with status ${response.status}: ${excerpt(text)}`
      return { failure: unavailable(message, protocol.hint(response.status)), retry }
    }
    try {
      const answer: unknown = JSON.parse(text)
      return { answer }
    } catch {
      const failure = unavailable(
        `${where} returned a response that is not JSON: ${excerpt(text)}`,
        'Check that the URL is that of the service.',
      )
      return { failure, retry: false }
    }
  }

  const request = async (payload: string, signal: AbortSignal | undefined): Promise<unknown> => {
    for (let round = 0; ; round++) {
      const outcome = await attempt(payload, signal)
      if ('answer' in outcome) return outcome.answer
      const pause = retryDelaysMs[round]
      if (!outcome.retry || pause === undefined) throw outcome.failure
      await rest(pause, signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]))
    }
  }

  const read = (answer: unknown, expected: number): readonly Float32Array[] => {
    const rows = protocol.vectors(answer)
    if (rows === undefined) throw unavailable(`${where} returned no embeddings.`, 'Check the URL and the model.')
    if (rows.length !== expected) throw unavailable(`${where} returned ${rows.length} vectors for ${expected} texts.`, 'Check the model.')
    return rows.map((row) => {
      if (!isNumbers(row)) throw unavailable(`${where} returned a vector that is not a list of finite numbers.`, 'Check the model.')
      if (row.length !== model.dimensions) {
        throw unavailable(
          `${where}: model ${model.name} returned vectors of ${row.length} dimensions, but ${model.dimensions} are configured.`,
          `Set the embedder's dimensions to ${row.length} and run \`mneme reindex\`, or configure the model the store was made with.`,
        )
      }
      return normaliseVector(Float32Array.from(row))
    })
  }

  const embed = async (texts: readonly string[], { purpose, signal }: EmbedOptions): Promise<readonly Float32Array[]> => {
    if (signal?.aborted === true) throw cancelled()
    const vectors: Float32Array[] = []
    if (state === 'idle') state = 'loading'
    try {
      if (protocol.needsKey === true && apiKey === undefined) throw missingKey()
      for (let start = 0; start < texts.length; start += batchSize) {
        const batch = texts.slice(start, start + batchSize).map((text) => prepare(model.prefixes[purpose], text, protocol.maxCharacters))
        const answer = await request(JSON.stringify(protocol.body(batch, purpose)), signal)
        vectors.push(...read(answer, batch.length))
      }
    } catch (failure) {
      if (failure instanceof MemoryError && failure.code === 'unavailable') {
        state = 'error'
        problem = failure.hint === undefined ? failure.message : `${failure.message} ${failure.hint}`
      }
      throw failure
    }
    state = 'ready'
    problem = null
    return vectors
  }

  const direct: Embedder = {
    model: toEmbeddingModel(model),
    status: () => ({ state, problem, cache: NO_CACHE }),
    // Some services load a model on the first request; a failure is kept for `status`.
    warm: () => void embed(['warm'], { purpose: 'query' }).catch(() => undefined),
    embed,
    async close() {
      closing.abort()
    },
  }
  return cacheEmbedder(direct, options.cacheSize)
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    throw cancelled()
  }
}

function prepare(prefix: string, text: string, maxCharacters: number): string {
  const cut = text.slice(0, maxCharacters).replace(/\p{Cs}/gu, '\ufffd')
  // Services reject an empty input.
  return `${prefix}${cut}` || ' '
}

function checkApiKey(service: string, apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim()
  if (key === undefined || key === '') return undefined
  if (/^[\x21-\x7e]+$/.test(key)) return key
  // Checked here, because the platform's error about a bad header would quote the key.
  throw new MemoryError('invalid_input', `The API key for ${service} contains white space or other invalid characters.`, {
    hint: 'Copy the key again.',
  })
}

function checkUrl(service: string, url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (
    parsed === null ||
    (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') ||
    parsed.username !== '' ||
    parsed.password !== ''
  ) {
    throw new MemoryError('invalid_input', `The URL for ${service} must be http or https, without user name or password in it.`, {
      hint: 'Pass the base URL of the service, and the key as the API key.',
    })
  }
  return parsed
}

function hideSecrets(message: string, apiKey: string | undefined): string {
  const hidden = apiKey === undefined ? message : message.replaceAll(apiKey, '***')
  // Services quote a rejected key partly masked, with its real ends.
  return hidden.replace(/\b(?:sk|pa)-[\w*.-]+/g, '***')
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_EXCERPT_CHARS ? `${line.slice(0, MAX_EXCERPT_CHARS)}…` : line || '(no text)'
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const { cause } = failure
  if (cause instanceof Error) return 'code' in cause && cause.message === '' ? String(cause.code) : cause.message
  return failure.message
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'number' && Number.isFinite(entry))
}

/** A member of an unknown value. */
export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined
}

/** Appends to the path of the base URL and keeps its query. */
export function joinUrl(base: string, path: string): string {
  if (!URL.canParse(base)) return base
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  return url.href
}
