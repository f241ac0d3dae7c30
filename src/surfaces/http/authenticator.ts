import type { Principal } from '../../contracts/operation.js'
import { LOCAL_PRINCIPAL } from '../../contracts/operation.js'
import { MemoryError } from '../../errors.js'
import type { Host } from '../host.js'
import { createRateLimit } from './rate-limit.js'

/** Verification of tokens of an issuer. */
export interface TokenIssuer {
  /** The principal of a token; undefined for another issuer or audience. */
  verify(token: string): Promise<Principal | undefined>
  /** Metadata by which clients find the issuer (RFC 9728). */
  metadata(resource: string): Readonly<Record<string, unknown>>
}

export interface DoorOptions {
  readonly host: Host
  /** Undefined requires a key as soon as one exists. */
  readonly auth: 'none' | 'required' | undefined
  readonly issuer?: TokenIssuer | undefined
  /** Requests per minute and key; 0 sets no limit. */
  readonly rateLimit: number
  /** The public address, in addition to the host of the request. */
  publicUrl?(): string
}

/** Authentication of requests. */
export interface Authenticator {
  /** The principal of a request. Rejects unauthenticated requests. */
  authenticate(headers: Headers): Promise<Principal>
  /** True if the headers are still valid. */
  isStillValid(headers: Headers): Promise<boolean>
  /** Increases when authentication may have changed. */
  mark(): Promise<number>
  readonly issuer: TokenIssuer | undefined
  /** True if a key or token is required. */
  requiresKey(): Promise<boolean>
}

/** Accepts every request. */
export const NO_AUTHENTICATION: Authenticator = {
  authenticate: async () => LOCAL_PRINCIPAL,
  isStillValid: async () => true,
  mark: async () => 0,
  issuer: undefined,
  requiresKey: async () => false,
}

const unauthenticated = (message: string, hint: string): MemoryError => new MemoryError('unauthenticated', message, { hint })

const isPeerHeader = (header: string): boolean => /^stigmem-peer /iu.test(header)

const MAX_TOKEN_CHARS = 8192

const MAKE_ONE = 'Make one with `mneme keys create --owner <owner> --entity <uri>`, or name an issuer with --oauth-issuer.'

/** Rejects a configuration that is open to other machines, or that no client could use. */
export async function checkAuth(
  { host, auth, issuer }: DoorOptions,
  address: { readonly host: string; readonly isLoopback: boolean },
): Promise<void> {
  if (auth === 'none' && !address.isLoopback)
    throw new MemoryError(
      'invalid_input',
      `${address.host} is reachable from other machines: it cannot be served without authentication.`,
      {
        hint: 'Leave --auth none out, or listen on 127.0.0.1.',
      },
    )
  if (auth === 'none' || issuer !== undefined || (auth === undefined && address.isLoopback)) return
  if (await (await host.engine()).keyRing.any()) return
  const why = auth === 'required' ? 'Authentication is required' : `${address.host} is reachable from other machines`
  throw new MemoryError('invalid_input', `${why}, and there is no key yet.`, { hint: MAKE_ONE })
}

export function createDoor({ host, auth, issuer, rateLimit, publicUrl }: DoorOptions): Authenticator {
  const limit = createRateLimit(rateLimit)

  const asksForKey = async (): Promise<boolean> => {
    if (auth !== undefined) return auth === 'required'
    return issuer !== undefined || (await (await host.engine()).keyRing.any())
  }

  async function identify(headers: Headers): Promise<Principal> {
    const header = headers.get('authorization')
    if (header !== null && isPeerHeader(header)) return peerOf(header, headers.get('host'))
    if (!(await asksForKey())) return LOCAL_PRINCIPAL
    if (header === null)
      throw unauthenticated(
        'This server asks for a key.',
        'Send it as the header Authorization: Bearer <key>; `mneme keys create` makes one.',
      )
    const token = /^Bearer +([^\s]+) *$/iu.exec(header)?.[1]
    if (token === undefined) throw unauthenticated('The Authorization header carries no bearer token.', 'Send Authorization: Bearer <key>.')
    const known = token.length > MAX_TOKEN_CHARS ? undefined : await holderOf(token)
    if (known === undefined) throw unauthenticated('This key or token is not valid here.', 'It may have been revoked, or have expired.')
    return known
  }

  /** Verifies the signed token of a peer. */
  async function peerOf(header: string, named: string | null): Promise<Principal> {
    // The `Host` header was checked against the allowed hosts.
    const addresses = [...(named === null ? [] : [`http://${named}`]), ...(publicUrl === undefined ? [] : [publicUrl()])]
    const peer = await (await host.engine()).verifyPeer(header, addresses)
    if (peer !== undefined) return peer
    throw unauthenticated('This token of a peer is not valid here.', 'It may be expired or used already, or its node is no peer.')
  }

  async function holderOf(token: string): Promise<Principal | undefined> {
    return (await (await host.engine()).keyRing.verify(token)) ?? (await issuer?.verify(token))
  }

  return {
    async authenticate(headers) {
      const principal = await identify(headers).catch(async (failure: unknown) => {
        if (failure instanceof MemoryError && failure.code === 'unauthenticated') {
          const { denials } = await host.engine()
          denials.note({ who: 'no key', owner: null, what: 'unauthenticated' })
        }
        throw failure
      })
      if (principal.proof !== 'none') limit.take(principal.name)
      return principal
    },
    isStillValid: (headers) =>
      identify(headers).then(
        () => true,
        (failure: unknown) => !(failure instanceof MemoryError && failure.code === 'unauthenticated'),
      ),
    mark: async () => (await host.engine()).keyRing.mark(),
    issuer,
    requiresKey: asksForKey,
  }
}
