import type { Json } from '../../encoding/json.js'
import type { Fact } from '../../facts/fact.js'
import { ASKED_FORM } from '../../statements/statement.js'

export type ClaimTexts = Pick<Fact, 'origin' | 'form' | 'predicate' | 'value' | 'scopes' | 'details'>

/** Governed knowledge has a reason and scopes; jobs must not change it. */
export const isGoverned = ({ origin, form }: Pick<Fact, 'origin' | 'form'>): boolean =>
  origin !== null || (form !== null && form !== ASKED_FORM)

const MAX_CHARACTERS = 4000

/** Searchable texts of a governed fact in addition to title and text. */
export function buildClaimSearchText(fact: ClaimTexts & Pick<Fact, 'subject'>): readonly string[] {
  if (!isGoverned(fact)) return []
  const texts: string[] = []
  collect([fact.subject, fact.predicate, fact.value, [...(fact.scopes ?? [])], fact.details], texts)
  return [texts.join(' ').slice(0, MAX_CHARACTERS)]
}

function collect(value: Json, into: string[]): void {
  if (typeof value === 'string') into.push(value)
  else if (typeof value === 'number') into.push(String(value))
  else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) collect(member, into)
}
