import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { CLIENT_INFO_META_KEY, isInitializeRequest, ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { Contract } from '../../contracts/contract.js'
import type { Answer } from '../../contracts/operation.js'
import { LOCAL_PRINCIPAL, type Principal } from '../../contracts/operation.js'
import { findNearestName, shownNames } from '../../errors/known-names.js'
import type { MemoryError } from '../../errors.js'
import { type Dispatch, journalName } from '../host.js'
import type { Log } from '../log.js'
import { createSequence } from './sequence.js'
import { offeredBy, serveTexts } from './texts.js'
import { type ListedTool, listTools } from './tools.js'
import { ViewServer, viewMeta, viewsOf } from './views.js'

interface McpServerOptions {
  readonly dispatch: Dispatch
  readonly log: Log
  readonly version: string
  /** The contracts of this endpoint, possibly a subset of the host's. */
  readonly contracts: readonly Contract[]
  /** The connection of this server instance. */
  readonly connection: string
  /** The caller; the local process by default. */
  principal?(): Principal
}

export function createMcpServer({
  dispatch,
  log,
  version,
  contracts,
  connection,
  principal = () => LOCAL_PRINCIPAL,
}: McpServerOptions): Server {
  const tools = listTools(contracts)
  const instructions = contracts
    .map((contract) => contract.instructions)
    .filter(Boolean)
    .join('\n\n')
  const hasViews = viewsOf(contracts).length > 0
  const offered = offeredBy(contracts)
  const options = {
    capabilities: { tools: {}, ...offered, ...(hasViews ? { resources: {} } : {}) },
    ...(instructions ? { instructions } : {}),
  }
  const server = new ViewServer({ name: 'mneme', title: 'mneme', version }, options)
  server.hasPagesOnly = hasViews && offered.resources === undefined
  const inOrder = createSequence()
  server.onerror = (error) => log.debug('MCP connection', { error })

  server.setRequestHandler('tools/list', (_, context) => {
    const views = server.showsViews(context)
    const listed = [...tools.values()].filter(({ operation }) => operation.listed || (views && operation.view !== undefined))
    return { tools: listed.map((tool) => ({ ...tool.listing(), ...(views ? viewMeta(tool.operation) : {}) })) }
  })
  serveTexts(server, contracts)

  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult> => {
    const tool = tools.get(request.params.name)
    if (tool === undefined) throw unknownTool(request.params.name, tools)
    const caller = principal()
    const invocation = {
      operation: tool.operation,
      input: request.params.arguments ?? {},
      principal: caller,
      actor: journalName(caller, `mcp:${clientName(server, context)}`),
      connection,
      signal: context.mcpReq.signal,
      progress: progressOf(context),
    }
    const outcome = await inOrder(tool.operation.modeOf(invocation.input), context.mcpReq.signal, () => dispatch.invoke(invocation))
    return outcome.ok ? toResult(outcome.answer) : toFailure(tool.contract, outcome.error)
  })
  return server
}

function unknownTool(name: string, tools: ReadonlyMap<string, ListedTool>): ProtocolError {
  const listed = [...tools].flatMap(([known, { operation }]) => (operation.listed ? [known] : []))
  const near = findNearestName(name, listed)
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${shownNames([name])}${near === undefined ? '' : `. Did you mean "${near}"?`}`,
  )
}

/** Some older clients send `arguments: null` for a call without arguments, which the protocol does not allow. */
export function tolerateNullArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(tolerateNullArguments)
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params) || message.params.arguments !== null)
    return message
  const { arguments: _, ...params } = message.params
  return { ...message, params }
}

export const BAD_HANDSHAKE =
  'Invalid params: initialize needs protocolVersion (text), capabilities (an object) and clientInfo (an object with name and version).'

/** The SDK would respond with an internal error and a dump of its schema. */
export function isBadHandshake(message: unknown): boolean {
  return isObject(message) && message.method === 'initialize' && 'id' in message && !isInitializeRequest(message)
}

function toResult(answer: Answer): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer, isError: false }
}

function toFailure(contract: Contract, error: MemoryError): CallToolResult {
  if (contract.failure !== undefined) return { ...toResult(contract.failure(error)), isError: true }
  const text = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
  return { content: [{ type: 'text', text }], isError: true }
}

/** Progress is sent only for requests with a token; a lost progress message must not fail the call. */
function progressOf(context: ServerContext): (done: number, total: number | null, message: string) => void {
  const progressToken = context.mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  return (done, total, message) => {
    const params = { progressToken, progress: done, ...(total === null ? {} : { total }), message }
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}

function clientName(server: Server, context: ServerContext): string {
  const envelope: unknown = context.mcpReq.envelope
  const info = isObject(envelope) ? envelope[CLIENT_INFO_META_KEY] : undefined
  if (isObject(info) && typeof info.name === 'string') return info.name
  return server.getClientVersion()?.name ?? 'unknown'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
