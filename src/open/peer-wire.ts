import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { MemoryError } from '../errors.js'
import type { PeerAnswer, PeerTransport } from '../ports/node-identity.js'
import { checkedLookup, isPrivateAddress, numberIn } from '../readers/documents/address-guard.js'

const MAX_MS = 30_000
const MAX_BYTES = 64 * 2 ** 20

type Asked = Parameters<PeerTransport['ask']>[0]

/** Asks another node over HTTP; redirects are not followed, since what is signed is meant for one node. */
export async function askPeer(asked: Asked, allowsPrivate: boolean): Promise<PeerAnswer> {
  const url = new URL(asked.url)
  const limit = AbortSignal.timeout(MAX_MS)
  try {
    const response = await answerOf(url, asked, AbortSignal.any([asked.signal, limit]), allowsPrivate)
    const status = response.statusCode ?? 0
    if (status >= 300 && status < 400) {
      response.destroy()
      throw new Error('unexpected redirect')
    }
    return { status, body: await readBody(response) }
  } catch (failure) {
    asked.signal.throwIfAborted()
    if (failure instanceof MemoryError) throw failure
    throw unreachable(url, limit.aborted ? new Error(`it did not answer within ${MAX_MS / 1000} s`) : failure)
  }
}

/** Checked at the moment of connecting, so that a name cannot change between. */
function answerOf(url: URL, { method, authorization, body }: Asked, signal: AbortSignal, allowsPrivate: boolean): Promise<IncomingMessage> {
  const number = numberIn(url)
  if (!allowsPrivate && number !== undefined && isPrivateAddress(number)) throw privatePeer(url, number)
  const options: RequestOptions = {
    method,
    signal,
    agent: false,
    headers: {
      Authorization: authorization,
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

/** Half an answer is none. */
async function readBody(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const part of response) {
    const chunk = Buffer.from(part)
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
