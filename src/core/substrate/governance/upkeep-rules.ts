import type { Fact, Instant } from '../../facts/fact.js'
import { DAY_US } from '../../facts/lifecycle.js'
import { isCurrentStatus } from '../../facts/validity.js'
import { assertionOf } from '../objects/claim-ends.js'
import { factTypeOf, type KnowledgeStatus, knowledgeStatus } from '../objects/objects.js'
import { type EvidenceRef, evidenceOf, referencesOf } from '../objects/references.js'
import { isPersonal } from './governance.js'

export interface UpkeepRules {
  readonly minConfidence: number
  readonly minEvidence: number
  /** The instant against which the age of a verification is measured. */
  readonly reference: Instant
  readonly staleAfterDays: number
}

export const DEFAULT_RULES = { minConfidence: 0.75, minEvidence: 1, staleAfterDays: 30 } as const

const isKnowledge = (fact: Fact): boolean => factTypeOf(fact) === 'knowledge'

/** A candidate with sufficient confidence and evidence, which only needs a decision. */
const isSureCandidate = (fact: Fact, { minConfidence }: UpkeepRules): boolean =>
  isKnowledge(fact) && fact.status === 'candidate' && fact.confidence >= minConfidence && referencesOf(fact, 'subject_refs').length > 0

export const isPromotable = (fact: Fact, rules: UpkeepRules): boolean =>
  isSureCandidate(fact, rules) && evidenceOf(fact).length >= rules.minEvidence

export const lacksEvidence = (fact: Fact, rules: UpkeepRules): boolean =>
  isSureCandidate(fact, rules) && evidenceOf(fact).length < rules.minEvidence

/** Verified once, but too long ago. Knowledge that was never verified does not become stale. */
export const isStale = (fact: Fact, { reference, staleAfterDays }: UpkeepRules): boolean =>
  isKnowledge(fact) &&
  (fact.status === 'active' || fact.status === 'candidate') &&
  fact.verifiedAt !== null &&
  fact.verifiedAt < reference - staleAfterDays * DAY_US

/** Facts with equal assertions about the same subject, whatever their scopes; each group in order of preference. */
export function duplicateGroups(facts: readonly Fact[]): readonly (readonly Fact[])[] {
  const groups = new Map<string, Fact[]>()
  for (const fact of facts) {
    const [subject] = referencesOf(fact, 'subject_refs')
    if (!isKnowledge(fact) || fact.kind !== 'fact' || !isCurrentStatus(fact.status) || subject === undefined || fact.predicate === null)
      continue
    const key = JSON.stringify([subject, fact.predicate, assertionOf(fact)])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [fact])
    else group.push(fact)
  }
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.sort(byStrength))
}

const STRENGTH: Readonly<Record<KnowledgeStatus, number>> = {
  active: 3,
  candidate: 2,
  stale: 1,
  contested: 0,
  superseded: -1,
  archived: -1,
}

/** Stronger status first, then higher confidence, then later verification, then the older fact. */
const byStrength = (a: Fact, b: Fact): number =>
  STRENGTH[knowledgeStatus(b)] - STRENGTH[knowledgeStatus(a)] ||
  b.confidence - a.confidence ||
  (b.verifiedAt ?? Number.NEGATIVE_INFINITY) - (a.verifiedAt ?? Number.NEGATIVE_INFINITY) ||
  a.recordedAt - b.recordedAt ||
  (a.id < b.id ? -1 : 1)

/** The one of two possible duplicates to keep: stronger status, declared by a person, higher confidence, older. */
export function preferredOf(a: Fact, b: Fact): Fact {
  const order =
    STRENGTH[knowledgeStatus(b)] - STRENGTH[knowledgeStatus(a)] ||
    Number(isPersonal(b.origin)) - Number(isPersonal(a.origin)) ||
    b.confidence - a.confidence ||
    a.recordedAt - b.recordedAt
  return order <= 0 ? a : b
}

/** The winner of a group with the evidence and scopes of the others. */
export function mergeEvidence(winner: Fact, losers: readonly Fact[]): Fact {
  const evidence = new Map<string, EvidenceRef>()
  for (const ref of [winner, ...losers].flatMap(evidenceOf)) {
    const key = `${ref.source_id}#${ref.segment_id}`
    if (!evidence.has(key)) evidence.set(key, ref)
  }
  const scopes = new Set([winner, ...losers].flatMap((fact) => fact.scopes ?? []))
  return {
    ...winner,
    evidence: evidence.size === 0 ? winner.evidence : [...evidence.values()].map((ref) => ({ ...ref })),
    scopes: scopes.size === 0 ? winner.scopes : [...scopes],
    confidence: Math.max(winner.confidence, ...losers.map(({ confidence }) => confidence)),
  }
}
