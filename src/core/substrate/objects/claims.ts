import { sha256 } from '../../encoding/hash.js'
import type { Fact } from '../../facts/fact.js'
import { factTypeOf } from './objects.js'
import { referencesOf } from './references.js'

type ClaimFields = Pick<Fact, 'form' | 'kind' | 'subject' | 'predicate' | 'references'>

/** The subject of a claim: its first subject reference, otherwise the named subject. */
export const claimSubject = (fact: Pick<Fact, 'subject' | 'references'>): string | null =>
  referencesOf(fact, 'subject_refs')[0] ?? fact.subject

/**
 * Facts with the same kind, subject and predicate have the same key; null for a fact without a claim. Two of them with equal assertions are
 * duplicates, otherwise in conflict.
 */
export function claimKey(fact: ClaimFields): string | null {
  const subject = claimSubject(fact)
  if (factTypeOf(fact) !== 'knowledge' || subject === null || fact.predicate === null) return null
  return sha256(JSON.stringify([fact.kind, subject, fact.predicate])).slice(0, 32)
}

/** A fact without scopes applies everywhere. */
export const scopesOverlap = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === null || b === null || a.length === 0 || b.length === 0 || a.some((scope) => b.includes(scope))
