import type { PeerWire } from '../ports/node-identity.js'

const LONGEST_MS = 30_000
const LARGEST_BYTES = 64 * 2 ** 20

/** Asks other nodes over HTTP; redirects are not followed, since what is signed is meant for one node. */
export const peerWire: PeerWire = {
  async ask({ method, url, authorization, body, signal }) {
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
  },
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
