import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { hasMoreValuesThan } from '../core/encoding/json-values.js'
import { MemoryError } from '../errors.js'
import type { PeerAnswer, PeerTransport } from '../ports/node-identity.js'
import { checkedLookup, isPrivateAddress, numberIn } from '../readers/documents/address-guard.js'

const MAX_MS = 30_000
/** Limit of one response; parsing more would delay every other caller. */
const MAX_BYTES = 4 * 2 ** 20
const MAX_VALUES = 50_000

type PeerRequest = Parameters<PeerTransport['ask']>[0]

/** Requests another node over HTTP without following redirects, because a signature is valid for one node. */
export async function askPeer(peerRequest: PeerRequest, allowsPrivate: boolean): Promise<PeerAnswer> {
  const url = new URL(peerRequest.url)
  const limit = AbortSignal.timeout(MAX_MS)
  try {
    const response = await answerOf(url, peerRequest, AbortSignal.any([peerRequest.signal, limit]), allowsPrivate)
    const status = response.statusCode ?? 0
    if (status >= 300 && status < 400) {
      response.destroy()
      throw new Error('unexpected redirect')
    }
    return { status, ...(await readBody(url, response)) }
  } catch (failure) {
    peerRequest.signal.throwIfAborted()
    if (failure instanceof MemoryError) throw failure
    throw unreachable(url, limit.aborted ? new Error(`it did not answer within ${MAX_MS / 1000} s`) : failure)
  }
}

/** The address is checked while connecting, so that the name cannot change in between. */
function answerOf(
  url: URL,
  { method, authorization, body }: PeerRequest,
  signal: AbortSignal,
  allowsPrivate: boolean,
): Promise<IncomingMessage> {
  const number = numberIn(url)
  if (!allowsPrivate && number !== undefined && isPrivateAddress(number)) throw privatePeer(url, number)
  const options: RequestOptions = {
    method,
    signal,
    agent: false,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    },
    ...(allowsPrivate ? {} : { lookup: checkedLookup((address) => privatePeer(url, address)) }),
  }
  return new Promise((resolve, reject) => {
    const request: ClientRequest = url.protocol === 'https:' ? httpsRequest(url, options, resolve) : httpRequest(url, options, resolve)
    request.on('error', reject)
    request.end(body)
  })
}

const privatePeer = (url: URL, address: string): MemoryError =>
  new MemoryError('forbidden', `The peer at ${url.origin} has a private address (${address}).`, {
    hint: 'Peers of this machine and its network are asked only with --federation-allow-private true.',
  })

function unreachable(url: URL, failure: unknown): MemoryError {
  const why = failure instanceof Error ? failure.message || failure.name : String(failure)
  return new MemoryError('unavailable', `${url.origin} cannot be reached: ${why}.`, {
    hint: 'Check that the peer runs and that its address is right: redirects are not followed.',
    cause: failure,
  })
}

/** An incomplete response is an error. */
async function readBody(url: URL, response: IncomingMessage): Promise<{ readonly body: unknown; readonly bytes: number }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    const chunk = Buffer.from(part)
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw tooLarge(url, `${MAX_BYTES / 2 ** 20} MB`)
    chunks.push(chunk)
  }
  const json = Buffer.concat(chunks)
  if (hasMoreValuesThan(json, MAX_VALUES)) throw tooLarge(url, `${MAX_VALUES.toLocaleString('en')} values`)
  try {
    return { body: JSON.parse(json.toString('utf8')), bytes }
  } catch {
    return { body: undefined, bytes }
  }
}

const tooLarge = (url: URL, limit: string): MemoryError =>
  new MemoryError('unavailable', `${url.origin} answered with more than ${limit}.`, {
    reason: 'peer_answer_too_large',
    hint: 'Ask the operator of the peer to check it, or remove the peer (`mneme peers remove`).',
  })
