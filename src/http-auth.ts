import type { Config } from './config.js'
import { checkStoredDimensions } from './engine/embedding/stored-model.js'
import { MemoryError } from './errors.js'
import type { Host } from './surfaces/host.js'
import { type Authenticator, checkAuth, createDoor, type TokenIssuer } from './surfaces/http/authenticator.js'
import type { Metrics } from './surfaces/http/metrics.js'
import { isLoopback } from './surfaces/http/origin-check.js'

export interface HttpAuth {
  readonly door: Authenticator
  readonly metrics: Metrics
  publicUrl(): string
  listening(url: string): void
}

/** Who comes in over HTTP, as a configuration says. Rejects what must not be served. */
export async function openHttpAuth(config: Config, host: Host): Promise<HttpAuth> {
  if (!config.forceModel) await checkDimensions(host)
  const bracketed = config.host.includes(':') && !config.host.startsWith('[') ? `[${config.host}]` : config.host
  let url = `http://${bracketed}:${config.port}`
  const publicUrl = (): string => (config.publicUrl ?? url).replace(/\/+$/u, '')
  const issuer = await openTokenIssuer(config, host, publicUrl)
  const options = { host, auth: config.auth, issuer, rateLimit: config.rateLimit, publicUrl }
  await checkAuth(options, { host: config.host, isLoopback: isLoopback(config.host) })
  const { createMetrics } = await import('./surfaces/http/metrics.js')
  return {
    door: createDoor(options),
    metrics: createMetrics(host.version),
    publicUrl,
    listening(told) {
      url = told
    },
  }
}

/** Vectors that cannot be compared are told before anyone is served; a store that cannot be opened is told to whoever asks. */
async function checkDimensions(host: Host): Promise<void> {
  const engine = await host.engine().catch(() => undefined)
  if (engine !== undefined) await checkStoredDimensions(engine.context())
}

async function openTokenIssuer(config: Config, host: Host, publicUrl: () => string): Promise<TokenIssuer | undefined> {
  const { oauthIssuer, oauthJwks, oauthAudience, oauthOwnerClaim } = config
  if (oauthIssuer === undefined && oauthJwks === undefined) return undefined
  if (oauthIssuer === undefined || oauthJwks === undefined)
    throw new MemoryError('invalid_input', `${oauthIssuer === undefined ? 'oauthIssuer' : 'oauthJwks'} is missing.`, {
      hint: 'Give --oauth-issuer and --oauth-jwks together, or neither.',
    })
  const { openIssuer } = await import('./surfaces/http/oauth.js')
  return openIssuer({
    issuer: oauthIssuer,
    jwks: oauthJwks,
    audience: () => (oauthAudience.length > 0 ? oauthAudience : [publicUrl(), `${publicUrl()}/mcp`]),
    ownerClaim: oauthOwnerClaim,
    principalOf: async (holder) => (await host.engine()).keyRing.tokenHolder(holder),
  })
}
