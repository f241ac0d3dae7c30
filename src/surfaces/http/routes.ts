import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import type { Contract, ServedOperation } from '../../contracts/contract.js'
import { LOCAL } from '../../contracts/operation.js'
import { ERRORS } from '../../errors.js'
import type { Dispatch } from '../host.js'
import type { ReceivedBody } from './body.js'
import { RefusedRequest, readJson } from './guard.js'

interface Environment {
  Bindings: { readonly body: ReceivedBody }
}
export type HttpApp = Hono<Environment>

/** Every operation at its own method and path; what is served at none of them is left to whoever comes after. */
export function addRoutes(
  app: HttpApp,
  { contracts, dispatch }: { readonly contracts: readonly Contract[]; readonly dispatch: Dispatch },
): void {
  const methods = new Map<string, string[]>()
  for (const contract of contracts) {
    for (const operation of contract.operations) {
      const { method, path } = operation.route
      methods.set(path, [...(methods.get(path) ?? []), method])
      app.on(method, path, (c) => answer(c, contract, operation, dispatch))
    }
  }
  for (const [path, allowed] of methods) app.all(path, (c) => refuseMethod(c, allowed))
}

async function answer(c: Context<Environment>, contract: Contract, operation: ServedOperation, dispatch: Dispatch): Promise<Response> {
  const input = inputOf(c)
  const call = {
    operation,
    input,
    principal: LOCAL,
    actor: 'http',
    connection: randomUUID(),
    signal: c.req.raw.signal,
    progress: () => undefined,
  }
  const outcome = await dispatch.invoke(call)
  const headers = Object.fromEntries(c.res.headers)
  if (outcome.ok) return Response.json(outcome.answer, { status: operation.route.status, headers })
  // A contract that has its own shape for failures has it on every surface.
  if (contract.failure === undefined) throw outcome.error
  return Response.json(contract.failure(outcome.error), { status: ERRORS[outcome.error.code].http, headers })
}

/** The body alone where that is all there is, so that what is no object is refused as such. */
function inputOf(c: Context<Environment>): unknown {
  const body = c.req.method === 'GET' ? undefined : readJson(c.req.raw.headers, c.env.body)
  const query = c.req.method === 'GET' ? queryOf(c) : {}
  const named = { ...query, ...c.req.param() }
  if (Object.keys(named).length === 0) return body ?? {}
  return { ...(typeof body === 'object' ? body : {}), ...named }
}

const queryOf = (c: Context<Environment>): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]))

function refuseMethod(c: Context<Environment>, allowed: readonly string[]): never {
  c.header('Allow', allowed.join(', '))
  const name = c.req.path.replace(/^\/v1\//u, '')
  const how = allowed.includes('POST') ? 'Call it with POST and its arguments as JSON.' : `Call it with ${allowed.join(' or ')}.`
  throw new RefusedRequest(405, `${name} does not answer ${c.req.method}.`, how)
}
