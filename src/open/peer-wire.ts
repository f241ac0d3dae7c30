import { MemoryError } from '../errors.js'
import type { PeerWire } from '../ports/node-identity.js'

const LONGEST_MS = 30_000
const LARGEST_BYTES = 64 * 2 ** 20

/** Asks other nodes over HTTP; redirects are not followed, since what is signed is meant for one node. */
export const peerWire: PeerWire = {
  async ask({ method, url, authorization, body, signal }) {
    try {
      const response = await fetch(url, {
        method,
        redirect: 'error',
        headers: {
          Authorization: authorization,
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      })
      return { status: response.status, body: await readBody(response) }
    } catch (failure) {
      signal.throwIfAborted()
      throw unreachable(url, failure)
    }
  },
}

/** What fetch says itself is that it failed; why stands behind it. */
function unreachable(url: string, failure: unknown): MemoryError {
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure
  const why = cause instanceof Error ? cause.message || cause.name : String(cause)
  return new MemoryError('unavailable', `${new URL(url).origin} cannot be reached: ${why}.`, {
    hint: 'Check that the peer runs and that its address is right: redirects are not followed.',
    cause: failure,
  })
}

/** Half an answer is none. */
async function readBody(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > LARGEST_BYTES) throw new Error(`the answer is larger than ${LARGEST_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
