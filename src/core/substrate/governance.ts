import { MemoryError } from '../../errors.js'
import type { Fact } from '../facts/fact.js'
import { isBlank } from '../input/input.js'
import { assertionOf } from './claim-ends.js'
import { claimKey, scopesOverlap } from './claims.js'
import type { KnowledgeStatus } from './objects.js'

/** How something came to be known. */
export const ORIGINS = ['user_declared', 'human_curated', 'agent_inferred', 'system_generated', 'imported'] as const
export type Origin = (typeof ORIGINS)[number]

/** A person's word needs no further evidence. */
const PERSONAL: readonly string[] = ['user_declared', 'human_curated']

export const isPersonal = (origin: string | null): boolean => origin !== null && PERSONAL.includes(origin)

export const isOrigin = (word: string): word is Origin => ORIGINS.some((one) => one === word)

export interface Governance {
  readonly reason: string
  readonly origin: string
  readonly scopes: readonly string[]
}

const refused = (message: string): MemoryError => new MemoryError('invalid_input', message)

/** Nothing is remembered without why, from whom and for what. */
export function checkGovernance({ reason, origin, scopes }: Governance): void {
  if (isBlank(reason)) throw refused('remember request requires reason')
  if (!isOrigin(origin)) throw refused(`remember request has unsupported memory_source: ${origin.slice(0, 100)}`)
  if (scopes.length === 0 || scopes.some(isBlank)) throw refused('remember request requires scope_refs')
}

/** What is inferred is a candidate until someone decides; what is active rests on evidence or on a person's word. */
export function governedStatus(asked: KnowledgeStatus, origin: string, evidence: number): KnowledgeStatus {
  const status = origin === 'agent_inferred' && asked === 'active' ? 'candidate' : asked
  if (status === 'active' && evidence === 0 && !isPersonal(origin))
    throw refused('active knowledge requires evidence_refs unless user-declared or human-curated')
  return status
}

export interface CompetingClaims {
  /** Those that say the same. */
  readonly duplicates: readonly Fact[]
  /** Those that say something else. */
  readonly conflicts: readonly Fact[]
}

/** What the other facts of the same claim are to a new one, where their scopes meet. */
export function findCompetingClaims(fact: Fact, others: readonly Fact[]): CompetingClaims {
  const claim = claimKey(fact)
  if (claim === null) return { duplicates: [], conflicts: [] }
  const near = others.filter((other) => other.id !== fact.id && claimKey(other) === claim && scopesOverlap(fact.scopes, other.scopes))
  const says = assertionOf(fact)
  return {
    duplicates: near.filter((other) => assertionOf(other) === says),
    conflicts: near.filter((other) => assertionOf(other) !== says),
  }
}

/** A new claim beside what was claimed before: one that says the same is refused, one that says something else is contested. */
export function resolveNewClaim(fact: Fact, others: readonly Fact[], allowDuplicate: boolean): Fact {
  const { duplicates, conflicts } = findCompetingClaims(fact, others)
  if (duplicates.length > 0 && !allowDuplicate)
    throw refused(
      `duplicate knowledge exists: ${duplicates
        .map(({ id }) => id)
        .sort()
        .join(', ')}`,
    )
  if (conflicts.length === 0) return fact
  return { ...fact, status: 'contested', conflicts: conflicts.map(({ id }) => id).sort() }
}
