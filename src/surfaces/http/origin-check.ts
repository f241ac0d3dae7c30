import { findJsonExcess } from '../../contracts/text-input.js'
import { MemoryError } from '../../errors.js'
import { MAX_BODY_BYTES, type ReceivedBody } from './body.js'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export interface Access {
  readonly host: string
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
}

/** Rejects requests of other sites and rebound host names, which browsers could send. */
export function checkOrigin(access: Access, headers: Headers): void {
  const host = headers.get('host')
  const allowedHosts = [...LOOPBACK, bracket(access.host), ...access.allowedHosts.map((name) => hostnameOf(`http://${name}`) ?? name)]
  const hostname = host === null ? undefined : hostnameOf(`http://${host}`)
  if (host !== null && hostname === undefined)
    throw new MemoryError('invalid_input', 'The Host header of the request is not the name of a host.', {
      hint: 'Send the name and port of this server, as in its address.',
    })
  if (hostname === undefined || !allowedHosts.includes(hostname)) {
    throw new MemoryError('forbidden', `Host "${host ?? ''}" is not served here.`, { hint: 'Add its name with --allowed-hosts.' })
  }
  const origin = headers.get('origin')
  if (origin !== null && !isAllowedOrigin(access, origin)) {
    throw new MemoryError('forbidden', `Pages of ${origin} may not call this server.`, { hint: 'Add the origin with --allowed-origins.' })
  }
}

/** True for configured origins, which may read responses across sites; loopback pages may not. */
export function isConfiguredOrigin(access: Access, origin: string): boolean {
  return access.allowedOrigins.some((allowed) => allowed.replace(/\/$/, '').toLowerCase() === origin.toLowerCase())
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(bracket(host)) || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** The parsed body; `undefined` when there is none. */
export function readJson(headers: Headers, body: ReceivedBody): unknown {
  if (body === 'too large') throw tooLarge()
  if (body.length === 0) return undefined
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new MemoryError('unsupported_type', 'The body must be sent as application/json.', {
      hint: 'Set the header Content-Type: application/json.',
    })
  const excess = findJsonExcess(body)
  if (excess !== undefined)
    throw new MemoryError('too_large', `The request body holds ${excess}.`, {
      hint: 'Send it in smaller parts.',
    })
  const text = decode(body)
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The request body is not valid JSON.', { hint: 'Send one JSON object.', cause })
  }
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw new MemoryError('invalid_input', 'The request body is not valid UTF-8.', { hint: 'Encode the JSON as UTF-8.', cause })
  }
}

function tooLarge(): MemoryError {
  return new MemoryError('too_large', `The request body is larger than ${MAX_BODY_BYTES} bytes.`, { hint: 'Send it in smaller parts.' })
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
