import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Contract } from '../../contracts/operation.js'
import type { Dispatch } from '../host.js'
import type { Log } from '../log.js'
import { BAD_HANDSHAKE, createMcpServer, isBadHandshake, tolerateNullArguments } from './server.js'

const SESSION_IDLE_MS = 30 * 60_000
const MOST_SESSIONS = 1000

export interface McpEndpointOptions {
  readonly dispatch: Dispatch
  readonly log: Log
  readonly version: string
  readonly contracts: readonly Contract[]
}

export interface McpEndpoint {
  /** `body` is the parsed JSON of a POST. */
  handle(request: Request, body: unknown): Promise<Response>
  close(): Promise<void>
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
}

/**
 * One URL for both generations of the protocol: revisions with a handshake get a session, so that one client's facts are
 * neighbours; the stateless revision, and a lone request without a handshake, are answered on their own.
 */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { log } = options
  const onerror = (error: Error) => log.debug('MCP over HTTP', { error })
  const alone = () => createMcpServer({ ...options, connection: randomUUID() })
  const modern = createMcpHandler(alone, { legacy: 'reject', onerror })
  const stateless = legacyStatelessFallback(alone, onerror)
  const sessions = new Map<string, Session>()

  async function open(request: Request, parsedBody: unknown): Promise<Response> {
    retire(sessions)
    const id = randomUUID()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => void sessions.set(id, { transport, usedAt: performance.now() }),
    })
    const server = createMcpServer({ ...options, connection: id })
    server.onclose = () => void sessions.delete(id)
    await server.connect(transport)
    return transport.handleRequest(request, { parsedBody })
  }

  return {
    async handle(request, body) {
      const parsedBody = tolerateNullArguments(body)
      if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, { parsedBody })
      if (isBadHandshake(parsedBody)) return badHandshake(parsedBody)
      const id = request.headers.get('mcp-session-id')
      if (id === null) return isInitializeRequest(parsedBody) ? open(request, parsedBody) : stateless(request, { parsedBody })
      const session = sessions.get(id)
      if (session === undefined) return notFound()
      session.usedAt = performance.now()
      return session.transport.handleRequest(request, { parsedBody })
    },
    async close() {
      await Promise.all([modern.close(), ...[...sessions.values()].map(({ transport }) => transport.close())])
    },
  }
}

/** Clients rarely say goodbye: idle sessions go after a while, and the least recently used when there are too many. */
function retire(sessions: ReadonlyMap<string, Session>): void {
  const byAge = [...sessions.values()].sort((a, b) => a.usedAt - b.usedAt)
  const idleSince = performance.now() - SESSION_IDLE_MS
  const surplus = sessions.size - MOST_SESSIONS + 1
  byAge.forEach((session, index) => {
    if (index < surplus || session.usedAt < idleSince) void session.transport.close()
  })
}

/** The status tells a client of these revisions to start over with `initialize`. */
function notFound(): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, { status: 404 })
}

function badHandshake(body: unknown): Response {
  const id = isJSONRPCRequest(body) ? body.id : null
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: BAD_HANDSHAKE } }, { status: 400 })
}
