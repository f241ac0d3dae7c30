import type { Instant } from './fact.js'
import { satisfiesRule, VALIDITY_RULES, type ValidityFields } from './validity.js'

/** The three lifecycle states shown to readers; every status maps to one of them. */
export const LIFECYCLE_STATES = ['active', 'archived', 'outdated'] as const
export type LifecycleState = (typeof LIFECYCLE_STATES)[number]

export function lifeOf(node: ValidityFields, asOf: Instant): LifecycleState {
  if (satisfiesRule(VALIDITY_RULES.archived, node)) return 'archived'
  return satisfiesRule(VALIDITY_RULES.active(asOf), node) ? 'active' : 'outdated'
}

/** Expired: excluded from search and links. */
export const isExpired = (node: ValidityFields, asOf: Instant): boolean => satisfiesRule(VALIDITY_RULES.expired(asOf), node)

/** Excluded from every read unless archived. */
export const isGone = (node: ValidityFields, asOf: Instant): boolean => satisfiesRule(VALIDITY_RULES.gone(asOf), node)

export const DAY_US = 86_400e6

export interface Lifetime {
  readonly ttlDays?: number | undefined
  /** Takes precedence over `ttlDays`. */
  readonly expiresAt?: Instant | undefined
}

/** Instant at which a lifetime that starts at `start` ends; undefined if none is set. */
export const expiryOf = ({ ttlDays, expiresAt }: Lifetime, start: Instant): Instant | undefined =>
  expiresAt ?? (ttlDays === undefined ? undefined : start + lifetimeOf(ttlDays))

export const lifetimeOf = (days: number): number => Math.round(days * DAY_US)
