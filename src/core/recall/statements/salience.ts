import type { TrustMode } from '../../access/attestation.js'
import type { Fact, Instant } from '../../facts/fact.js'
import { DAY_US } from '../../facts/lifecycle.js'

/** Factors that weigh a statement in addition to its relevance. */
export interface Salience {
  readonly recency: number
  readonly confidence: number
  readonly access: number
  readonly contradiction: number
  readonly garden: number
}

const FADING_PER_DAY = 0.01
const PER_DERIVATION = 0.9
/** Weight of a statement whose contradiction is unresolved. */
export const CONTRADICTED_WEIGHT = 0.7
const QUARANTINED_WEIGHT = 0.2
/** Number of derivation steps that reduce confidence. */
export const MAX_DERIVATION_DEPTH = 5

export const computeRecency = (saidAt: Instant, now: Instant): number => Math.exp(-FADING_PER_DAY * Math.max(0, (now - saidAt) / DAY_US))

/** Confidence, reduced by each step of derivation. */
export const confidenceWeight = (confidence: number, derivations: number): number =>
  confidence * PER_DERIVATION ** Math.min(derivations, MAX_DERIVATION_DEPTH)

/** Weight of the number of reads relative to the other candidates. At least one half, so that unread facts can be found. */
export const accessWeight = (count: number, most: number): number =>
  most === 0 ? 0.5 : 0.5 + (0.5 * Math.log(1 + count)) / Math.log(1 + most)

interface SalienceInputs {
  readonly now: Instant
  /** The longest known chain of facts that it follows from. */
  readonly derivations: number
  readonly accesses: number
  readonly mostAccesses: number
  readonly contradicted: boolean
}

export const salienceOf = (
  { eventAt, confidence, quarantine }: Pick<Fact, 'eventAt' | 'confidence' | 'quarantine'>,
  { now, derivations, accesses, mostAccesses, contradicted }: SalienceInputs,
): Salience => ({
  recency: computeRecency(eventAt, now),
  confidence: confidenceWeight(confidence, derivations),
  access: accessWeight(accesses, mostAccesses),
  contradiction: contradicted ? CONTRADICTED_WEIGHT : 1,
  garden: quarantine === 'pending' ? QUARANTINED_WEIGHT : 1,
})

export const productOf = ({ recency, confidence, access, contradiction, garden }: Salience): number =>
  recency * confidence * access * contradiction * garden

/** Untrusted sources count half, unknown sources count in full. */
export const trustMultiplier = (trust: number | null, mode: TrustMode): number => (mode === 'off' || trust === null ? 1 : 0.5 + 0.5 * trust)
