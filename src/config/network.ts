import { z } from 'zod'
import { count, list, number, text, toggle } from './kinds.js'

const MAX_RATE = 1_000_000

/** HTTP access, and the address of this server. */
export const NETWORK_SETTINGS = {
  auth: z
    .enum(['none', 'required'])
    .optional()
    .describe('Whether HTTP asks for a key; unless given, as soon as there is one, and always on other addresses than loopback'),
  rateLimit: count(0, MAX_RATE).default(1200).describe('Requests per minute and key; 0 sets no limit'),
  publicUrl: text().optional().describe('Address under which clients and peers reach this server, where it differs from host and port'),
  oauthIssuer: text().optional().describe('Issuer whose tokens are taken beside keys'),
  oauthJwks: text().optional().describe("Address or file of the issuer's public keys (a JSON Web Key Set)"),
  oauthAudience: list().default([]).describe('Audience that tokens must be made for; unless given, the address of this server'),
  oauthOwnerClaim: text().default('sub').describe('Claim of a token that names the owner whose memory it opens'),
  federationPullIntervalS: number(z.number().min(1)).default(60).describe('How often peers are asked for new facts, in seconds'),
  federationAllowPrivate: toggle().default(true).describe('Let peers have addresses of this machine and its network'),
}
