import { Hono } from 'hono'
import { type Contract, isServed } from '../../contracts/contract.js'
import { ERRORS, MemoryError, toMemoryError } from '../../errors.js'
import type { Host } from '../host.js'
import { createDispatch } from '../host.js'
import type { Log } from '../log.js'
import type { McpEndpoint } from '../mcp/http.js'
import { createMcpEndpoint } from '../mcp/http.js'
import { NoRoom } from '../mcp/sessions.js'
import { within } from '../shutdown.js'
import type { ReceivedBody } from './body.js'
import type { Access } from './guard.js'
import { checkOrigin, isConfiguredOrigin, RefusedRequest, readJson } from './guard.js'
import { toOpenApi } from './openapi.js'
import { addRoutes, type HttpApp } from './routes.js'

export interface AppOptions {
  readonly host: Host
  readonly log: Log
  readonly access: Access
  /** Every contract known to this build; each is served alone under its name, whatever the profile. */
  readonly contracts: readonly Contract[]
  readonly mostSessions?: number | undefined
}

export interface App {
  fetch(request: Request, body: ReceivedBody): Promise<Response>
  /** From here on no call begins. */
  stop(): void
  /** Resolves once no operation is running. */
  settled(): Promise<void>
  close(): Promise<void>
}

const HEALTH_WAIT_MS = 250

export function createApp({ host, log, access, contracts, mostSessions }: AppOptions): App {
  const served = contracts.filter(isServed)
  const dispatch = createDispatch(host, log)
  const endpoint = (list: readonly Contract[]) => createMcpEndpoint({ dispatch, log, version: host.version, contracts: list, mostSessions })
  const endpoints = new Map<string, McpEndpoint>(served.map((contract) => [contract.name, endpoint([contract])]))
  const profile = endpoint(host.contracts.filter(isServed))
  const app: HttpApp = new Hono()

  app.use(async (c, next) => {
    const origin = c.req.header('origin')
    c.header('X-Content-Type-Options', 'nosniff')
    checkOrigin(access, c.req.raw.headers)
    if (origin !== undefined && isConfiguredOrigin(access, origin)) {
      c.header('Access-Control-Allow-Origin', origin)
      c.header('Access-Control-Expose-Headers', 'Mcp-Session-Id')
      c.header('Vary', 'Origin')
      if (c.req.method === 'OPTIONS') {
        c.header('Access-Control-Allow-Methods', 'GET, POST, DELETE')
        c.header('Access-Control-Allow-Headers', c.req.header('access-control-request-headers') ?? 'Content-Type')
        return c.body(null, 204)
      }
    }
    return next()
  })

  app.onError((failure, c) => {
    const error = toMemoryError(failure)
    if (error.code === 'internal') log.error('A request failed unexpectedly', { path: c.req.path, cause: error.cause })
    const status = failure instanceof RefusedRequest ? failure.status : ERRORS[error.code].http
    const { code, message, hint } = error
    const body = isMcpPath(c.req.path)
      ? { jsonrpc: '2.0', id: null, error: { code: rpcCode(error), message } }
      : { error: { code, message, hint } }
    const wait: Readonly<Record<string, string>> = failure instanceof NoRoom ? { 'Retry-After': String(failure.retryAfterSeconds) } : {}
    return new Response(JSON.stringify(body), {
      status,
      headers: { ...Object.fromEntries(c.res.headers), ...wait, 'Content-Type': 'application/json' },
    })
  })

  app.notFound((c) => {
    const [name, tool, ...more] = c.req.path.startsWith('/v1/') ? c.req.path.slice('/v1/'.length).split('/') : []
    if (tool !== undefined && more.length === 0)
      throw new MemoryError('not_found', `There is no tool ${name}/${tool}.`, { hint: 'GET /v1/openapi.json lists the tools.' })
    throw new MemoryError('not_found', `Nothing is served at ${c.req.method} ${c.req.path}.`, { hint: 'GET / lists what is here.' })
  })

  app.get('/', (c) =>
    c.json({
      name: 'mneme',
      version: host.version,
      mcp: ['/mcp', ...served.map(({ name }) => `/mcp/${name}`)],
      rest: '/v1/{contract}/{tool}',
      openapi: '/v1/openapi.json',
      health: '/healthz',
    }),
  )

  app.get('/healthz', async (c) => {
    let store = 'opening'
    await within(
      host.engine().then(
        () => {
          store = 'open'
        },
        () => {
          store = 'unavailable'
        },
      ),
      HEALTH_WAIT_MS,
    )
    return c.json({ status: store === 'unavailable' ? 'degraded' : 'ok', version: host.version, store })
  })

  app.get('/v1/openapi.json', (c) => c.json(toOpenApi(served, host.version)))

  addRoutes(app, { contracts: served, dispatch })

  app.all('/mcp/:contract?', async (c) => {
    const name = c.req.param('contract')
    const chosen = name === undefined ? profile : endpoints.get(name)
    if (chosen === undefined)
      throw new MemoryError('not_found', `There is no contract "${name ?? ''}".`, { hint: `Known: ${[...endpoints.keys()].join(', ')}.` })
    const body = c.req.method === 'POST' ? readJson(c.req.raw.headers, c.env.body) : undefined
    if (c.req.method === 'POST' && body === undefined) throw new MemoryError('invalid_input', 'The request body is empty.')
    const response = await chosen.handle(c.req.raw, body)
    for (const [key, value] of c.res.headers) if (!response.headers.has(key)) response.headers.set(key, value)
    return response
  })

  return {
    fetch: async (request, body) => app.fetch(request, { body }),
    stop: dispatch.stop,
    settled: dispatch.settled,
    async close() {
      await Promise.all([profile, ...endpoints.values()].map((each) => each.close()))
    },
  }
}

function isMcpPath(path: string): boolean {
  return path === '/mcp' || path.startsWith('/mcp/')
}

function rpcCode(error: MemoryError): number {
  if (error.code === 'internal') return -32603
  if (error.code === 'unavailable') return -32000
  // Neither JSON nor, one step before, text.
  return error.cause instanceof SyntaxError || error.cause instanceof TypeError ? -32700 : -32600
}
