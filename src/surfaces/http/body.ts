import type { IncomingMessage } from 'node:http'

export const MAX_BODY_BYTES = 16 * 1024 * 1024
/** Time to read the rest of a body after the response, because most clients read it only after sending all. */
const LINGER_MS = 15_000

/** The body of a request, up to the limit. */
export type ReceivedBody = Buffer | 'too large'

export const declaresTooMuch = (incoming: IncomingMessage): boolean => Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES

/** Undefined if the client disconnected before sending all. */
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
    // Connection errors end in `close`.
    incoming.on('error', () => undefined)
  })
}

/**
 * Discards the rest of a body, so that a client that is still sending receives the response. Ends the connection afterwards if the
 * client asked for that.
 */
export function linger(incoming: IncomingMessage, closes: boolean): void {
  const end = (): void => {
    if (closes) incoming.socket.end()
  }
  if (incoming.complete || incoming.destroyed) {
    end()
    return
  }
  const timer = setTimeout(() => incoming.socket.destroy(), LINGER_MS).unref()
  for (const event of ['end', 'close']) incoming.once(event, () => clearTimeout(timer))
  incoming.once('end', end)
  incoming.resume()
}
