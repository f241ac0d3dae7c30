import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Contract } from '../../contracts/contract.js'
import type { Dispatch } from '../host.js'
import type { Log } from '../log.js'
import { BAD_HANDSHAKE, createMcpServer, isBadHandshake, tolerateNullArguments } from './server.js'
import { createSessions } from './sessions.js'

export interface McpEndpointOptions {
  readonly dispatch: Dispatch
  readonly log: Log
  readonly version: string
  readonly contracts: readonly Contract[]
  readonly mostSessions?: number | undefined
}

export interface McpEndpoint {
  /** `body` is the parsed JSON of a POST. */
  handle(request: Request, body: unknown): Promise<Response>
  close(): Promise<void>
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
  const sessions = createSessions<WebStandardStreamableHTTPServerTransport>(options.mostSessions)

  async function open(request: Request, parsedBody: unknown): Promise<Response> {
    sessions.makeRoom()
    const id = randomUUID()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => sessions.add(id, transport),
    })
    const server = createMcpServer({ ...options, connection: id })
    server.onclose = () => sessions.delete(id)
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
      const transport = sessions.get(id)
      return transport === undefined
        ? notFound()
        : sessions.track(id, isJSONRPCRequest(parsedBody), transport.handleRequest(request, { parsedBody }))
    },
    async close() {
      await Promise.all([modern.close(), ...sessions.all().map((transport) => transport.close())])
    },
  }
}

/** The status tells a client of these revisions to start over with `initialize`. */
function notFound(): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, { status: 404 })
}

function badHandshake(body: unknown): Response {
  const id = isJSONRPCRequest(body) ? body.id : null
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: BAD_HANDSHAKE } }, { status: 400 })
}
