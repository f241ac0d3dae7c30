import { Hono } from 'hono'
import { type Contract, isCompatibility, isServed } from '../../contracts/contract.js'
import { journalEvents } from '../../contracts/event-stream.js'
import { LOCAL_PRINCIPAL } from '../../contracts/operation.js'
import { findNearestName, knownHint } from '../../errors/known-names.js'
import { ERRORS, MemoryError, toMemoryError } from '../../errors.js'
import { serveEvents } from '../event-stream.js'
import type { Host } from '../host.js'
import { createDispatch, type Dispatch } from '../host.js'
import type { Log } from '../log.js'
import type { McpEndpoint } from '../mcp/http.js'
import { createMcpEndpoint } from '../mcp/http.js'
import { finishesWithin } from '../shutdown.js'
import { type Authenticator, NO_AUTHENTICATION } from './authenticator.js'
import type { ReceivedBody } from './body.js'
import { checkAddress, failureBody } from './failures.js'
import type { Metrics, RouteGroup } from './metrics.js'
import { toOpenApi } from './openapi.js'
import type { Access } from './origin-check.js'
import { checkOrigin, isConfiguredOrigin, readJson } from './origin-check.js'
import { endRevokedSessions } from './revoked-sessions.js'
import { addRoutes, type HttpApp, type HttpContext } from './routes.js'

export interface AppOptions {
  readonly host: Host
  readonly log: Log
  readonly access: Access
  /** All contracts; each is also served alone under its name. */
  readonly contracts: readonly Contract[]
  readonly mostSessions?: number | undefined
  /** Without one, every request is accepted. */
  readonly door?: Authenticator | undefined
  /** The public address of the server. */
  readonly publicUrl?: (() => string) | undefined
  readonly metrics?: Metrics | undefined
  /** Adds routes of another surface, such as pages for people; who asks for them is theirs to find out. */
  readonly extend?: ((app: HttpApp, parts: AppParts) => void) | undefined
}

/** What routes of another surface are served with. */
export interface AppParts {
  readonly host: Host
  readonly log: Log
  readonly dispatch: Dispatch
  readonly door: Authenticator
  readonly publicUrl: (() => string) | undefined
  /** Aborted once the server stops: streams end then. */
  readonly stopping: AbortSignal
}

export interface App {
  fetch(request: Request, body: ReceivedBody): Promise<Response>
  /** Rejects new calls. */
  stop(): void
  /** Resolves once no operation is running. */
  whenIdle(): Promise<void>
  close(): Promise<void>
}

const HEALTH_WAIT_MS = 250

/** Paths that require a key. */
const GUARDED_PATHS = ['/v1', '/mcp', '/metrics', '/compat'] as const
const METADATA_PATH = '/.well-known/oauth-protected-resource'

