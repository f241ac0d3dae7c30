import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MemoryError } from '../../errors.js'
import type { EndReason } from '../shutdown.js'
import { finishesWithin, waitForSignal } from '../shutdown.js'
import type { AppOptions } from './app.js'
import { createApp } from './app.js'
import { createHttpServer, type Limits } from './listener.js'

const END_WITHIN_MS = 950
const RUNNING_GRACE_MS = 750
const FLUSH_MS = 50

export interface HttpOptions extends AppOptions {
  readonly port: number
  /** Time limits for receiving a request; shorter in tests. */
  readonly limits?: Limits
  /** Printed regardless of the log level. */
  announce(line: string): void
  /** Called with the URL before requests are handled. */
  listening?(url: string): void
}

export interface HttpServer {
  readonly url: string
  /** Waits briefly for running requests, ends open streams and closes the store. */
  close(): Promise<void>
}

export async function openHttpServer(options: HttpOptions): Promise<HttpServer> {
  const { host, log, access, announce } = options
  const app = createApp(options)
  const server = createHttpServer((request, body) => app.fetch(request, body), options.limits)
  await listen(server, access.host, options.port)
  const url = urlOf(server, access.host)
  options.listening?.(url)
  announce(`mneme ${host.version} listening on ${url}`)
  host.engine().catch((error: unknown) => log.warn('The store could not be opened', { error }))
  return {
    url,
    async close() {
      const since = performance.now()
      const drained = new Promise<void>((resolve) => void server.close(() => resolve()))
      app.stop()
      await finishesWithin(app.whenIdle(), RUNNING_GRACE_MS)
      await app.close()
      server.closeIdleConnections()
      await finishesWithin(drained, FLUSH_MS)
      server.closeAllConnections()
      const closed = await finishesWithin(host.close(), END_WITHIN_MS - (performance.now() - since))
      if (!closed) log.warn('The store did not close in time; what was acknowledged is on disk')
    },
  }
}

/** Serves until a signal arrives. */
export async function serveHttp(options: HttpOptions): Promise<EndReason> {
  // Installed before the URL is announced, because a reader may stop the server at once.
  const signalled = waitForSignal()
  const server = await openHttpServer(options)
  const reason = await signalled
  await server.close()
  return reason
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(listenFailure(cause, host, port)))
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve)
  })
}

function listenFailure(cause: Error, host: string, port: number): MemoryError {
  const code = 'code' in cause ? cause.code : undefined
  if (code === 'EADDRINUSE')
    return new MemoryError('unavailable', `Port ${port} on ${host} is already in use.`, {
      hint: 'Stop the other server, or choose another port with --port (0 picks a free one).',
      cause,
    })
  if (code === 'EACCES')
    return new MemoryError('forbidden', `Port ${port} on ${host} may not be used by this user.`, {
      hint: 'Choose a port above 1023 with --port.',
      cause,
    })
  return new MemoryError('unavailable', `Cannot listen on ${host}, port ${port} (${String(code ?? cause.message)}).`, {
    hint: 'Check --host and --port.',
    cause,
  })
}

function urlOf(server: Server, host: string): string {
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}
