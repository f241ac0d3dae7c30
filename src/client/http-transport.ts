import { ERRORS, type ErrorCode, MemoryError } from '../errors.js'
import { readEvents } from './event-stream.js'
import { CLIENT_VERSION } from './operations.js'
import { type ToolRequest, toolRequest } from './tool-request.js'
import type { Transport } from './transport.js'

export interface HttpOptions {
  /** A key of `mneme keys create`, sent as a bearer token. */
  readonly key?: string
  /** Time limit of one attempt; 60 seconds by default. */
  readonly timeoutMs?: number
  /** Repetitions after a network failure; 2 by default. Applies to reads and to writes with an idempotency key. */
  readonly retries?: number
  /** Larger responses are rejected; 64 MB by default. */
  readonly maxAnswerBytes?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

const FIRST_RETRY_DELAY_MS = 150
const MAX_RETRY_DELAY_S = 20
const RETRYABLE_STATUSES = new Set<number>([ERRORS.rate_limited.http, 502, ERRORS.unavailable.http])

/** Calls tools of a server with one request each, and repeats it if that is safe. */
export function createHttpTransport(url: string, options: HttpOptions = {}): Transport {
  const base = checkUrl(url)
  const { timeoutMs = 60_000, retries = 2, maxAnswerBytes = 64 * 1024 * 1024, fetch: send = globalThis.fetch } = options
  const headers = { ...options.headers, 'Content-Type': 'application/json', Accept: 'application/json', ...authorization(options.key) }

  const once = async (request: ToolRequest, signal: AbortSignal | undefined): Promise<unknown> => {
    const late = AbortSignal.timeout(timeoutMs)
    try {
      const response = await send(`${base}${request.path}`, {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: signal === undefined ? late : AbortSignal.any([signal, late]),
        ...(request.body === undefined ? {} : { body: request.body }),
      })
      const text = await readText(response, maxAnswerBytes)
      return await readAnswer(response, text, base)
    } catch (failure) {
      if (failure instanceof MemoryError) throw failure
      if (signal?.aborted) throw new MemoryError('cancelled', 'The call was cancelled.', { cause: failure })
      if (late.aborted)
        throw new MemoryError('timeout', `No answer from ${base} within ${timeoutMs} ms.`, {
          hint: 'Raise timeoutMs, or see whether the server is busy: GET /healthz.',
          cause: failure,
        })
      throw new MemoryError('unavailable', `No answer from ${base} (${describeCause(failure)}).`, {
        hint: 'Is `mneme serve` running there? Check the URL and the network.',
        details: { unreachable: true },
        cause: failure,
      })
    }
  }

  const serverVersion = async (): Promise<string> => {
    const answer = await once({ method: 'GET', path: '/healthz', body: undefined, repeatable: true }, undefined)
    return isRecord(answer) && typeof answer.version === 'string' ? answer.version : 'unknown'
  }

  return {
    serverVersion,
    async *events(after, signal) {
      const path = after === undefined ? '/v1/events' : `/v1/events?after=${encodeURIComponent(after)}`
      try {
        const response = await send(`${base}${path}`, {
          headers: { ...headers, Accept: 'text/event-stream' },
          redirect: 'manual',
          signal: signal ?? null,
        })
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
        if (!response.ok || !isStream || response.body === null) {
          await readAnswer(response, await readText(response, maxAnswerBytes), base)
          throw new MemoryError('unavailable', `${base} sent no event stream.`, { hint: 'Check the URL.', reason: 'not_json' })
        }
        yield* readEvents(response.body)
      } catch (failure) {
        if (signal?.aborted) return
        if (failure instanceof MemoryError) throw failure
        throw new MemoryError('unavailable', `The event stream of ${base} ended (${describeCause(failure)}).`, {
          hint: 'Resume with the id of the last event as after.',
          cause: failure,
        })
      }
    },
    async call(contract, tool, input, signal) {
      const request = toolRequest(contract, tool, input)
      for (let attempt = 0; ; attempt++) {
        try {
          return await once(request, signal)
        } catch (failure) {
          if (!(failure instanceof MemoryError)) throw failure
          if (isUnknownTool(failure)) throw await withVersions(failure, serverVersion)
          const wait = waitBefore(failure, attempt)
          if (attempt >= retries || !request.repeatable || !mayRepeat(failure) || wait === undefined) throw failure
          await pause(wait, signal)
        }
      }
    },
  }
}

/** Adds the versions of both sides to the error. */
async function withVersions(failure: MemoryError, serverVersion: () => Promise<string>): Promise<MemoryError> {
  const server = await serverVersion().catch(() => 'unknown')
  return new MemoryError('not_found', failure.message, {
    reason: 'unknown_tool',
    hint: `The client is version ${CLIENT_VERSION}, the server ${server}. A client works with servers of its own version and newer. Also check the path in the URL.`,
    cause: failure,
  })
}

const isUnknownTool = ({ code, message }: MemoryError): boolean =>
  code === 'not_found' && (message.startsWith('There is no tool') || message.startsWith('Nothing is served at'))

const mayRepeat = ({ details }: MemoryError): boolean =>
  details.unreachable === true || (typeof details.status === 'number' && RETRYABLE_STATUSES.has(details.status))

/** Milliseconds; undefined if the server asks for a longer delay than the client waits. */
function waitBefore({ retryAfterSeconds }: MemoryError, attempt: number): number | undefined {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds > MAX_RETRY_DELAY_S ? undefined : retryAfterSeconds * 1000
  return FIRST_RETRY_DELAY_MS * 2 ** attempt * (0.5 + Math.random())
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(new MemoryError('cancelled', 'The call was cancelled.', { cause: signal?.reason }))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}

async function readText(response: Response, most: number): Promise<string> {
  const tooLarge = async (): Promise<never> => {
    await response.body?.cancel().catch(() => undefined)
    throw new MemoryError('too_large', `The answer is larger than ${most} bytes.`, {
      hint: 'Ask for less with limit, or raise maxAnswerBytes.',
    })
  }
  const declared = response.headers.get('content-length')
  if (declared !== null && Number(declared) > most) return tooLarge()
  if (declared !== null && !response.headers.has('content-encoding')) return response.text()
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || value === undefined) return text + decoder.decode()
    size += value.length
    if (size > most) {
      reader?.releaseLock()
      return tooLarge()
    }
    text += decoder.decode(value, { stream: true })
  }
}

