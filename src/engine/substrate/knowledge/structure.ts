import type { Fact } from '../../../core/facts/fact.js'
import { isCurrentStatus } from '../../../core/facts/validity.js'
import { checkStructure, missingRefs, type StructureIssue, structureIssue } from '../../../core/substrate/checks/structure.js'
import { titleOf } from '../../../core/substrate/objects/objects.js'
import { evidenceOf, type ReferenceName, referencesOf } from '../../../core/substrate/objects/references.js'
import type { Environment } from '../../environment.js'
import { evidenceWithState } from './evidence.js'
import { idsOf, loadInventory } from './inventory.js'
import { type DecisionContext, type DecisionResult, decideTogether } from './lifecycle.js'

/** Problems in the references between an owner's objects. */
export async function examineStructure(env: Environment, owner: string): Promise<readonly StructureIssue[]> {
  const inventory = await loadInventory(env, owner)
  const issues = [...checkStructure(inventory)]
  for (const fact of inventory.facts) {
    if (!isCurrentStatus(fact.status) || evidenceOf(fact).length === 0) continue
    for (const { source_id, segment_id, state } of await evidenceWithState(env, fact)) {
      if (state === 'current') continue
      issues.push(
        structureIssue({
          kind: 'changed_evidence',
          severity: 'warning',
          target: fact.id,
          summary: `What "${titleOf(fact)}" rests on ${state === 'missing' ? 'is gone' : 'says something else now'}: ${source_id}#${segment_id}`,
          field: 'evidence_refs',
          missing: `${source_id}#${segment_id}`,
        }),
      )
    }
  }
  const { missing, stale } = await env.projections.diagnose(owner)
  const page = (kind: string, target: string, summary: string): StructureIssue =>
    structureIssue({ kind, severity: 'info', target, summary, field: 'projection' })
  return [
    ...issues,
    ...missing.map((id) => page('missing_projection', id, 'Has no page; reindex writes it')),
    ...stale.map((id) => page('stale_projection', id, 'Its page differs; reindex rewrites it')),
  ]
}

/** Removes references to missing objects from facts. */
export const dropMissingReferences = (env: Environment, decision: DecisionContext): Promise<DecisionResult> =>
  decideTogether(env, { reason: 'repair', ...decision }, async () => {
    const inventory = await loadInventory(env, decision.owner)
    const there = idsOf(inventory)
    return () => inventory.facts.flatMap((fact) => mended(fact, there))
  })

function mended(fact: Fact, there: ReadonlySet<string>): readonly Fact[] {
  const missing = missingRefs(fact, there)
  if (missing.length === 0) return []
  const references: Record<string, readonly string[]> = {}
  const names = new Set<ReferenceName>(missing.map(({ field }) => field))
  for (const field of names) references[field] = referencesOf(fact, field).filter((id) => there.has(id))
  const kept = Object.entries({ ...fact.references, ...references }).filter(([, ids]) => !(Array.isArray(ids) && ids.length === 0))
  return [{ ...fact, references: Object.fromEntries(kept) }]
}
