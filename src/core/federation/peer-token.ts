import { canonicalJson, type JsonObject } from '../encoding/json.js'
import type { Instant } from '../facts/fact.js'

/** A signed token for one request to another node. */
interface PeerToken {
  readonly iss: string
  readonly sub: string
  /** Host and port of the address it is sent to. It is not valid elsewhere. */
  readonly aud: string
  /** Seconds since 1970. */
  readonly iat: number
  readonly exp: number
  readonly nonce: string
  readonly scopes: readonly string[]
}

export const MAX_LIFE_S = 3600
/** Allowed difference between two clocks. */
const MAX_SKEW_S = 300
const MAX_TOKEN_CHARS = 4096

const PEER_SCHEME = 'Stigmem-Peer'

export const tokenText = (token: PeerToken): string => canonicalJson({ ...token, scopes: [...token.scopes] })

/** The header for a text and its signature. */
export const tokenHeader = (text: string, signature: string): string =>
  `${PEER_SCHEME} ${Buffer.from(text).toString('base64url')}.${signature}`

interface ReadToken {
  readonly token: PeerToken
  /** The signed text. */
  readonly text: string
  readonly signature: string
}

/** Undefined for other headers. */
export function readToken(header: string): ReadToken | undefined {
  if (header.length > MAX_TOKEN_CHARS) return undefined
  const [, encoded, signature] = /^Stigmem-Peer +([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+) *$/iu.exec(header) ?? []
  if (encoded === undefined || signature === undefined) return undefined
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  const token = toToken(parsed(text))
  return token === undefined ? undefined : { token, text, signature }
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

function toToken({ iss, sub, aud, iat, exp, nonce, scopes }: JsonObject): PeerToken | undefined {
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof nonce !== 'string' || nonce.length < 8 || nonce.length > 128)
    return undefined
  if (typeof aud !== 'string' || aud === '') return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number' || !Number.isFinite(iat) || !Number.isFinite(exp)) return undefined
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string')) return undefined
  return { iss, sub, aud, iat, exp, nonce, scopes: scopes.filter((scope) => typeof scope === 'string') }
}

/** The problem with the validity period; undefined if valid. */
export function checkTokenTimes({ iat, exp }: PeerToken, now: Instant): string | undefined {
  const seconds = now / 1e6
  if (exp - iat > MAX_LIFE_S) return 'lives longer than an hour'
  if (exp < iat) return 'ends before it begins'
  if (iat > seconds + MAX_SKEW_S) return 'is dated ahead'
  return exp < seconds ? 'has expired' : undefined
}
