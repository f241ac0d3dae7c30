import { MemoryError } from '../../../errors.js'
import type { Fact } from '../../facts/fact.js'
import { assertionOf } from '../objects/claim-ends.js'
import { claimKey, scopesOverlap } from '../objects/claims.js'

interface CompetingClaims {
  /** Claims with the same assertion. */
  readonly duplicates: readonly Fact[]
  /** Claims with a different assertion. */
  readonly conflicts: readonly Fact[]
}

/** Existing facts with the same claim as a new one and an overlapping scope. */
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

/** Rejects a new claim that duplicates an existing one, and contests one that contradicts it. */
export function resolveNewClaim(fact: Fact, others: readonly Fact[], allowDuplicate: boolean): Fact {
  const { duplicates, conflicts } = findCompetingClaims(fact, others)
  if (duplicates.length > 0 && !allowDuplicate)
    throw new MemoryError(
      'invalid_input',
      `duplicate knowledge exists: ${duplicates
        .map(({ id }) => id)
        .sort()
        .join(', ')}`,
    )
  if (conflicts.length === 0) return fact
  return { ...fact, status: 'contested', conflicts: conflicts.map(({ id }) => id).sort() }
}
