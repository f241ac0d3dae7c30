import { randomUUID } from 'node:crypto'
import { getCookie } from 'hono/cookie'
import type { Contract } from '../../contracts/contract.js'
import type { EventStream } from '../../contracts/event-stream.js'
import type { Call, Principal } from '../../contracts/operation.js'
import { knownHint } from '../../errors/known-names.js'
import { ERRORS, MemoryError } from '../../errors.js'
import { serveEvents } from '../event-stream.js'
import type { Outcome } from '../host.js'
import { journalName } from '../host.js'
import type { AppParts } from '../http/app.js'
import { failureBody } from '../http/failures.js'
import { readJson } from '../http/origin-check.js'
import type { HttpApp, HttpContext } from '../http/routes.js'
import type { Uploads } from '../http/uploads.js'
import { createFileServer, type FileServer, PAGE_HEADERS } from './files.js'
import { checkPage, checkSite, type PageOrigin, pageOrigin } from './page-origin.js'
import type { Presence } from './presence.js'
import { createSessions, type Sessions } from './sessions.js'
import { answerAsStream, wantsStream } from './streamed-answer.js'

interface ConsoleOptions {
  /** Their operations are called from pages and never listed. */
  readonly contracts: readonly Contract[]
  readonly events: EventStream
  /** The built pages. */
  readonly folder: string
  readonly presence: Presence
  readonly uploads: Uploads
  /** The current settings, for administrators. */
  readonly settings: NonNullable<Call['settings']>
}

type ConsoleParts = ConsoleOptions & AppParts

const ROOT = '/console'
const CODE_PATH = `${ROOT}/code`

interface ConsoleServices extends ConsoleParts {
  readonly sessions: Sessions
  readonly files: FileServer
}

/** Serves the console pages and their calls, without knowing any operation by name. */
export function addConsole(app: HttpApp, parts: ConsoleParts): void {
  const served = { ...parts, sessions: createSessions(parts.door), files: createFileServer(parts.folder) }
  const { sessions, presence } = served

  app.use(`${ROOT}/*`, async (c, next) => {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value)
    c.header('Cache-Control', 'no-store')
    return next()
  })

  // Relative, so that it works behind a proxy with a path prefix.
  app.get(ROOT, () => new Response(null, { status: 307, headers: { ...PAGE_HEADERS, Location: 'console/' } }))

  app.post(CODE_PATH, (c) => {
    if (c.req.header('origin') !== undefined || !presence.isMine(c.req.header('authorization')))
      throw new MemoryError('forbidden', 'Only a command on this machine may ask for a code.', { hint: 'Run `mneme console`.' })
    return c.json({ code: sessions.createCode() })
  })

  app.get(`${ROOT}/session`, async (c) => {
    checkSite(c.req.raw.headers)
    const needsKey = await served.door.requiresKey()
    const principal = await sessions.principalOf(tokenOf(c, served)).catch(() => undefined)
    return c.json({
      signed_in: principal !== undefined,
      needs_key: needsKey,
      version: served.host.version,
      ...(principal && shownTo(principal)),
    })
  })

  app.post(`${ROOT}/session`, async (c) => {
    checkPage(c.req.raw.headers, originOf(c, served))
    const token = await signIn(sessions, readJson(c.req.raw.headers, c.env.body))
    c.header('Set-Cookie', cookie(c, served, token))
    return c.json({ signed_in: true })
  })

  app.delete(`${ROOT}/session`, (c) => {
    checkPage(c.req.raw.headers, originOf(c, served))
    sessions.end(tokenOf(c, served))
    c.header('Set-Cookie', `${cookie(c, served, '')}; Max-Age=0`)
    return c.json({ signed_in: false })
  })

  app.post(`${ROOT}/uploads/:id`, async (c) => {
    checkPage(c.req.raw.headers, originOf(c, served))
    const principal = await sessions.principalOf(tokenOf(c, served))
    const { body } = c.env
    if (body === 'too large') throw new MemoryError('too_large', 'A part of a file may have 8 MB at most.')
    const { file } = await served.uploads.append(principal, c.req.param('id'), c.req.query('name') ?? '', body)
    return c.json({ file })
  })

  app.post(`${ROOT}/api/:contract/:tool`, (c) => answer(c, served))

  app.get(`${ROOT}/events`, async (c) => {
    checkSite(c.req.raw.headers)
    const token = tokenOf(c, served)
    return serveEvents({
      ...served,
      stream: served.events,
      principal: await sessions.principalOf(token),
      after: c.req.header('last-event-id') ?? c.req.query('after'),
      signal: c.req.raw.signal,
      stillAllowed: () => sessions.principalOf(token),
    })
  })

  // Views are states of one page; their names have one path segment, so that relative URLs work in all of them.
  app.get(`${ROOT}/:name{[^/]*}`, (c) => {
    const name = c.req.param('name')
    const found = served.files(name, c.req.raw.headers) ?? (name.includes('.') ? undefined : served.files('index.html', c.req.raw.headers))
    if (found === undefined) throw new MemoryError('not_found', `The console has no file ${name}.`, { hint: 'Open /console/.' })
    return found
  })
}

