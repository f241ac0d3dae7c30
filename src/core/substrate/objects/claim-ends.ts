import { canonicalJson, type Json, type JsonObject } from '../../encoding/json.js'
import type { Fact } from '../../facts/fact.js'

/** Value type of a reference to another object. */
const REFERENCE_VALUE = 'ref'

type ValueFields = Pick<Fact, 'value' | 'valueType' | 'details'>

/** A claim ends in a value or in another object; one with both stores the object in its details. */
export function claimEnds({ value, valueType, details }: ValueFields): { readonly value: Json; readonly object: Json } {
  if (valueType === REFERENCE_VALUE && details?.object === undefined) return { value: null, object: value }
  return { value, object: details?.object ?? null }
}

/** The inverse of `claimEnds`. */
export function storeClaimEnds(value: Json, object: Json, details: JsonObject): Pick<Fact, 'value' | 'valueType' | 'details'> {
  if (object === null) return { value, valueType: null, details }
  return value === null
    ? { value: object, valueType: REFERENCE_VALUE, details }
    : { value, valueType: null, details: { ...details, object } }
}

/** The assertion of a claim about its subject; equal for equal assertions. */
export function assertionOf(fact: ValueFields): string {
  const { value, object } = claimEnds(fact)
  return canonicalJson([value, object])
}
