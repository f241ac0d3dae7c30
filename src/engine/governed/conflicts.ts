import type { Fact } from '../../core/fact.js'
import { claimKey, claimSubject } from '../../core/governed/claims.js'
import { rivalsOf } from '../../core/governed/governance.js'
import { isCurrentStatus } from '../../core/validity.js'
import type { Environment } from '../environment.js'

export interface Conflict {
  readonly id: string
  readonly with: readonly string[]
  readonly subject: string | null
  readonly predicate: string | null
}

const MOST_RIVALS = 100

/** Which of these facts say something else than another current fact about the same. */
export async function conflictsAmong(env: Environment, facts: readonly Fact[]): Promise<readonly Conflict[]> {
  const found: Conflict[] = []
  const known = new Map<string, readonly Fact[]>()
  for (const fact of facts) {
    const claim = isCurrentStatus(fact.status) ? claimKey(fact) : null
    if (claim === null) continue
    const others = known.get(claim) ?? (await env.backend.store.listFacts({ owner: fact.owner, claim, limit: MOST_RIVALS, offset: 0 }))
    known.set(claim, others)
    const { conflicts } = rivalsOf(fact, others)
    if (conflicts.length > 0)
      found.push({ id: fact.id, with: conflicts.map(({ id }) => id).sort(), subject: claimSubject(fact), predicate: fact.predicate })
  }
  return found
}
