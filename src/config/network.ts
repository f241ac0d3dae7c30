import { z } from 'zod'
import { count, list, number, text, toggle } from './kinds.js'

const MAX_RATE = 1_000_000

/** HTTP access, and the address of this server. */
export const NETWORK_SETTINGS = {
  auth: z
    .enum(['none', 'required'])
    .optional()
    .describe('Require an API key over HTTP. Default: required once a key exists, and always on non-loopback addresses'),
  rateLimit: count(0, MAX_RATE).default(1200).describe('Requests per minute and key; 0 for no limit'),
  publicUrl: text().optional().describe('Public URL of this server, if it differs from host and port'),
  oauthIssuer: text().optional().describe('Issuer whose OAuth tokens are accepted in addition to keys'),
  oauthJwks: text().optional().describe("Address or file of the issuer's public keys (a JSON Web Key Set)"),
  oauthAudience: list().default([]).describe('Required audience of tokens; default the address of this server'),
  oauthOwnerClaim: text().default('sub').describe('Claim of a token that contains its owner'),
  federationPullIntervalS: number(z.number().min(1)).default(60).describe('Interval between pulls from peers, in seconds'),
  federationAllowPrivate: toggle().default(true).describe('Allow peers with addresses of this machine and its network'),
}
