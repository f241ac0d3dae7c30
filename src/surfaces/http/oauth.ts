import { readFile, stat } from 'node:fs/promises'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { z } from 'zod'
import type { Principal } from '../../contracts/operation.js'
import { MemoryError } from '../../errors.js'
import type { TokenIssuer } from './authenticator.js'

/** Asymmetric algorithms only, so that verifiers cannot create tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CLOCK_TOLERANCE_S = 30
const MAX_NAME_CHARS = 500
const SCOPES = ['mneme:read', 'mneme:write', 'mneme:admin', 'mneme:federated'] as const

interface IssuerOptions {
  readonly issuer: string
  /** Address or file of the issuer's public keys. */
  readonly jwks: string
  audience(): readonly string[]
  /** The claim that names the owner. */
  readonly ownerClaim: string
  /** The principal of a token. */
  principalOf(holder: TokenHolder): Promise<Principal>
}

export interface TokenHolder {
  readonly subject: string
  readonly owner: string
  readonly rights: readonly string[]
}

/** Limit of a key set; hundreds of keys are smaller. */
const MAX_KEY_SET_BYTES = 1_000_000

/** Fetches a key set up to the limit. */
async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options)
  const body = await readBounded(response, MAX_KEY_SET_BYTES)
  return new Response(body, { status: response.status, headers: response.headers })
}

async function readBounded({ body, headers }: Response, most: number): Promise<Buffer> {
  const tooLong = (): Error => new Error(`The issuer answered with more than ${most.toLocaleString('en')} bytes of keys`)
  if (body === null) return Buffer.alloc(0)
  if (Number(headers.get('content-length') ?? 0) > most) {
    await body.cancel()
    throw tooLong()
  }
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream, which closes the connection.
  for await (const part of body) {
    size += part.length
    if (size > most) throw tooLong()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

async function keysAt(jwks: string): Promise<JWTVerifyGetKey> {
  if (/^https?:\/\//iu.test(jwks)) return createRemoteJWKSet(new URL(jwks), { [customFetch]: fetchBounded })
  try {
    return await keysInFile(jwks)
  } catch (cause) {
    throw new MemoryError('invalid_input', `The keys of the issuer cannot be read from ${jwks}.`, {
      hint: 'Give the address or the path of a JSON Web Key Set with --oauth-jwks.',
      cause,
    })
  }
}

/** A changed key file is reloaded; if that fails, the previous keys stay in use. */
async function keysInFile(file: string): Promise<JWTVerifyGetKey> {
  const stampOf = async (): Promise<string> => {
    const { ino, size, mtimeMs } = await stat(file)
    return `${ino} ${size} ${mtimeMs}`
  }
  const read = async (): Promise<JWTVerifyGetKey> => createLocalJWKSet(jwksSchema.parse(JSON.parse(await readFile(file, 'utf8'))))
  let known = { stamp: await stampOf(), keys: await read() }
  const latest = async (): Promise<JWTVerifyGetKey> => {
    const stamp = await stampOf()
    if (stamp !== known.stamp) known = { stamp, keys: await read() }
    return known.keys
  }
  return async (header, token) => (await latest().catch(() => known.keys))(header, token)
}

/** Limit of keys tried for a token without `kid`. */
const MAX_TRIED = 20

/** The claims of a verified token. A token without `kid` is checked against all matching keys. */
async function readToken(token: string, keys: JWTVerifyGetKey, checks: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, checks)).payload
  } catch (failure) {
    if (!(failure instanceof errors.JWKSMultipleMatchingKeys)) throw failure
    let left = MAX_TRIED
    for await (const key of failure) {
      if (left-- === 0) break
      const read = await jwtVerify(token, key, checks).catch((reason: unknown) => {
        if (!(reason instanceof errors.JWSSignatureVerificationFailed)) throw reason
      })
      if (read !== undefined) return read.payload
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Verifies tokens of one issuer for one audience. Rejects if the key file cannot be read. */
export async function openIssuer({ issuer, jwks, audience, ownerClaim, principalOf }: IssuerOptions): Promise<TokenIssuer> {
  const keys = await keysAt(jwks)
  return {
    async verify(token) {
      let payload: JWTPayload
      try {
        const checks = {
          issuer,
          audience: [...audience()],
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE_S,
          requiredClaims: ['exp', 'sub'],
        }
        payload = await readToken(token, keys, checks)
      } catch (failure) {
        if (isUnreachable(failure)) throw unreachable(failure)
        return undefined
      }
      const owner = payload[ownerClaim]
      if (!isName(owner) || owner === '*' || !isName(payload.sub)) return undefined
      return principalOf({ subject: payload.sub, owner, rights: rightsIn(payload) })
    },
    metadata: (resource) => ({
      resource,
      authorization_servers: [issuer],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    }),
  }
}

/** True for a name that is not empty, too long, or with control characters. */
const isName = (claim: unknown): claim is string =>
  typeof claim === 'string' && claim.trim() !== '' && claim.length <= MAX_NAME_CHARS && !/\p{Cc}|\p{Cs}/u.test(claim)

/** True if fetching the keys failed, as opposed to an invalid token. */
const isUnreachable = (failure: unknown): boolean =>
  !(failure instanceof errors.JOSEError) || failure instanceof errors.JWKSTimeout || failure.code === 'ERR_JOSE_GENERIC'

/** Scopes as text with spaces, or as a list. */
function rightsIn({ scope, scp }: JWTPayload): readonly string[] {
  const claimed = [scope, scp].flatMap((value) => (typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : []))
  return SCOPES.filter((scope) => claimed.includes(scope)).map((scope) => scope.slice('mneme:'.length))
}

const unreachable = (cause: unknown): MemoryError =>
  new MemoryError('unavailable', "The issuer's keys cannot be fetched at present.", { hint: 'Try again later.', cause })
