import { sha256 } from '../encoding/hash.js'
import { canonicalJson, type Json } from '../encoding/json.js'
import type { Fact } from '../facts/fact.js'
import { displayName, factUri } from './uri.js'

export const VALUE_TYPES = ['string', 'text', 'number', 'boolean', 'datetime', 'ref', 'null'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

export interface TypedValue {
  readonly type: ValueType
  readonly v: string | number | boolean | null
}

/** What is said: that something stands in a relation to a value. */
export interface Statement {
  readonly entity: string
  readonly relation: string
  readonly value: TypedValue
}

/** Facts without a statement of their own say their text. */
export const CONTENT_RELATION = 'memory:content'
export const SYSTEM_NAMESPACE = 'stigmem:'
export const TTL_RELATION = 'stigmem:ttl'
export const CARD_RELATION = 'stigmem:memory:card'
export const SYSTEM_SOURCE = 'system:stigmem'

/** Forms of facts that the store writes itself; nobody searches for them, and other contracts do not see them. */
export const SYSTEM_FORMS = ['system', 'card'] as const

export const isSystemForm = (form: string | null): boolean => form === 'system' || form === 'card'

/** Whether someone asserted it with a typed value; other contracts say what a value refers to in their own way. */
export const isStatement = (fact: Pick<Fact, 'assertedConfidence' | 'valueType' | 'subject' | 'predicate'>): boolean =>
  fact.assertedConfidence !== null && fact.valueType !== null && fact.subject !== null && fact.predicate !== null

const plain = (value: Json): TypedValue['v'] => (typeof value === 'object' ? null : value)

export function typeOf(name: string | null): ValueType {
  return VALUE_TYPES.find((type) => type === name) ?? 'text'
}

export function statementOf(
  fact: Pick<Fact, 'id' | 'text' | 'subject' | 'predicate' | 'value' | 'valueType' | 'assertedConfidence'>,
): Statement {
  if (fact.assertedConfidence === null || fact.subject === null || fact.predicate === null)
    return { entity: factUri(fact.id), relation: CONTENT_RELATION, value: { type: 'text', v: fact.text } }
  return { entity: fact.subject, relation: fact.predicate, value: { type: typeOf(fact.valueType), v: plain(fact.value) } }
}

/** A value as it is sent: what its length is counted by. */
export const toWireText = ({ v }: TypedValue): string => (v === null ? '' : typeof v === 'string' ? v : JSON.stringify(v))

/** A value as words: what a reference leads to is told by its name. */
export const toDisplayText = (value: TypedValue): string =>
  value.type === 'ref' && typeof value.v === 'string' ? displayName(value.v) : toWireText(value)

/** What is embedded, and what other contracts read. */
export const toStatementText = ({ entity, relation, value }: Statement): string =>
  `${displayName(entity)} ${relation} ${toDisplayText(value)}`.trimEnd()

export interface Hashed extends Statement {
  readonly scope: string
  readonly source: string
  /** As it was asserted: decay changes nothing of what was said. */
  readonly confidence: number
  /** As it is shown. */
  readonly timestamp: string
}

/** Names a statement by its content: other facts name it so where they were derived from it. */
export const statementHash = ({ entity, relation, value, scope, source, confidence, timestamp }: Hashed): string =>
  sha256(canonicalJson({ entity, relation, value: { type: value.type, v: value.v }, scope, source, confidence, ts: timestamp }))

/** The same without the time: two who say the same twice have said it once. */
export const contentId = ({ entity, relation, value, scope, source, confidence }: Omit<Hashed, 'timestamp'>): string =>
  `sha256:${sha256(canonicalJson({ confidence, entity, relation, scope, source, value_type: value.type, value_v: value.v }))}`

export const HASH = /^[0-9a-f]{64}$/u

/** RFC 3339 with milliseconds, in UTC: as facts are shown, and as their hash has it. */
export const toTimestamp = (at: number): string => new Date(Math.floor(at / 1000)).toISOString()

/** A UUID that follows from a text, so that two nodes make the same. */
export function uuidOf(text: string): string {
  const hex = sha256(text)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function hashedOf(fact: Fact): Hashed {
  return {
    ...statementOf(fact),
    scope: fact.scope,
    source: fact.source,
    confidence: fact.assertedConfidence ?? fact.confidence,
    timestamp: toTimestamp(fact.eventAt),
  }
}

/** Confidence as far as its source is trusted; a source whose trust is not known counts in full. */
export const effectiveConfidence = ({ confidence, trust }: Pick<Fact, 'confidence' | 'trust'>): number => confidence * (trust ?? 1)
