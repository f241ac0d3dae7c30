import type { Config } from '../config.js'
import { checkStoredDimensions } from '../engine/embedding/stored-model.js'
import { MemoryError, toMemoryError } from '../errors.js'
import type { Host } from '../surfaces/host.js'
import { type Authenticator, checkAuth, createDoor, type TokenIssuer } from '../surfaces/http/authenticator.js'
import type { Metrics } from '../surfaces/http/metrics.js'
import { isLoopback } from '../surfaces/http/origin-check.js'

interface HttpAuth {
  readonly door: Authenticator
  readonly metrics: Metrics
  publicUrl(): string
  listening(url: string): void
}

/** Creates HTTP authentication from the configuration. Rejects configurations that must not be served. */
export async function openHttpAuth(config: Config, host: Host): Promise<HttpAuth> {
  await checkEmbedding(config, host)
  const bracketed = config.host.includes(':') && !config.host.startsWith('[') ? `[${config.host}]` : config.host
  let url = `http://${bracketed}:${config.port}`
  const publicUrl = (): string => (config.publicUrl ?? url).replace(/\/+$/u, '')
  const issuer = await openTokenIssuer(config, host, publicUrl)
  const options = { host, auth: config.auth, issuer, rateLimit: config.rateLimit, publicUrl }
  await checkAuth(options, { host: config.host, isLoopback: isLoopback(config.host) })
  const { createMetrics } = await import('../surfaces/http/metrics.js')
  return {
    door: createDoor(options),
    metrics: createMetrics(host.version),
    publicUrl,
    listening(servedUrl) {
      url = servedUrl
    },
  }
}

/** Settings that no retry can fix. */
const PERMANENT_CODES: readonly string[] = ['invalid_input', 'unprocessable']

/** Rejects a configuration that can never work before the server listens. Other failures are retried behind /readyz. */
async function checkEmbedding({ forceModel }: Config, host: Host): Promise<void> {
  const engine = await host.engine().catch((failure: unknown) => {
    if (PERMANENT_CODES.includes(toMemoryError(failure).code)) throw failure
    return undefined
  })
  if (engine !== undefined && !forceModel) await checkStoredDimensions(engine.context())
}

async function openTokenIssuer(config: Config, host: Host, publicUrl: () => string): Promise<TokenIssuer | undefined> {
  const { oauthIssuer, oauthJwks, oauthAudience, oauthOwnerClaim } = config
  if (oauthIssuer === undefined && oauthJwks === undefined) return undefined
  if (oauthIssuer === undefined || oauthJwks === undefined)
    throw new MemoryError('invalid_input', `${oauthIssuer === undefined ? 'oauthIssuer' : 'oauthJwks'} is missing.`, {
      hint: 'Give --oauth-issuer and --oauth-jwks together, or neither.',
    })
  const { openIssuer } = await import('../surfaces/http/oauth.js')
  return openIssuer({
    issuer: oauthIssuer,
    jwks: oauthJwks,
    audience: () => (oauthAudience.length > 0 ? oauthAudience : [publicUrl(), `${publicUrl()}/mcp`]),
    ownerClaim: oauthOwnerClaim,
    principalOf: async (holder) => (await host.engine()).keyRing.tokenHolder(holder),
  })
}
