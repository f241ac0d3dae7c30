import { MemoryError } from '../../errors.js'

export const LARGEST_BODY = 16 * 1024 * 1024

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export interface Access {
  readonly host: string
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/** Refuses pages of other sites and rebound names: a browser on this machine must not be a way into the store. */
export function checkOrigin(access: Access, headers: Headers): void {
  const host = headers.get('host')
  const allowedHosts = [...LOOPBACK, bracket(access.host), ...access.allowedHosts.map((name) => hostnameOf(`http://${name}`) ?? name)]
  const hostname = host === null ? undefined : hostnameOf(`http://${host}`)
  if (hostname === undefined || !allowedHosts.includes(hostname)) {
    throw new MemoryError('forbidden', `Host "${host ?? ''}" is not served here.`, { hint: 'Add its name with --allowed-hosts.' })
  }
  const origin = headers.get('origin')
  if (origin !== null && !isAllowedOrigin(access, origin)) {
    throw new MemoryError('forbidden', `Pages of ${origin} may not call this server.`, { hint: 'Add the origin with --allowed-origins.' })
  }
}

/** Origins named in the configuration may also read answers across sites; loopback pages only their own. */
export function isConfiguredOrigin(access: Access, origin: string): boolean {
  return access.allowedOrigins.some((allowed) => allowed.replace(/\/$/, '').toLowerCase() === origin.toLowerCase())
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(bracket(host)) || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** The parsed body; `undefined` when there is none. */
export async function readJson(request: Request): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared === 0 || request.body === null) return undefined
  if (declared > LARGEST_BODY) throw tooLarge()
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const text = await readText(request.body, type === 'application/json')
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The request body is not valid JSON.', { hint: 'Send one JSON object.', cause })
  }
}

/** Has its own status, which the table of errors does not know: no operation can cause it. */
export class RefusedRequest extends MemoryError {
  constructor(
    readonly status: 405 | 415,
    message: string,
    hint: string,
  ) {
    super('invalid_input', message, { hint })
  }
}

/** Whether there is a body at all only shows in reading it: a request may leave out its length. */
async function readText(body: ReadableStream<Uint8Array>, isJson: boolean): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > 0 && !isJson)
      throw new RefusedRequest(415, 'The body must be sent as application/json.', 'Set the header Content-Type: application/json.')
    if (size > LARGEST_BODY) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The request body is not valid UTF-8.', { hint: 'Encode the JSON as UTF-8.', cause })
  }
}

function tooLarge(): MemoryError {
  return new MemoryError('too_large', `The request body is larger than ${LARGEST_BODY} bytes.`, { hint: 'Send it in smaller parts.' })
}

function isAllowedOrigin(access: Access, origin: string): boolean {
  const hostname = hostnameOf(origin)
  return isConfiguredOrigin(access, origin) || (hostname !== undefined && LOOPBACK.includes(hostname))
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined
}

function bracket(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase()
}
