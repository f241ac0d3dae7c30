import type { Instant } from './fact.js'
import { satisfiesRule, VALIDITY_RULES, type ValidityFields } from './validity.js'

/** The three states that matter to someone who reads: whatever else a status says, it is one of these. */
export const LIVES = ['active', 'archived', 'outdated'] as const
export type LifecycleState = (typeof LIVES)[number]

export function lifeOf(node: ValidityFields, at: Instant): LifecycleState {
  if (satisfiesRule(VALIDITY_RULES.archived, node)) return 'archived'
  return satisfiesRule(VALIDITY_RULES.active(at), node) ? 'active' : 'outdated'
}

/** Its time is over: nothing leads to it any more. */
export const isExpired = (node: ValidityFields, at: Instant): boolean => satisfiesRule(VALIDITY_RULES.expired(at), node)

/** Gone from every read, unless it is archived. */
export const isGone = (node: ValidityFields, at: Instant): boolean => satisfiesRule(VALIDITY_RULES.gone(at), node)

export const DAY = 86_400e6

export interface Lifetime {
  readonly ttlDays?: number | undefined
  /** Wins over the time to live. */
  readonly expiresAt?: Instant | undefined
}

/** When something ends that lives so long from now; undefined when nothing was said. */
export const expiryOf = ({ ttlDays, expiresAt }: Lifetime, at: Instant): Instant | undefined =>
  expiresAt ?? (ttlDays === undefined ? undefined : at + lifetimeOf(ttlDays))

export const lifetimeOf = (days: number): number => Math.round(days * DAY)