const originOf = (c: HttpContext, { publicUrl }: ConsoleParts): PageOrigin => pageOrigin(c.req.raw.headers, publicUrl?.())

/** Servers on different ports of one machine share cookies, so the name includes the port. */
const cookieName = ({ origin }: PageOrigin): string => `mneme-console-${new URL(origin).port || 'web'}`

const tokenOf = (c: HttpContext, served: ConsoleParts): string | undefined => getCookie(c, cookieName(originOf(c, served)))

function cookie(c: HttpContext, served: ConsoleParts, token: string): string {
  const page = originOf(c, served)
  return `${cookieName(page)}=${token}; Path=${page.prefix}${ROOT}; HttpOnly; SameSite=Strict${page.secure ? '; Secure' : ''}`
}

const shownTo = ({ name, owner, rights, proof, reach }: Principal) => ({
  name,
  owner,
  rights,
  local: proof === 'none',
  owners: reach === 'everything' ? null : reach.owners.map((access) => access.owner),
})

async function signIn(sessions: Sessions, body: unknown): Promise<string> {
  const { code, key } = typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
  if (typeof code === 'string' && code.length < 200) return sessions.exchangeCode(code)
  if (typeof key === 'string' && key.trim() !== '') return sessions.signInWithKey(key)
  throw new MemoryError('invalid_input', 'A code or a key is needed to sign in.', { hint: 'Paste a key, or run `mneme console`.' })
}

async function answer(c: HttpContext, served: ConsoleServices): Promise<Response> {
  checkPage(c.req.raw.headers, originOf(c, served))
  const principal = await served.sessions.principalOf(tokenOf(c, served))
  const operation = findOperation(served.contracts, c.req.param('contract') ?? '', c.req.param('tool') ?? '')
  const call = {
    operation,
    ...served.uploads.resolve(principal, readJson(c.req.raw.headers, c.env.body) ?? {}),
    principal,
    actor: journalName(principal, 'console'),
    connection: randomUUID(),
    signal: c.req.raw.signal,
    settings: served.settings,
  }
  if (wantsStream(c.req.raw.headers)) return answerAsStream(served.dispatch, call)
  return toResponse(await served.dispatch.invoke({ ...call, progress: () => undefined }))
}

function findOperation(contracts: readonly Contract[], name: string, tool: string) {
  const operations = contracts.find((contract) => contract.name === name)?.operations ?? []
  const found = operations.find((operation) => operation.name === tool)
  if (found !== undefined) return found
  throw new MemoryError('not_found', `The console has no operation ${name}/${tool}.`, {
    hint: knownHint(
      tool,
      operations.map((operation) => operation.name),
    ),
  })
}

function toResponse(outcome: Outcome): Response {
  if (outcome.ok) return Response.json(outcome.answer, { headers: { 'Cache-Control': 'no-store' } })
  const { error } = outcome
  return Response.json({ ...failureBody(error), details: error.details }, { status: ERRORS[error.code].http })
}