export function createApp(options: AppOptions): App {
  const { host, log, access, contracts, mostSessions, door = NO_AUTHENTICATION, publicUrl, metrics } = options
  const stopping = new AbortController()
  const served = contracts.filter(isServed)
  const dispatch = createDispatch(host, log)
  const endpoint = (list: readonly Contract[]) => createMcpEndpoint({ dispatch, log, version: host.version, contracts: list, mostSessions })
  const endpoints = new Map<string, McpEndpoint>(served.map((contract) => [contract.name, endpoint([contract])]))
  const profile = endpoint(host.contracts.filter(isServed))
  const all = [profile, ...endpoints.values()]
  const keys = endRevokedSessions(door, all, log)
  const app: HttpApp = new Hono()

  app.use(async (c, next) => {
    const origin = c.req.header('origin')
    c.header('X-Content-Type-Options', 'nosniff')
    checkOrigin(access, c.req.raw.headers)
    checkAddress(c.req.raw.url)
    if (origin !== undefined && isConfiguredOrigin(access, origin)) {
      c.header('Access-Control-Allow-Origin', origin)
      c.header('Access-Control-Expose-Headers', 'Mcp-Session-Id')
      c.header('Vary', 'Origin')
      if (c.req.method === 'OPTIONS') {
        c.header('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE')
        c.header('Access-Control-Allow-Headers', c.req.header('access-control-request-headers') ?? 'Content-Type')
        return c.body(null, 204)
      }
    }
    c.set('principal', isGuarded(c.req.path) ? await door.authenticate(keyHeaders(c)) : LOCAL_PRINCIPAL)
    return next()
  })

  /** A request that reaches no operation fails in the format of the contract whose path it names. */
  const compatible = host.contracts.filter(isCompatibility)
  const bodyAt = (path: string, error: MemoryError): unknown => {
    const named = [...served, ...compatible].find(({ name }) => path.startsWith(`/v1/${name}/`) || path.startsWith(`/compat/${name}/`))
    return named?.failure?.(error) ?? failureBody(error)
  }

  app.onError((failure, c) => {
    const error = toMemoryError(failure)
    if (error.code === 'internal') log.error('A request failed unexpectedly', { path: c.req.path, cause: error.cause })
    const { message, retryAfterSeconds } = error
    const body = isMcpPath(c.req.path) ? { jsonrpc: '2.0', id: null, error: { code: rpcCode(error), message } } : bodyAt(c.req.path, error)
    return new Response(JSON.stringify(body), {
      status: ERRORS[error.code].http,
      headers: {
        ...Object.fromEntries(c.res.headers),
        ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
        ...(error.code === 'unauthenticated' ? { 'WWW-Authenticate': challenge(c) } : {}),
        'Content-Type': 'application/json',
      },
    })
  })

  /** The `WWW-Authenticate` header. */
  const challenge = (c: HttpContext): string => {
    if (door.issuer === undefined) return 'Bearer realm="mneme"'
    return `Bearer resource_metadata="${resourceUrl(c)}${METADATA_PATH}${isMcpPath(c.req.path) ? '/mcp' : ''}"`
  }
  const resourceUrl = (c: HttpContext): string => publicUrl?.() ?? new URL(c.req.url).origin

  app.notFound((c) => {
    const [name, tool, ...more] = c.req.path.startsWith('/v1/') ? c.req.path.slice('/v1/'.length).split('/') : []
    if (name !== undefined && tool !== undefined && more.length === 0) {
      const near = findNearestName(
        `/v1/${name}/${tool}`,
        served.flatMap(({ operations }) => operations.flatMap(({ routes }) => routes.map(({ path }) => path))),
      )
      const meant = near === undefined ? '' : `Did you mean ${near}? `
      throw new MemoryError('not_found', `There is no tool ${name}/${tool}.`, { hint: `${meant}GET /v1/openapi.json lists the tools.` })
    }
    const hint = isCompatible(c.req.path)
      ? 'Routes of other systems are served where --profile names them: mem0.'
      : 'GET / lists what is here.'
    throw new MemoryError('not_found', `Nothing is served at ${c.req.method} ${c.req.path}.`, { hint })
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

  const storeState = async (): Promise<'open' | 'opening' | 'unavailable'> => {
    let state: 'open' | 'opening' | 'unavailable' = 'opening'
    const opened = host.engine().then(
      () => {
        state = 'open'
      },
      () => {
        state = 'unavailable'
      },
    )
    await finishesWithin(opened, HEALTH_WAIT_MS)
    return state
  }

  app.get('/healthz', async (c) => {
    const store = await storeState()
    return c.json({ status: store === 'unavailable' ? 'degraded' : 'ok', version: host.version, store })
  })

  app.get('/readyz', async (c) => {
    const store = await storeState()
    return c.json({ ready: store === 'open', store }, store === 'open' ? 200 : 503)
  })

  for (const path of [METADATA_PATH, `${METADATA_PATH}/mcp`])
    app.get(path, (c) => {
      if (door.issuer === undefined) throw new MemoryError('not_found', 'This server takes tokens of no issuer.', { hint: 'Use a key.' })
      return c.json(door.issuer.metadata(`${resourceUrl(c)}${path.endsWith('/mcp') ? '/mcp' : ''}`))
    })

  app.get('/v1/openapi.json', (c) => c.json(toOpenApi(served, host.version)))

  app.get('/v1/events', (c) =>
    serveEvents({
      ...{ host, log, stopping: stopping.signal, stream: journalEvents, principal: c.get('principal'), signal: c.req.raw.signal },
      after: c.req.header('last-event-id') ?? c.req.query('after'),
      stillAllowed: () => door.authenticate(c.req.raw.headers),
    }),
  )

  options.extend?.(app, { host, log, dispatch, door, publicUrl, stopping: stopping.signal })

  if (metrics !== undefined)
    app.get('/metrics', async (c) => {
      const { type, text } = await metrics.read()
      return c.body(text, 200, { 'Content-Type': type })
    })

  const doorOf = async (c: HttpContext) => ({
    url: resourceUrl(c),
    addresses: [new URL(c.req.url).origin, resourceUrl(c)],
    asksForKey: await door.requiresKey(),
  })
  addRoutes(app, { contracts: [...served, ...compatible], dispatch, doorOf })

  app.all('/mcp/:contract?', async (c) => {
    const name = c.req.param('contract')
    const chosen = name === undefined ? profile : endpoints.get(name)
    if (chosen === undefined)
      throw new MemoryError('not_found', `There is no contract "${name ?? ''}".`, { hint: knownHint(name ?? '', [...endpoints.keys()]) })
    const body = c.req.method === 'POST' ? readJson(c.req.raw.headers, c.env.body) : undefined
    if (c.req.method === 'POST' && body === undefined) throw new MemoryError('invalid_input', 'The request body is empty.')
    const response = await chosen.handle(c.req.raw, body, c.get('principal'))
    for (const [key, value] of c.res.headers) if (!response.headers.has(key)) response.headers.set(key, value)
    return response
  })

  metrics?.watch(() => ({ sessions: all.reduce((sum, each) => sum + each.sessions(), 0) }))
  const measured = async (request: Request, body: ReceivedBody): Promise<Response> => {
    const since = performance.now()
    const response = await app.fetch(request, { body })
    const door = doorwayOf(pathOf(request.url))
    metrics?.answered({ method: request.method, door, status: response.status, ms: performance.now() - since })
    return response
  }

  return {
    fetch: metrics === undefined ? async (request, body) => app.fetch(request, { body }) : measured,
    stop() {
      stopping.abort()
      dispatch.stop()
    },
    whenIdle: dispatch.whenIdle,
    async close() {
      keys.close()
      await Promise.all(all.map((each) => each.close()))
    },
  }
}

function isGuarded(path: string): boolean {
  return GUARDED_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** The path of a URL, also with an invalid host, which `URL` rejects. */
const pathOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/iu.exec(url)?.[1] ?? url

function doorwayOf(path: string): RouteGroup {
  if (isMcpPath(path)) return 'mcp'
  return isGuarded(path) ? 'rest' : 'open'
}

function isMcpPath(path: string): boolean {
  return path === '/mcp' || path.startsWith('/mcp/')
}

const isCompatible = (path: string): boolean => path.startsWith('/compat/')

/** Clients of other systems send the same key under other names. */
function keyHeaders({ req }: HttpContext): Headers {
  const { headers } = req.raw
  if (!isCompatible(req.path)) return headers
  const key = headers.get('x-api-key') ?? /^Token +(\S+)$/iu.exec(headers.get('authorization') ?? '')?.[1]
  return key === undefined ? headers : new Headers({ authorization: `Bearer ${key}` })
}

function rpcCode(error: MemoryError): number {
  if (error.code === 'internal') return -32603
  if (['unavailable', 'unauthenticated', 'rate_limited'].includes(error.code)) return -32000
  // Invalid JSON or invalid UTF-8.
  return error.cause instanceof SyntaxError || error.cause instanceof TypeError ? -32700 : -32600
}