async function readAnswer(response: Response, text: string, base: string): Promise<unknown> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    const target = response.headers.get('location')
    throw new MemoryError(
      'unavailable',
      `${base} redirects${target === null ? '' : ` to ${target}`}; the client does not follow redirects.`,
      {
        hint: 'Use the target URL, so that the key is sent to no other server.',
        reason: 'redirected',
      },
    )
  }
  if (response.status === 204) return {}
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (cause) {
    throw new MemoryError(codeOf(response.status), `${base} answered ${response.status} with a body that is not JSON: ${excerpt(text)}`, {
      hint: 'A proxy or another program may have answered. Check the URL.',
      reason: 'not_json',
      details: { status: response.status },
      cause,
      ...retryAfter(response),
    })
  }
  if (response.ok) return answer
  throw toFailure(response, answer)
}

/** Error bodies differ by contract. */
function toFailure(response: Response, answer: unknown): MemoryError {
  const body = isRecord(answer) ? answer : {}
  const error = isRecord(body.error) ? body.error : {}
  const message = [error.message, body.detail, body.error, body.message].find((text) => typeof text === 'string')
  const reason = [error.code, body.code].find((text) => typeof text === 'string')
  return new MemoryError(codeOf(response.status), typeof message === 'string' ? message : `The server answered ${response.status}.`, {
    details: { status: response.status },
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof error.hint === 'string' ? { hint: error.hint } : {}),
    ...retryAfter(response),
  })
}

function retryAfter(response: Response): { readonly retryAfterSeconds?: number } {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterSeconds: seconds } : {}
}

const CODES = Object.entries(ERRORS).map(([code, { http }]): readonly [number, string] => [http, code])

function codeOf(status: number): ErrorCode {
  if (status === 500) return 'internal'
  const found = CODES.find(([http]) => http === status)?.[1]
  if (found !== undefined && isCode(found)) return found
  return status >= 500 || status < 400 ? 'unavailable' : 'invalid_input'
}

const isCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const EXCERPT_CHARS = 120

const excerpt = (text: string): string => JSON.stringify(text.slice(0, EXCERPT_CHARS))

function describeCause(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return failure instanceof Error ? failure.message : String(failure)
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new MemoryError('invalid_input', `Invalid URL: ${JSON.stringify(text)}`, { hint: 'For example http://127.0.0.1:7077.' })
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new MemoryError('invalid_input', 'The URL of a server has no user, query or fragment.', { hint: 'Pass the key as an option.' })
  const path = url.pathname.replace(/\/+$/u, '')
  if (/\/(?:mcp|v1)$/u.test(path))
    throw new MemoryError('invalid_input', `The URL ends in ${path.slice(path.lastIndexOf('/'))}.`, {
      hint: `Use the address without it: ${url.origin}${path.replace(/\/(?:mcp|v1)$/u, '')}`,
    })
  return `${url.origin}${path}`
}

/** Header values are printable ASCII; other characters would be rejected or split the request. */
function authorization(key: string | undefined): Readonly<Record<string, string>> {
  if (key === undefined) return {}
  if (!/^[\x21-\x7e]+$/u.test(key))
    throw new MemoryError('invalid_input', 'Invalid key: it contains characters that a header cannot carry.', {
      hint: 'Copy it again without spaces or line breaks.',
    })
  return { Authorization: `Bearer ${key}` }
}
