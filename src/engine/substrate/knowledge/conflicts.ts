import type { Fact } from '../../../core/facts/fact.js'
import { isCurrentStatus } from '../../../core/facts/validity.js'
import { findCompetingClaims } from '../../../core/substrate/duplicates/duplicate-claims.js'
import { claimKey, claimSubject } from '../../../core/substrate/objects/claims.js'
import type { Environment } from '../../environment.js'

export interface Conflict {
  readonly id: string
  readonly with: readonly string[]
  readonly subject: string | null
  readonly predicate: string | null
}

const MAX_RIVALS = 100

/** The facts that differ from another current fact on the same claim. */
export async function conflictsAmong(env: Environment, facts: readonly Fact[]): Promise<readonly Conflict[]> {
  const found: Conflict[] = []
  const known = new Map<string, readonly Fact[]>()
  for (const fact of facts) {
    const claim = isCurrentStatus(fact.status) ? claimKey(fact) : null
    if (claim === null) continue
    const others = known.get(claim) ?? (await env.store.listFacts({ owner: fact.owner, claim, limit: MAX_RIVALS, offset: 0 }))
    known.set(claim, others)
    const { conflicts } = findCompetingClaims(fact, others)
    if (conflicts.length > 0)
      found.push({ id: fact.id, with: conflicts.map(({ id }) => id).sort(), subject: claimSubject(fact), predicate: fact.predicate })
  }
  return found
}
