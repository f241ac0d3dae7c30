import { canonicalJson } from '../encoding/json.js'
import type { Fact } from '../facts/fact.js'
import { isSystemForm, uuidOf } from './statement.js'

type ConfidenceAndHlc = Pick<Fact, 'confidence' | 'hlc'>

/** Negative if the first prevails: higher confidence, then the later HLC; 0 if neither does. */
export function byStrength(a: ConfidenceAndHlc, b: ConfidenceAndHlc): number {
  if (a.confidence !== b.confidence) return b.confidence - a.confidence
  const [first, second] = [a.hlc ?? '', b.hlc ?? '']
  return first === second ? 0 : first > second ? -1 : 1
}

type Claim = Pick<Fact, 'owner' | 'subject' | 'predicate' | 'scope' | 'garden'>

/** True if two facts state the same property for the same readers. */
export const sameClaim = (a: Claim, b: Claim): boolean =>
  a.owner === b.owner && a.subject === b.subject && a.predicate === b.predicate && a.scope === b.scope && a.garden === b.garden

export const sameValue = (a: Pick<Fact, 'valueType' | 'value'>, b: Pick<Fact, 'valueType' | 'value'>): boolean =>
  a.valueType === b.valueType && canonicalJson(a.value) === canonicalJson(b.value)

/** True if it can contradict another fact; system facts cannot. */
export const isDisputable = (fact: Pick<Fact, 'assertedConfidence' | 'confidence' | 'form'>): boolean =>
  fact.assertedConfidence !== null && fact.confidence > 0 && !isSystemForm(fact.form)

/** Derived from the facts alone, so that two nodes with both use the same id. */
export const conflictIdOf = (a: string, b: string): string => `stigmem:conflict:${uuidOf([a, b].sort().join('\n'))}`
