import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { MemoryError } from '../../errors.js'
import { checkedLookup, isPrivateAddress, numberIn } from './address-guard.js'

export interface FetchOptions {
  /** Lets addresses of this machine and its network be read. */
  readonly allowPrivate: boolean
  /** Which addresses are private, for tests that have no public one. */
  isPrivate?(address: string): boolean
  readonly signal: AbortSignal
  readonly limitMs?: number
  readonly maxBytes?: number
}

export interface FetchedPage {
  readonly bytes: Buffer
  /** Lower case, without parameters; empty when nothing was said. */
  readonly type: string
  readonly charset: string | undefined
  readonly finalUrl: string
}

const LIMIT_MS = 20_000
export const MAX_WEB_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const invalid = (message: string, hint: string, cause?: unknown): MemoryError => new MemoryError('invalid_input', message, { hint, cause })

/** An address without its fragment. */
export function parseAddress(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch (failure) {
    throw invalid(`URL is not valid: ${text.slice(0, 500)}`, 'Give a whole address, such as https://example.com/page.', failure)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(`URL is not http or https: ${text.slice(0, 500)}`, 'Only pages of the web are read; use mode file for files.')
  if (url.username !== '' || url.password !== '')
    throw invalid(
      `URL has a user name or password: ${url.protocol}//${url.host}`,
      'Give the address without them: it would be kept with the source.',
    )
  url.hash = ''
  return url
}

const privateAddress = (url: URL, address: string): MemoryError =>
  new MemoryError('forbidden', `URL leads to a private address: ${url.href.slice(0, 500)} (${address})`, {
    hint: 'Pages of this machine and its network are read only with MNEME_INGEST_ALLOW_PRIVATE=true.',
  })

/** Reads a page. Every address that is connected to is checked at the moment of connecting, so that names cannot change between. */
export async function fetchPage(start: URL, options: FetchOptions): Promise<FetchedPage> {
  const limit = AbortSignal.timeout(options.limitMs ?? LIMIT_MS)
  const signal = AbortSignal.any([limit, options.signal])
  try {
    let url = start
    for (let redirects = 0; ; redirects++) {
      const response = await ask(url, options, signal)
      const target = REDIRECTS.has(response.statusCode ?? 0) ? response.headers.location : undefined
      if (target === undefined) return await readPage(url, response, options.maxBytes ?? MAX_WEB_BYTES)
      response.destroy()
      if (redirects >= MAX_REDIRECTS)
        throw new MemoryError('unavailable', `URL is redirected more than ${MAX_REDIRECTS} times: ${start.href.slice(0, 500)}`, {
          hint: 'Give the address where the page really is.',
        })
      url = parseAddress(new URL(target, url).href)
    }
  } catch (failure) {
    if (failure instanceof MemoryError) throw failure
    options.signal.throwIfAborted()
    const what = limit.aborted ? `did not answer within ${(options.limitMs ?? LIMIT_MS) / 1000} s` : 'cannot be read'
    const reason = !limit.aborted && failure instanceof Error ? `: ${failure.message}` : ''
    throw new MemoryError(limit.aborted ? 'timeout' : 'unavailable', `URL ${what}: ${start.href.slice(0, 500)}${reason}`, {
      hint: 'Check the address, or try again later.',
      cause: failure,
    })
  }
}

function ask(url: URL, { allowPrivate, isPrivate = isPrivateAddress }: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const number = numberIn(url)
  // A number needs no look-up, so it is checked here.
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
      throw new MemoryError(
        status === 404 || status === 410 ? 'not_found' : 'unavailable',
        `URL answers with status ${status}: ${url.href}`,
        {
          hint: 'Check the address, or try again later.',
        },
      )
    if (!isReadable(type))
      throw invalid(`URL is of a type that is not captured: ${type} (${url.href})`, 'Text, HTML, Markdown, JSON, XML and PDF are captured.')
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
  const charset = parameters.find((one) => /^charset=/i.test(one))?.slice('charset='.length)
  return { type: type.toLowerCase(), charset: charset?.replace(/^["']|["']$/g, '').toLowerCase() }
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : undefined
}

/** Counted behind the decompression: a small answer may hold a large page. */
function readBody(url: URL, response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const decoder = decoderFor(response.headers['content-encoding']?.trim().toLowerCase())
  const stream = decoder === undefined ? response : response.pipe(decoder)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const fail = (failure: Error): void => {
      // First of all: what is destroyed fails, too.
      reject(failure)
      response.destroy()
      decoder?.destroy()
    }
    response.on('error', fail)
    stream.on('error', fail)
    // A connection that ends before its answer does.
    response.on('aborted', () => fail(new Error('the connection ended before the page did')))
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) fail(tooLarge(url, maxBytes))
      else chunks.push(chunk)
    })
    stream.on('end', () => resolve(Buffer.concat(chunks)))
  })
}
