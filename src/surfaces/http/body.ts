import type { IncomingMessage } from 'node:http'

export const MAX_BODY_BYTES = 16 * 1024 * 1024
/** Most clients read the answer only when all they had to say is sent. One that goes on for longer is cut off. */
const LINGER_MS = 15_000

/** What came with a request; more than the limit is not kept. */
export type ReceivedBody = Buffer | 'too large'

export const declaresTooMuch = (incoming: IncomingMessage): boolean => Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES

/** Undefined where the client left before it had sent all: there is nobody to answer. */
export function receiveBody(incoming: IncomingMessage): Promise<ReceivedBody | undefined> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Promise.resolve(Buffer.alloc(0))
  if (declaresTooMuch(incoming)) return Promise.resolve('too large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (body: ReceivedBody | undefined): void => {
      incoming.off('data', take).off('end', end).off('close', leave)
      resolve(body)
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > MAX_BODY_BYTES) settle('too large')
      else chunks.push(chunk)
    }
    const end = (): void => settle(Buffer.concat(chunks))
    const leave = (): void => settle(undefined)
    incoming.on('data', take).once('end', end).once('close', leave)
    // What is wrong with the connection shows in its end.
    incoming.on('error', () => undefined)
  })
}

/** Goes on reading, and forgets, so that a client which is still sending lives to see the answer. */
export function linger(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return
  const timer = setTimeout(() => incoming.socket.destroy(), LINGER_MS).unref()
  for (const event of ['end', 'close']) incoming.once(event, () => clearTimeout(timer))
  incoming.resume()
}
