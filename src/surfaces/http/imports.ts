import { randomUUID } from 'node:crypto'
import type { Contract } from '../../contracts/contract.js'
import type { Answer, Operation, Principal } from '../../contracts/operation.js'
import { MemoryError } from '../../errors.js'
import { type Dispatch, type Invocation, journalName } from '../host.js'
import { failureBody } from './failures.js'
import { readJson } from './origin-check.js'
import type { HttpApp, HttpContext } from './routes.js'
import type { Uploads } from './uploads.js'

interface ImportParts {
  readonly dispatch: Dispatch
  readonly uploads: Uploads
  readonly contracts: readonly Contract[]
  /** Aborted once the server stops. */
  readonly stopping: AbortSignal
}

const IMPORTS_PATH = '/v1/imports'
/** What a preview may be asked for; a commit does the same without being asked again. */
const QUERY_OPTIONS = new Set(['from', 'owner', 'project', 'since', 'turns', 'sensitive', 'map'])

/** The state of one upload. */
interface ImportState {
  state: 'uploaded' | 'previewed' | 'running' | 'done' | 'failed'
  /** Of the last preview: commits what was previewed. */
  token?: string
  options?: Readonly<Record<string, unknown>>
  records?: number
  message?: string
  answer?: Answer
  error?: unknown
  abort?: AbortController
}

/** Imports over HTTP: a file is uploaded in parts, previewed, and committed with the token of its preview. */
export function addImports(app: HttpApp, { dispatch, uploads, contracts, stopping }: ImportParts): void {
  const operation = contracts.find(({ name }) => name === 'admin')?.operations.find(({ name }) => name === 'import')
  if (operation === undefined) return
  const states = new Map<string, ImportState>()

  const append = async (c: HttpContext, id: string) => {
    const { body } = c.env
    if (body === 'too large')
      throw new MemoryError('too_large', 'A part of a file may have 16 MB at most.', {
        hint: `Send the rest to ${IMPORTS_PATH}/<id>/parts.`,
      })
    const known = states.get(id)
    if (known?.state === 'running') throw new MemoryError('conflict', 'This upload is being imported.')
    const file = await uploads.append(c.get('principal'), id, c.req.query('name') ?? '', body)
    // Uploads that are gone take their states with them.
    for (const other of states.keys()) if (!uploads.has(other)) states.delete(other)
    states.set(file.id, { state: 'uploaded' })
    return { id: file.id, bytes: file.bytes, state: 'uploaded' }
  }

  app.post(IMPORTS_PATH, async (c) => c.json(await append(c, 'new'), 201))
  app.post(`${IMPORTS_PATH}/:id/parts`, async (c) => c.json(await append(c, c.req.param('id'))))

  app.post(`${IMPORTS_PATH}/:id/preview`, async (c) => {
    const { file, state } = find(c)
    if (state.state === 'running') throw new MemoryError('conflict', 'This upload is being imported.')
    const options = toOptions(readJson(c.req.raw.headers, c.env.body))
    const outcome = await dispatch.invoke(invocation(c.get('principal'), operation, { ...options, file, dry_run: true }, c.req.raw.signal))
    if (!outcome.ok) throw outcome.error
    const token = randomUUID()
    Object.assign(state, { state: 'previewed', token, options })
    return c.json({ token, ...outcome.answer })
  })

  app.post(`${IMPORTS_PATH}/:id/commit`, async (c) => {
    const { file, state } = find(c)
    const body = readJson(c.req.raw.headers, c.env.body)
    const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
    if (state.state !== 'previewed' || state.token === undefined || state.token !== token)
      throw new MemoryError('conflict', 'The token is not that of the last preview of this upload.', {
        hint: `POST ${IMPORTS_PATH}/<id>/preview answers a token; a part that is added or a commit ends it.`,
      })
    const abort = new AbortController()
    Object.assign(state, { state: 'running', token: undefined, records: 0, abort })
    const call = invocation(c.get('principal'), operation, { ...state.options, file }, AbortSignal.any([abort.signal, stopping]))
    void dispatch
      .invoke({ ...call, progress: (records, _total, message) => void Object.assign(state, { records, message }) })
      .then((outcome) =>
        Object.assign(state, outcome.ok ? { state: 'done', answer: outcome.answer } : { state: 'failed', ...failureBody(outcome.error) }),
      )
    return c.json(shown(c.req.param('id'), state), 202)
  })

  app.get(`${IMPORTS_PATH}/:id`, (c) => c.json(shown(c.req.param('id'), find(c).state)))

  app.delete(`${IMPORTS_PATH}/:id`, async (c) => {
    const { state } = find(c)
    state.abort?.abort()
    states.delete(c.req.param('id') ?? '')
    await uploads.remove(c.get('principal'), c.req.param('id') ?? '')
    return c.body(null, 204)
  })

  function find(c: HttpContext): { readonly file: string; readonly state: ImportState } {
    const id = c.req.param('id') ?? ''
    const { file } = uploads.find(c.get('principal'), id)
    return { file, state: states.get(id) ?? { state: 'uploaded' } }
  }

  function invocation(principal: Principal, called: Operation, input: object, signal: AbortSignal): Invocation {
    return {
      operation: called,
      ...uploads.resolve(principal, input),
      ...{ principal, actor: journalName(principal, 'http'), connection: randomUUID(), signal, progress: () => undefined },
    }
  }
}

function toOptions(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new MemoryError('invalid_input', 'The request body must be one JSON object.')
  const unknown = Object.keys(body).filter((name) => !QUERY_OPTIONS.has(name))
  if (unknown.length > 0)
    throw new MemoryError('invalid_input', `Unknown argument: ${unknown.slice(0, 5).join(', ').slice(0, 200)}`, {
      hint: `Known: ${[...QUERY_OPTIONS].join(', ')}.`,
    })
  return { ...body }
}

const shown = (id: string | undefined, { state, records, message, answer, error }: ImportState) => ({
  ...{ id, state },
  ...(records === undefined ? {} : { progress: { records, message } }),
  ...(answer === undefined ? {} : { report: answer }),
  ...(error === undefined ? {} : { error }),
})
