import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { MemoryError } from '../../errors.js'
import { checkedLookup, isPrivateAddress, numberIn } from './address-guard.js'

interface FetchOptions {
  /** Allows addresses of this machine and its network. */
  readonly allowPrivate: boolean
  /** Decides which addresses are private, for tests without a public one. */
  isPrivate?(address: string): boolean
  readonly signal: AbortSignal
  readonly limitMs?: number
  readonly maxBytes?: number
}

interface FetchedPage {
  readonly bytes: Buffer
  /** Lower case, without parameters; empty if absent. */
  readonly type: string
  readonly charset: string | undefined
  readonly finalUrl: string
}

const LIMIT_MS = 20_000
const MAX_WEB_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTS = 5
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

const invalid = (message: string, hint: string, cause?: unknown): MemoryError => new MemoryError('invalid_input', message, { hint, cause })

/** The URL without its fragment. */
export function parseAddress(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch (failure) {
    throw invalid(`URL is not valid: ${text.slice(0, 500)}`, 'Pass a complete URL, such as https://example.com/page.', failure)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(`URL is not http or https: ${text.slice(0, 500)}`, 'Use mode file for files.')
  if (url.username !== '' || url.password !== '')
    throw invalid(`URL contains a user name or password: ${url.protocol}//${url.host}`, 'Remove them: the URL is stored with the source.')
  url.hash = ''
  return url
}

const privateAddress = (url: URL, address: string): MemoryError =>
  new MemoryError('forbidden', `URL leads to a private address: ${url.href.slice(0, 500)} (${address})`, {
    hint: 'Set MNEME_INGEST_ALLOW_PRIVATE=true to read pages of this machine and its network.',
  })

/** Reads a page. Addresses are checked when connecting, so a name cannot change between check and use. */
export async function fetchPage(start: URL, options: FetchOptions): Promise<FetchedPage> {
  const limit = AbortSignal.timeout(options.limitMs ?? LIMIT_MS)
  const signal = AbortSignal.any([limit, options.signal])
  try {
    let url = start
    for (let redirects = 0; ; redirects++) {
      const response = await sendRequest(url, options, signal)
      const target = REDIRECT_STATUSES.has(response.statusCode ?? 0) ? response.headers.location : undefined
      if (target === undefined) return await readPage(url, response, options.maxBytes ?? MAX_WEB_BYTES)
      response.destroy()
      if (redirects >= MAX_REDIRECTS)
        throw new MemoryError('unavailable', `URL is redirected more than ${MAX_REDIRECTS} times: ${start.href.slice(0, 500)}`, {
          hint: 'Pass the final URL of the page.',
        })
      url = parseAddress(new URL(target, url).href)
    }
  } catch (failure) {
    if (failure instanceof MemoryError) throw failure
    options.signal.throwIfAborted()
    const what = limit.aborted ? `did not respond within ${(options.limitMs ?? LIMIT_MS) / 1000} s` : 'cannot be read'
    const reason = !limit.aborted && failure instanceof Error ? `: ${failure.message}` : ''
    throw new MemoryError(limit.aborted ? 'timeout' : 'unavailable', `URL ${what}: ${start.href.slice(0, 500)}${reason}`, {
      hint: 'Check the URL, or retry later.',
      cause: failure,
    })
  }
}

function sendRequest(
  url: URL,
  { allowPrivate, isPrivate = isPrivateAddress }: FetchOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const number = numberIn(url)
  // An IP address needs no look-up, so it is checked here.
  if (!allowPrivate && number !== undefined && isPrivate(number)) throw privateAddress(url, number)
  const options: RequestOptions = {
    signal,
    method: 'GET',
    headers: {
      'user-agent': 'mneme',
      accept: 'text/html, text/markdown, text/plain, application/xhtml+xml, application/pdf;q=0.9, application/json;q=0.8, */*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
    },
    agent: false,
    ...(allowPrivate ? {} : { lookup: checkedLookup((address) => privateAddress(url, address), isPrivate) }),
  }
  return new Promise((resolve, reject) => {
    const request: ClientRequest = url.protocol === 'https:' ? httpsRequest(url, options, resolve) : httpRequest(url, options, resolve)
    request.on('error', reject)
    request.end()
  })
}

async function readPage(url: URL, response: IncomingMessage, maxBytes: number): Promise<FetchedPage> {
  const status = response.statusCode ?? 0
  const { type, charset } = contentType(response.headers['content-type'])
  try {
    if (status < 200 || status >= 300)
      throw new MemoryError(status === 404 || status === 410 ? 'not_found' : 'unavailable', `URL returned status ${status}: ${url.href}`, {
        hint: 'Check the URL, or retry later.',
      })
    if (!isReadable(type))
      throw invalid(`URL has an unsupported type: ${type} (${url.href})`, 'Supported: text, HTML, Markdown, JSON, XML and PDF.')
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(url, maxBytes)
    return { bytes: await readBody(url, response, maxBytes), type, charset, finalUrl: url.href }
  } finally {
    response.destroy()
  }
}

const tooLarge = (url: URL, maxBytes: number): MemoryError =>
  new MemoryError('too_large', `URL is larger than ${maxBytes} bytes: ${url.href}`, { hint: 'Capture a smaller page.' })

const isReadable = (type: string): boolean =>
  type === '' || type.startsWith('text/') || /^application\/(?:pdf|json|xml|xhtml\+xml|(?:[\w.-]+\+)(?:json|xml))$/.test(type)

function contentType(header: string | undefined): { readonly type: string; readonly charset: string | undefined } {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim())
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length)
  return { type: type.toLowerCase(), charset: charset?.replace(/^["']|["']$/g, '').toLowerCase() }
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : undefined
}

/** Counted after decompression: a small response may contain a large page. */
function readBody(url: URL, response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const decoder = decoderFor(response.headers['content-encoding']?.trim().toLowerCase())
  const stream = decoder === undefined ? response : response.pipe(decoder)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const fail = (failure: Error): void => {
      // Rejects first, because destroying the stream also reports a failure.
      reject(failure)
      response.destroy()
      decoder?.destroy()
    }
    response.on('error', fail)
    stream.on('error', fail)
    // The connection ended before the response did.
    response.on('aborted', () => fail(new Error('the connection ended before the page did')))
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) fail(tooLarge(url, maxBytes))
      else chunks.push(chunk)
    })
    stream.on('end', () => resolve(Buffer.concat(chunks)))
  })
}
