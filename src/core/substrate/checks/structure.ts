import { sha256 } from '../../encoding/hash.js'
import type { Fact } from '../../facts/fact.js'
import type { Source } from '../../facts/source.js'
import { isCurrentStatus } from '../../facts/validity.js'
import type { Entity } from '../../graph/entity.js'
import { isPersonal } from '../governance/governance.js'
import { claimKey, scopesOverlap } from '../objects/claims.js'
import { ACTIVITY_STATUSES, factTypeOf, titleOf, WORK_ITEM_STATUSES } from '../objects/objects.js'
import { evidenceOf, referenceFieldsOf, referencesOf, relationOf } from '../objects/references.js'
import { isGoverned } from '../objects/stated-words.js'

type Severity = 'info' | 'warning' | 'error'

export interface StructureIssue {
  readonly id: string
  readonly kind: string
  readonly severity: Severity
  readonly target: string
  readonly summary: string
  readonly field: string | null
  readonly missing: string | null
  readonly repairable: boolean
}

export const structureIssue = (
  issue: Omit<StructureIssue, 'id' | 'field' | 'missing' | 'repairable'> & Partial<StructureIssue>,
): StructureIssue => {
  const { field = null, missing = null, repairable = false } = issue
  return { ...issue, field, missing, repairable, id: `issue:${sha256([issue.kind, issue.target, field, missing].join('\0')).slice(0, 32)}` }
}

interface OwnerObjects {
  readonly facts: readonly Fact[]
  readonly entities: readonly Entity[]
  readonly sources: readonly Source[]
}

/** Finds references to absent objects, impossible values and isolated objects. */
export function checkStructure({ facts, entities, sources }: OwnerObjects): readonly StructureIssue[] {
  const there = new Set([...facts, ...entities, ...sources].map(({ id }) => id))
  const issues = facts.flatMap((fact) => [...missingReferences(fact, there), ...wrongStage(fact), ...withoutEvidence(fact)])
  return [...issues, ...sameIdentity(facts), ...orphans({ facts, entities, sources })]
}

export const missingRefs = (fact: Fact, there: ReadonlySet<string>) =>
  referenceFieldsOf(factTypeOf(fact)).flatMap((field) =>
    relationOf(field) === null ? [] : referencesOf(fact, field).flatMap((id) => (there.has(id) ? [] : [{ field, id }])),
  )

const missingReferences = (fact: Fact, there: ReadonlySet<string>): readonly StructureIssue[] =>
  missingRefs(fact, there).map(({ field, id }) =>
    structureIssue({
      kind: 'missing_reference',
      severity: 'warning',
      target: fact.id,
      summary: `${field} of "${titleOf(fact)}" refers to ${id}, which does not exist`,
      field,
      missing: id,
      repairable: true,
    }),
  )

function wrongStage(fact: Fact): readonly StructureIssue[] {
  const type = factTypeOf(fact)
  const known: readonly string[] = type === 'activity' ? ACTIVITY_STATUSES : WORK_ITEM_STATUSES
  if (type === 'knowledge' || fact.stage === null || known.includes(fact.stage)) return []
  return [
    structureIssue({
      kind: 'invalid_status',
      severity: 'error',
      target: fact.id,
      summary: `${type} with the unknown status ${fact.stage}`,
      field: 'status',
    }),
  ]
}

const withoutEvidence = (fact: Fact): readonly StructureIssue[] =>
  isGoverned(fact) &&
  factTypeOf(fact) === 'knowledge' &&
  fact.status === 'active' &&
  evidenceOf(fact).length === 0 &&
  !isPersonal(fact.origin)
    ? [
        structureIssue({
          kind: 'active_knowledge_without_evidence',
          severity: 'warning',
          target: fact.id,
          summary: `"${titleOf(fact)}" is active without evidence`,
          field: 'evidence_refs',
        }),
      ]
    : []

/** Knowledge without a claim is identified by kind and title. */
function sameIdentity(facts: readonly Fact[]): readonly StructureIssue[] {
  const known = new Map<string, Fact[]>()
  for (const fact of facts) {
    if (!isGoverned(fact) || factTypeOf(fact) !== 'knowledge' || !isCurrentStatus(fact.status) || claimKey(fact) !== null) continue
    const key = `${fact.kind}|${titleOf(fact)}`.toLowerCase()
    known.set(key, [...(known.get(key) ?? []), fact])
  }
  return [...known.values()].flatMap(([first, ...rest]) =>
    rest
      .filter((other) => first !== undefined && scopesOverlap(first.scopes, other.scopes))
      .map((other) =>
        structureIssue({
          kind: 'duplicate_identity',
          severity: 'warning',
          target: other.id,
          summary: `"${titleOf(other)}" has the same name as ${first?.id ?? ''}`,
          field: 'identity_key',
        }),
      ),
  )
}

function orphans({ facts, entities, sources }: OwnerObjects): readonly StructureIssue[] {
  const named = new Set<string>()
  for (const { metadata } of entities) if (typeof metadata.source_id === 'string') named.add(metadata.source_id)
  for (const fact of facts) {
    for (const { source_id } of evidenceOf(fact)) named.add(source_id)
    for (const id of referencesOf(fact, 'source_refs')) named.add(id)
  }
  return sources
    .filter(({ id, status }) => status === 'active' && !named.has(id))
    .map(({ id, title }) =>
      structureIssue({ kind: 'orphan_source', severity: 'info', target: id, summary: `Nothing refers to the source "${title}"` }),
    )
}

/** Governed knowledge that violates a rule of governance. */
export function governanceViolations(facts: readonly Fact[]): readonly { readonly id: string; readonly rules: readonly string[] }[] {
  return facts.flatMap((fact) => {
    if (!isGoverned(fact) || factTypeOf(fact) !== 'knowledge' || !isCurrentStatus(fact.status)) return []
    const rules = [
      ...(fact.reason === null ? ['reason_missing'] : []),
      ...((fact.scopes ?? []).length === 0 ? ['scope_refs_missing'] : []),
      ...(withoutEvidence(fact).length > 0 ? ['active_without_evidence'] : []),
    ]
    return rules.length === 0 ? [] : [{ id: fact.id, rules }]
  })
}
