import { readFile } from 'node:fs/promises'
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Call } from '../../contracts/operation.js'
import { MemoryError } from '../../errors.js'
import type { TokenIssuer } from './door.js'

/** Only keys of a pair: whoever can verify a token must not be able to make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CLOCK_TOLERANCE_S = 30
const SCOPES = ['mneme:read', 'mneme:write', 'mneme:admin', 'mneme:federated'] as const

export interface IssuerOptions {
  readonly issuer: string
  /** Address or file of the issuer's public keys. */
  readonly jwks: string
  audience(): readonly string[]
  /** The claim that names the owner. */
  readonly ownerClaim: string
  /** What a token stands for, in the words of the store. */
  principalOf(holder: TokenHolder): Promise<Call['principal']>
}

export interface TokenHolder {
  readonly subject: string
  readonly owner: string
  readonly rights: readonly string[]
}

const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

async function keysAt(jwks: string): Promise<JWTVerifyGetKey> {
  if (/^https?:\/\//iu.test(jwks)) return createRemoteJWKSet(new URL(jwks))
  try {
    return createLocalJWKSet(jwksSchema.parse(JSON.parse(await readFile(jwks, 'utf8'))))
  } catch (cause) {
    throw new MemoryError('invalid_input', `The keys of the issuer cannot be read from ${jwks}.`, {
      hint: 'Give the address or the path of a JSON Web Key Set with --oauth-jwks.',
      cause,
    })
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
        ;({ payload } = await jwtVerify(token, keys, checks))
      } catch (failure) {
        if (isUnreachable(failure)) throw unreachable(failure)
        return undefined
      }
      const owner = payload[ownerClaim]
      if (typeof owner !== 'string' || owner === '' || owner === '*' || typeof payload.sub !== 'string') return undefined
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
