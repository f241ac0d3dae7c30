import type { Fact, Instant } from '../facts/fact.js'
import { DAY_US } from '../facts/lifecycle.js'
import { refusal } from '../input/refusal.js'
import type { Principal } from './access-filter.js'

export const ATTESTATION_MODES = ['enforce', 'warn', 'off'] as const
export type AttestationMode = (typeof ATTESTATION_MODES)[number]
export const TRUST_MODES = ['strict', 'relaxed', 'off'] as const
export type TrustMode = (typeof TRUST_MODES)[number]

/** True if the caller may assert facts for a source; null if the caller is unknown or attestation is off. */
export function attested(principal: Principal, source: string, mode: AttestationMode): boolean | null {
  if (mode === 'off' || principal.proof === 'none') return null
  const maySpeak = principal.entity === source || principal.sources.includes(source)
  if (maySpeak) return true
  if (mode === 'warn') return false
  throw refusal(
    'source_attestation_failed',
    `This key does not speak for ${source}`,
    principal.entity === null ? 'Use a key with an entity of its own.' : `Leave source out, or give ${principal.entity}.`,
  )
}

/** The recorded attestation of a fact. */
export const attestedOf = ({ attestation }: Pick<Fact, 'attestation'>): boolean | null => {
  if (attestation === null || typeof attestation !== 'object' || !('attested' in attestation)) return null
  return typeof attestation.attested === 'boolean' ? attestation.attested : null
}

/** The node where a fact was first asserted; null for this node. */
export function originOf({ attestation }: Pick<Fact, 'attestation'>): string | null {
  if (attestation === null || typeof attestation !== 'object' || !('origin' in attestation)) return null
  return typeof attestation.origin === 'string' ? attestation.origin : null
}

/** Proof of a source's identity, strongest first. */
const IDENTITY = { logged: 1, manifest: 0.7, token: 0.5, key: 0.4, uri: 0.1, none: 0 } as const
type Identity = keyof typeof IDENTITY

/** Authority of a source in a scope. */
const AUTHORITY = { token: 1, admin: 0.9, authority: 0.7, federate: 0.5, none: 0.2 } as const
export type Authority = keyof typeof AUTHORITY

const MODE: Readonly<Record<AttestationMode, number>> = { enforce: 1, warn: 0.6, off: 0.2 }

/** Period of the history of a source. */
export const HISTORY: Instant = 30 * DAY_US

/** Recent facts of a source, and the number without attestation. */
export interface SourceHistory {
  readonly facts: number
  readonly failures: number
  readonly blocked?: boolean
}

function historyScore({ facts, failures, blocked }: SourceHistory): number {
  if (blocked === true) return 0
  const share = facts === 0 ? 0 : failures / facts
  if (share >= 0.05) return 0.3
  if (facts >= 100 && failures === 0) return 1
  return facts >= 10 ? 0.7 : 0.5
}

interface TrustSigns {
  readonly identity: Identity
  readonly history: SourceHistory
  readonly authority: Authority
  readonly mode: AttestationMode
}

/** Trust in a source, 0 to 1. */
export function trustOf({ identity, history, authority, mode }: TrustSigns): number {
  const sum = 0.35 * IDENTITY[identity] + 0.3 * historyScore(history) + 0.25 * AUTHORITY[authority] + 0.1 * MODE[mode]
  return Math.min(1, Math.max(0, Math.round(sum * 1e6) / 1e6))
}
