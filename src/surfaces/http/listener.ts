import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { declaresTooMuch, linger, type ReceivedBody, receiveBody } from './body.js'

/**
 * Time limits: 15 seconds for headers, one minute for a request. Idle connections are kept longer than proxies keep theirs, so that
 * a proxy does not reuse a connection that is being closed.
 */
const LIMITS = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000, keepAliveTimeout: 65_000 }

export type Limits = Partial<typeof LIMITS>

/** A server that receives each body before it handles the request. */
export function createHttpServer(answer: (request: Request, body: ReceivedBody) => Promise<Response>, limits: Limits = {}): Server {
  const bodies = new WeakMap<object, ReceivedBody>()
  const respond = getRequestListener((request, { incoming }) => answer(request, bodies.get(incoming) ?? Buffer.alloc(0)), {
    overrideGlobalObjects: false,
    // Bodies are always received here.
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      error instanceof RequestError
        ? Response.json(
            shape('invalid_input', 'The address or a header of the request cannot be read.', 'Check its Host header and the address.'),
            { status: 400 },
          )
        : Response.json(shape('internal', 'Internal error.'), { status: 500 }),
  })
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await receiveBody(incoming)
    if (body === undefined) return
    bodies.set(incoming, body)
    // Prevents a second read of the consumed stream.
    Object.assign(incoming, { rawBody: Buffer.alloc(0) })
    if (body === 'too large') {
      const closes = !outgoing.shouldKeepAlive
      // Node would close the connection with the response, and a client that is still sending would never read it.
      outgoing.shouldKeepAlive = true
      outgoing.once('finish', () => linger(incoming, closes))
    }
    await respond(incoming, outgoing)
  }
  const server = createServer({ ...LIMITS, ...limits }, (incoming, outgoing) => void receive(incoming, outgoing))
  // Answers `Expect: 100-continue` with 413 for large bodies.
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!declaresTooMuch(incoming)) outgoing.writeContinue()
    void receive(incoming, outgoing)
  })
  server.on('clientError', refuseConnection)
  return server
}

const shape = (code: string, message: string, hint?: string) => ({
  error: { code, message, ...(hint === undefined ? {} : { hint }) },
  detail: message,
})

const REASONS: Readonly<Record<string, readonly [status: string, message: string, hint: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of the request are too large.',
    'Send less than 16 KB of them, address included; long questions go into the body of a POST.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.', 'Send all of it within a minute.'],
}

/** Responds to connections without a valid request: not HTTP, too slow, or headers too large. */
function refuseConnection(error: Error, socket: Duplex): void {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message, hint] = REASONS[code] ?? [
    '400 Bad Request',
    'The request is not valid HTTP.',
    'Speak HTTP/1.1; this server has no TLS.',
  ]
  const body = JSON.stringify(shape('invalid_input', message, hint))
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
