import type { Instant } from './fact.js'
import { type Lived, meets, RULES } from './validity.js'

/** The three states that matter to someone who reads: whatever else a status says, it is one of these. */
export const LIVES = ['active', 'archived', 'outdated'] as const
export type Life = (typeof LIVES)[number]

export function lifeOf(node: Lived, at: Instant): Life {
  if (meets(RULES.archived, node)) return 'archived'
  return meets(RULES.active(at), node) ? 'active' : 'outdated'
}

/** Its time is over: nothing leads to it any more. */
export const isExpired = (node: Lived, at: Instant): boolean => meets(RULES.expired(at), node)

/** Gone from every read, unless it is archived. */
export const isGone = (node: Lived, at: Instant): boolean => meets(RULES.gone(at), node)

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
