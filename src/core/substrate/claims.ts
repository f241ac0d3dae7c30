import { sha256 } from '../encoding/hash.js'
import type { Fact } from '../facts/fact.js'
import { factTypeOf } from './objects.js'
import { referencesOf } from './references.js'

type Stated = Pick<Fact, 'form' | 'kind' | 'subject' | 'predicate' | 'references'>

/** What a claim is about: the first thing that it refers to as its subject, else the subject as it is named. */
export const claimSubject = (fact: Pick<Fact, 'subject' | 'references'>): string | null =>
  referencesOf(fact, 'subject_refs')[0] ?? fact.subject

/**
 * Facts with the same key say something about the same: the kind, the subject and the predicate are theirs alike. Null where a
 * fact makes no claim. Two of them that say the same are duplicates, two that do not are in conflict.
 */
export function claimKey(fact: Stated): string | null {
  const subject = claimSubject(fact)
  if (factTypeOf(fact) !== 'knowledge' || subject === null || fact.predicate === null) return null
  return sha256(JSON.stringify([fact.kind, subject, fact.predicate])).slice(0, 32)
}

/** What says nothing about its scope holds everywhere. */
export const scopesOverlap = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === null || b === null || a.length === 0 || b.length === 0 || a.some((scope) => b.includes(scope))
