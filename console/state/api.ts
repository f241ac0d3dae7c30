/** A refusal of the server, in its words. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string | undefined,
    readonly status: number,
  ) {
    super(message)
  }
}

interface Refusal {
  readonly error?: { readonly code?: string; readonly message?: string; readonly hint?: string }
}

/** Hears of answers that say that the session is over. */
let signedOut: (error: ApiError) => void = () => undefined
export const onSignedOut = (listener: typeof signedOut): void => {
  signedOut = listener
}

function toError(body: Refusal, status: number): ApiError {
  const { code = 'internal', message = `The server answered ${status}.`, hint } = body.error ?? {}
  return new ApiError(code, message, hint, status)
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init }).catch((failure: unknown) => {
    if (init.signal?.aborted) throw failure
    throw new ApiError('unreachable', 'The server does not answer.', 'Start it again with `mneme console`.', 0)
  })
  if (response.ok) return response
  const error = toError(await response.json().catch(() => ({})), response.status)
  if (response.status === 401) signedOut(error)
  throw error
}

const asJson = (input: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(input),
})

/** Calls an operation, named `contract/tool`. */
export async function call<T>(tool: string, input: object = {}, signal?: AbortSignal): Promise<T> {
  const response = await send(`api/${tool}`, { ...asJson(input), ...(signal === undefined ? {} : { signal }) })
  return response.json()
}

export interface Progress {
  readonly done: number
  readonly total: number | null
  readonly message: string
}

/** Calls an operation that takes a while: hears how far it is, and what it writes. */
export async function callLong<T>(
  tool: string,
  input: object,
  hear: { readonly progress?: (progress: Progress) => void; readonly text?: (text: string) => void; readonly signal?: AbortSignal },
): Promise<T> {
  const init = asJson(input)
  const headers = { ...init.headers, Accept: 'application/x-ndjson' }
  const response = await send(`api/${tool}`, { ...init, headers, ...(hear.signal === undefined ? {} : { signal: hear.signal }) })
  let answer: { readonly value: T } | undefined
  for await (const line of linesOf(response)) {
    const told: Refusal & { readonly progress?: Progress; readonly text?: string; readonly answer?: T } = JSON.parse(line)
    if (told.progress !== undefined) hear.progress?.(told.progress)
    if (told.text !== undefined) hear.text?.(told.text)
    if (told.error !== undefined) throw toError(told, 400)
    if (told.answer !== undefined) answer = { value: told.answer }
  }
  if (answer === undefined)
    throw new ApiError('unreachable', 'The server stopped before it was done.', 'Look at Jobs or Activity for what was done.', 0)
  return answer.value
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) break
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield line
  }
}

const PART_BYTES = 8 * 1024 * 1024

/** Uploads a file in parts; returns the name by which operations refer to it. */
export async function upload(file: File, progress: (share: number) => void): Promise<string> {
  let name = 'new'
  for (let at = 0; at === 0 || at < file.size; at += PART_BYTES) {
    const response = await send(`uploads/${name}?name=${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: file.slice(at, at + PART_BYTES),
    })
    const told: { readonly file: string } = await response.json()
    name = told.file.replace(/^upload:/, '')
    progress(Math.min(1, (at + PART_BYTES) / Math.max(1, file.size)))
  }
  return `upload:${name}`
}

export interface Session {
  readonly signed_in: boolean
  readonly needs_key: boolean
  readonly version: string
  readonly name?: string
  readonly owner?: string | null
  readonly rights?: readonly string[]
  readonly local?: boolean
  readonly owners?: readonly string[] | null
}

export const readSession = async (): Promise<Session> => (await send('session', {})).json()
export const signIn = async (proof: { readonly code: string } | { readonly key: string }): Promise<void> => {
  await send('session', asJson(proof))
}
export const signOut = async (): Promise<void> => {
  await send('session', { method: 'DELETE' })
}
