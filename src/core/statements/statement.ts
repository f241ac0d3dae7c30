import { sha256 } from '../encoding/hash.js'
import { canonicalJson, type Json } from '../encoding/json.js'
import type { Fact } from '../facts/fact.js'
import { displayName, factUri } from './uri.js'

export const VALUE_TYPES = ['string', 'text', 'number', 'boolean', 'datetime', 'ref', 'null'] as const
type ValueType = (typeof VALUE_TYPES)[number]

export interface TypedValue {
  readonly type: ValueType
  readonly v: string | number | boolean | null
}

/** An (entity, relation, value) statement. */
export interface Statement {
  readonly entity: string
  readonly relation: string
  readonly value: TypedValue
}

/** The relation of facts without a statement of their own; their value is the text. */
export const CONTENT_RELATION = 'memory:content'
export const SYSTEM_NAMESPACE = 'stigmem:'
export const TTL_RELATION = 'stigmem:ttl'
export const CARD_RELATION = 'stigmem:memory:card'
export const SYSTEM_SOURCE = 'system:stigmem'

/** Forms of facts that the store writes; excluded from search and other contracts. */
export const SYSTEM_FORMS = ['system', 'card'] as const

/** The form of records of prompts, kept for the next brief: cards of conversations and captured turns. */
export const ASKED_FORM = 'asked'

/** Fields of such a record: no index contains it, and it has no automatic links. */
export const UNSEARCHED_FIELDS = { form: ASKED_FORM, autoLink: false } as const

/** Forms that are in no index and in no search result. */
export const UNSEARCHED_FORMS = [...SYSTEM_FORMS, ASKED_FORM] as const

export const isUnsearchedForm = (form: string | null): boolean => form === ASKED_FORM || isSystemForm(form)

export const isSystemForm = (form: string | null): boolean => form === 'system' || form === 'card'

/** True if asserted with a typed value; other contracts express references in their own way. */
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

/** The serialised value, whose length is limited. */
export const toWireText = ({ v }: TypedValue): string => (v === null ? '' : typeof v === 'string' ? v : JSON.stringify(v))

/** A value as text; a reference is shown by the name of its target. */
const toDisplayText = (value: TypedValue): string =>
  value.type === 'ref' && typeof value.v === 'string' ? displayName(value.v) : toWireText(value)

/** The text that is embedded and that other contracts read. */
export const toStatementText = ({ entity, relation, value }: Statement): string =>
  `${displayName(entity)} ${relation} ${toDisplayText(value)}`.trimEnd()

interface HashedStatement extends Statement {
  readonly scope: string
  readonly source: string
  /** As asserted, before decay. */
  readonly confidence: number
  /** As shown. */
  readonly timestamp: string
}

/** Identifies a statement by its content; derived facts refer to it by this hash. */
export const statementHash = ({ entity, relation, value, scope, source, confidence, timestamp }: HashedStatement): string =>
  sha256(canonicalJson({ entity, relation, value: { type: value.type, v: value.v }, scope, source, confidence, ts: timestamp }))

/** The same without the time: equal for repeated assertions. */
export const contentId = ({ entity, relation, value, scope, source, confidence }: Omit<HashedStatement, 'timestamp'>): string =>
  `sha256:${sha256(canonicalJson({ confidence, entity, relation, scope, source, value_type: value.type, value_v: value.v }))}`

export const HASH = /^[0-9a-f]{64}$/u

/** RFC 3339 with milliseconds, in UTC: the form that is shown and hashed. */
export const toTimestamp = (now: number): string => new Date(Math.floor(now / 1000)).toISOString()

/** A UUID derived from a text, so that two nodes create the same one. */
export function uuidOf(text: string): string {
  const hex = sha256(text)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function hashedOf(fact: Fact): HashedStatement {
  return {
    ...statementOf(fact),
    scope: fact.scope,
    source: fact.source,
    confidence: fact.assertedConfidence ?? fact.confidence,
    timestamp: toTimestamp(fact.eventAt),
  }
}

/** Confidence times trust; an unknown source counts in full. */
export const effectiveConfidence = ({ confidence, trust }: Pick<Fact, 'confidence' | 'trust'>): number => confidence * (trust ?? 1)
