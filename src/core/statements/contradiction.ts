import { canonicalJson } from '../encoding/json.js'
import type { Fact } from '../facts/fact.js'
import { isSystemForm, uuidOf } from './statement.js'

type Ranked = Pick<Fact, 'confidence' | 'hlc'>

/** Below zero where the first prevails: higher confidence, then later in the order of all; 0 where neither does. */
export function byStrength(a: Ranked, b: Ranked): number {
  if (a.confidence !== b.confidence) return b.confidence - a.confidence
  const [first, second] = [a.hlc ?? '', b.hlc ?? '']
  return first === second ? 0 : first > second ? -1 : 1
}

type Claim = Pick<Fact, 'owner' | 'subject' | 'predicate' | 'scope' | 'garden'>

/** Whether two facts are about the same property, told to the same readers. */
export const sameClaim = (a: Claim, b: Claim): boolean =>
  a.owner === b.owner && a.subject === b.subject && a.predicate === b.predicate && a.scope === b.scope && a.garden === b.garden

export const sameValue = (a: Pick<Fact, 'valueType' | 'value'>, b: Pick<Fact, 'valueType' | 'value'>): boolean =>
  a.valueType === b.valueType && canonicalJson(a.value) === canonicalJson(b.value)

/** Whether it can stand against another: what the store notes itself never does. */
export const isDisputable = (fact: Pick<Fact, 'assertedConfidence' | 'confidence' | 'form'>): boolean =>
  fact.assertedConfidence !== null && fact.confidence > 0 && !isSystemForm(fact.form)

/** Made from the facts alone, so that two nodes that hold both name it alike. */
export const conflictIdOf = (a: string, b: string): string => `stigmem:conflict:${uuidOf([a, b].sort().join('\n'))}`
