import { randomUUID } from 'node:crypto'
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Contract } from '../../contracts/contract.js'
import type { Principal } from '../../contracts/operation.js'
import type { Dispatch } from '../host.js'
import type { Log } from '../log.js'
import { BAD_HANDSHAKE, createMcpServer, isBadHandshake, tolerateNullArguments } from './server.js'
import { createSessions, untilRead } from './sessions.js'

interface McpEndpointOptions {
  readonly dispatch: Dispatch
  readonly log: Log
  readonly version: string
  readonly contracts: readonly Contract[]
  readonly mostSessions?: number | undefined
}

export interface McpEndpoint {
  /** `body` is the parsed JSON of a POST. */
  handle(request: Request, body: unknown, principal: Principal): Promise<Response>
  /** Number of open sessions. */
  sessions(): number
  /** Sessions authenticated by a key or a token. */
  keyedSessions(): readonly KeyedSession[]
  close(): Promise<void>
}

/** A session with its latest credentials. */
interface KeyedSession {
  readonly headers: Headers
  end(): void
}

/** A session belongs to the principal that opened it. */
interface OwnedTransport {
  readonly transport: WebStandardStreamableHTTPServerTransport
  principal: Principal
  headers: Headers
  close(): Promise<void>
}

/**
 * One URL for both generations of the protocol: revisions with a handshake get a session, so that facts of one client become neighbours;
 * stateless requests are handled separately.
 */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { log } = options
  const onerror = (error: Error) => log.debug('MCP over HTTP', { error })
  // Principals of single requests.
  const callers = new WeakMap<AuthInfo, Principal>()
  const alone = ({ authInfo }: { readonly authInfo?: AuthInfo }) => {
    const caller = authInfo === undefined ? undefined : callers.get(authInfo)
    if (caller === undefined) throw new TypeError('a request without a caller')
    return createMcpServer({ ...options, connection: randomUUID(), principal: () => caller })
  }
  const authInfoOf = (principal: Principal): AuthInfo => {
    const info = { token: '', clientId: principal.name, scopes: [...principal.rights] }
    callers.set(info, principal)
    return info
  }
  const modern = createMcpHandler(alone, { legacy: 'reject', onerror })
  const stateless = legacyStatelessFallback(alone, onerror)
  const sessions = createSessions<OwnedTransport>(options.mostSessions)

  /** Streams without a session, which clients keep open. */
  const streams = new Set<KeyedSession>()

  /** A stream ends when its key is revoked, like a session. */
  async function listen(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    const ended = new AbortController()
    const signal = AbortSignal.any([request.signal, ended.signal])
    const { url, method, headers } = request
    const response = await modern.fetch(new Request(url, { method, headers, signal }), { parsedBody, authInfo: authInfoOf(principal) })
    const stream = { headers: shownBy(request), end: () => ended.abort() }
    streams.add(stream)
    return untilRead(response, () => streams.delete(stream))
  }

  async function open(request: Request, parsedBody: unknown, principal: Principal): Promise<Response> {
    const holder = principal.proof === 'none' ? undefined : principal.name
    sessions.makeRoom(holder)
    const id = randomUUID()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => sessions.add(id, owned, holder),
    })
    const owned: OwnedTransport = { transport, principal, headers: shownBy(request), close: () => transport.close() }
    const server = createMcpServer({ ...options, connection: id, principal: () => owned.principal })
    server.onclose = () => sessions.delete(id)
    await server.connect(transport)
    return transport.handleRequest(request, { parsedBody })
  }

  return {
    async handle(request, body, principal) {
      const parsedBody = tolerateNullArguments(body)
      if (!(await isLegacyRequest(request, parsedBody)))
        return isListening(parsedBody) && principal.proof !== 'none'
          ? listen(request, parsedBody, principal)
          : modern.fetch(request, { parsedBody, authInfo: authInfoOf(principal) })
      if (isBadHandshake(parsedBody)) return badHandshake(parsedBody)
      const id = request.headers.get('mcp-session-id')
      if (id === null)
        return isInitializeRequest(parsedBody)
          ? open(request, parsedBody, principal)
          : stateless(request, { parsedBody, authInfo: authInfoOf(principal) })
      const session = sessions.get(id)
      // A session of another principal is reported as unknown.
      if (session === undefined || session.principal.name !== principal.name) return notFound()
      session.principal = principal
      session.headers = shownBy(request)
      return sessions.track(id, isJSONRPCRequest(parsedBody), session.transport.handleRequest(request, { parsedBody }))
    },
    sessions: () => sessions.all().length,
    keyedSessions: () => [
      ...streams,
      ...sessions
        .all()
        .filter(({ principal }) => principal.proof !== 'none')
        .map((session) => ({ headers: session.headers, end: () => void session.close() })),
    ],
    async close() {
      await Promise.all([modern.close(), ...sessions.all().map((session) => session.close())])
    },
  }
}

const isListening = (body: unknown): boolean => isJSONRPCRequest(body) && body.method === 'subscriptions/listen'

/** Keeps only the credentials of a request. */
const shownBy = (request: Request): Headers => new Headers({ authorization: request.headers.get('authorization') ?? '' })

/** The status makes clients of these revisions start over with `initialize`. */
function notFound(): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, { status: 404 })
}

function badHandshake(body: unknown): Response {
  const id = isJSONRPCRequest(body) ? body.id : null
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: BAD_HANDSHAKE } }, { status: 400 })
}
