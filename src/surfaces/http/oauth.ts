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

/** Only keys of a pair: whoever can verify a token must not be able to make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CLOCK_TOLERANCE_S = 30
const MAX_NAME_CHARS = 500
const SCOPES = ['mneme:read', 'mneme:write', 'mneme:admin', 'mneme:federated'] as const

export interface IssuerOptions {
  readonly issuer: string
  /** Address or file of the issuer's public keys. */
  readonly jwks: string
  audience(): readonly string[]
  /** The claim that names the owner. */
  readonly ownerClaim: string
  /** What a token stands for, in the words of the store. */
  principalOf(holder: TokenHolder): Promise<Principal>
}

export interface TokenHolder {
  readonly subject: string
  readonly owner: string
  readonly rights: readonly string[]
}

/** A key set of hundreds of keys is smaller. */
const MAX_KEY_SET_BYTES = 1_000_000

/** Reads no more of an answer than a key set can take. */
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

/** Issuers change their keys: a file that was written anew is read anew. One that cannot be read leaves those that were. */
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

/** As many keys as a token without `kid` is tried with. */
const MAX_TRIED = 20

/** What a token says, if one of the keys signed it; one that does not name its key is tried with all that could be it. */
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

/** Takes tokens of one issuer for one audience. Fails at once when its keys are a file that cannot be read. */
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

/** Nobody is called so who is called nothing, cannot be written down, or fills a page. */
const isName = (claim: unknown): claim is string =>
  typeof claim === 'string' && claim.trim() !== '' && claim.length <= MAX_NAME_CHARS && !/\p{Cc}|\p{Cs}/u.test(claim)

/** What is wrong with a token has a code of its own; what is wrong with fetching keys has not. */
const isUnreachable = (failure: unknown): boolean =>
  !(failure instanceof errors.JOSEError) || failure instanceof errors.JWKSTimeout || failure.code === 'ERR_JOSE_GENERIC'

/** Scopes as issuers write them: one text with spaces, or a list. */
function rightsIn({ scope, scp }: JWTPayload): readonly string[] {
  const given = [scope, scp].flatMap((value) => (typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : []))
  return SCOPES.filter((one) => given.includes(one)).map((one) => one.slice('mneme:'.length))
}

const unreachable = (cause: unknown): MemoryError =>
  new MemoryError('unavailable', "The issuer's keys cannot be fetched at present.", { hint: 'Try again later.', cause })
