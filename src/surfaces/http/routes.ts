import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import type { Contract, ServedOperation } from '../../contracts/contract.js'
import type { Call, Principal, Route } from '../../contracts/operation.js'
import { fromText, propertiesOf } from '../../contracts/text-input.js'
import { isConsent } from '../../contracts/wire-schema.js'
import { ERRORS, MemoryError } from '../../errors.js'
import { type Dispatch, journalName } from '../host.js'
import type { ReceivedBody } from './body.js'
import { failureBody } from './failures.js'
import { readJson } from './origin-check.js'

interface Environment {
  Bindings: { readonly body: ReceivedBody }
  Variables: { principal: Principal }
}
export type HttpApp = Hono<Environment>
export type HttpContext = Context<Environment>

interface OperationRoute {
  readonly contract: Contract
  readonly operation: ServedOperation
  readonly route: Route
}

interface RouteParts {
  readonly dispatch: Dispatch
  /** The address and authentication of the server, for open operations. */
  doorOf(c: HttpContext): Promise<NonNullable<Call['door']>>
}

/** Registers every operation at its methods and paths. */
export function addRoutes(app: HttpApp, { contracts, ...behind }: RouteParts & { readonly contracts: readonly Contract[] }): void {
  const served = contracts.flatMap((contract) =>
    contract.operations.flatMap((operation) => operation.routes.map((route): OperationRoute => ({ contract, operation, route }))),
  )
  const methods = new Map<string, string[]>()
  for (const contract of inOrder(served)) {
    const { method, path } = contract.route
    methods.set(path, [...(methods.get(path) ?? []), method])
    app.on(method, path, (c) => answer(c, contract, behind))
  }
  for (const [path, allowed] of methods) app.all(path, (c) => refuseMethod(c, allowed))
}

/** Paths with a rest parameter (`:id{.+}`) come after literal ones. */
const inOrder = (served: readonly OperationRoute[]): readonly OperationRoute[] =>
  [...served].sort((a, b) => Number(a.route.path.includes('{')) - Number(b.route.path.includes('{')))

async function answer(c: HttpContext, { contract, operation, route }: OperationRoute, { dispatch, doorOf }: RouteParts): Promise<Response> {
  const principal = c.get('principal')
  const input = attempt(() => inputOf(c, operation))
  if (input instanceof MemoryError) return failed(c, contract, input)
  const call = {
    operation,
    input,
    principal,
    actor: journalName(principal, 'http'),
    connection: randomUUID(),
    signal: c.req.raw.signal,
    progress: () => undefined,
    // Only open operations describe it.
    ...(route.open === true ? { door: await doorOf(c) } : {}),
  }
  const outcome = await dispatch.invoke(call)
  const headers = Object.fromEntries(c.res.headers)
  if (outcome.ok) {
    const status = route.statusOf?.(outcome.answer) ?? route.status
    return status === 204
      ? new Response(null, { status, headers })
      : Response.json(route.bodyOf?.(outcome.answer) ?? outcome.answer, { status, headers })
  }
  return failed(c, contract, outcome.error)
}

function attempt<T>(work: () => T): T | MemoryError {
  try {
    return work()
  } catch (failure) {
    if (failure instanceof MemoryError) return failure
    throw failure
  }
}

/** A contract with its own error format uses it on every surface, also for requests that cannot be parsed. */
function failed(c: HttpContext, contract: Contract, error: MemoryError): Response {
  const headers = Object.fromEntries(c.res.headers)
  const body = contract.failure === undefined ? failureBody(error) : contract.failure(error)
  const wait = error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }
  return Response.json(body, { status: ERRORS[error.code].http, headers: { ...headers, ...wait } })
}

/** The body if there are no other arguments, so that a body that is not an object is rejected as such. */
function inputOf(c: HttpContext, operation: ServedOperation): unknown {
  const body = c.req.method === 'GET' ? undefined : readJson(c.req.raw.headers, c.env.body)
  const properties = propertiesOf(operation.schemas.input)
  const texts = { ...queryOf(c), ...c.req.param() }
  const named = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, isConsent(name) ? text : fromText(properties[name] ?? { type: 'string' }, text)]),
  )
  if (Object.keys(named).length === 0) return body ?? {}
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw new MemoryError('invalid_input', 'The request body must be one JSON object.', {
      hint: 'Send the arguments as the members of an object.',
    })
  return { ...body, ...named }
}

const queryOf = (c: HttpContext): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))

function refuseMethod(c: HttpContext, allowed: readonly string[]): never {
  c.header('Allow', [...new Set(allowed)].join(', '))
  const name = c.req.path.replace(/^\/v1\//u, '')
  const how = allowed.includes('POST') ? 'Call it with POST and its arguments as JSON.' : `Call it with ${allowed.join(' or ')}.`
  throw new MemoryError('method_not_allowed', `${name} does not answer ${c.req.method}.`, { hint: how })
}
