import type { Entity } from './entity.js'
import type { Fact, Instant } from './fact.js'
import { isCurrentStatus } from './validity.js'

/** The three states that matter to someone who reads: whatever else a status says, it is one of these. */
export const LIVES = ['active', 'archived', 'outdated'] as const
export type Life = (typeof LIVES)[number]

type Living = Pick<Fact, 'status'> & { readonly validUntil?: Instant | null }

export function lifeOf(node: Living, at: Instant): Life {
  if (node.status === 'archived') return 'archived'
  const over = node.validUntil !== undefined && node.validUntil !== null && node.validUntil <= at
  return isCurrentStatus(node.status) && !over ? 'active' : 'outdated'
}

/** Its time is over: nothing leads to it any more. */
export const isExpired = (node: Pick<Fact | Entity, 'expiresAt'>, at: Instant): boolean => node.expiresAt !== null && node.expiresAt <= at

/** Gone from every read. An archived node was put away by someone or something and can still be asked for itself. */
export const isGone = (node: Pick<Fact | Entity, 'expiresAt' | 'status'>, at: Instant): boolean =>
  isExpired(node, at) && node.status !== 'archived'
