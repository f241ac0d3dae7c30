import type { Fact, Instant } from '../../facts/fact.js'
import { isCurrentStatus } from '../../facts/validity.js'
import type { Entity } from '../../graph/entity.js'
import { assertionOf } from '../objects/claim-ends.js'
import { claimSubject } from '../objects/claims.js'
import { factTypeOf, titleOf } from '../objects/objects.js'

/** A finding for a person to review; nothing is changed automatically. */
export type FactCheck =
  | { readonly kind: 'similar_entity_name'; readonly ids: readonly string[]; readonly names: readonly string[] }
  | { readonly kind: 'stale_fact'; readonly id: string; readonly title: string; readonly validUntil: Instant }
  | { readonly kind: 'relationship_mismatch'; readonly ids: readonly string[]; readonly subject: string; readonly predicate: string }

/** Letters and digits only, so that `Node.js` and `nodejs` are equal. */
const bareName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function similarNames(entities: readonly Entity[]): readonly FactCheck[] {
  const called = new Map<string, Map<string, string>>()
  for (const entity of entities) {
    if (entity.status !== 'active') continue
    for (const name of [entity.name, ...entity.aliases]) {
      const key = bareName(name)
      if (key === '') continue
      const holders = called.get(key) ?? new Map<string, string>()
      if (!holders.has(entity.id)) holders.set(entity.id, name)
      called.set(key, holders)
    }
  }
  const found = new Map<string, FactCheck>()
  for (const holders of called.values()) {
    if (holders.size < 2) continue
    const ids = [...holders.keys()].sort()
    const key = ids.join('\0')
    if (!found.has(key)) found.set(key, { kind: 'similar_entity_name', ids, names: ids.flatMap((id) => holders.get(id) ?? []) })
  }
  return [...found.values()]
}

const isOver = ({ validUntil }: Fact, index: Instant): boolean => validUntil !== null && validUntil <= index

const staleFacts = (facts: readonly Fact[], index: Instant): readonly FactCheck[] =>
  facts.flatMap((fact) =>
    fact.kind === 'fact' && fact.status === 'active' && fact.validUntil !== null && isOver(fact, index)
      ? [{ kind: 'stale_fact', id: fact.id, title: titleOf(fact), validUntil: fact.validUntil }]
      : [],
  )

function mismatches(facts: readonly Fact[], asOf: Instant): readonly FactCheck[] {
  const claims = new Map<string, Fact[]>()
  for (const fact of facts) {
    const subject = claimSubject(fact)
    const counts = fact.kind === 'fact' && isCurrentStatus(fact.status) && fact.status !== 'contested' && !isOver(fact, asOf)
    if (!counts || subject === null || fact.predicate === null) continue
    const key = JSON.stringify([subject, fact.predicate])
    const known = claims.get(key)
    if (known === undefined) claims.set(key, [fact])
    else known.push(fact)
  }
  return [...claims.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || first.predicate === null || new Set(group.map(assertionOf)).size < 2) return []
    const ids = group.map(({ id }) => id).sort()
    return [{ kind: 'relationship_mismatch' as const, ids, subject: claimSubject(first) ?? '', predicate: first.predicate }]
  })
}

export function checkFacts(facts: readonly Fact[], entities: readonly Entity[], asOf: Instant): readonly FactCheck[] {
  const knowledge = facts.filter((fact) => factTypeOf(fact) === 'knowledge')
  return [...similarNames(entities), ...staleFacts(knowledge, asOf), ...mismatches(knowledge, asOf)]
}
