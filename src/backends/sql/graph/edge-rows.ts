import { FACT_STATUSES, type Instant } from '../../../core/facts/fact.js'
import { satisfiesRule, VALIDITY_RULES, type ValidityFields } from '../../../core/facts/validity.js'
import { EDGE_ORIGINS } from '../../../core/graph/linking.js'
import { entityUri, factUri } from '../../../core/statements/uri.js'
import type { StatedEdge, StatedEdgeQuery } from '../../../ports/statements.js'
import { reachCondition } from '../plan/access-filter-sql.js'
import { first, jsonObject, number, numberOrNull, type Plan, type Row, text, textOrNull } from '../plan/plan.js'
import { statusOf } from '../plan/rows.js'
import { also, type Condition } from '../plan/validity-sql.js'

/** An endpoint as a URI. */
export const uriOf = (row: Row, end: 'subject' | 'object'): string => {
  const key = text(row, end)
  if (number(row, 'derived') === EDGE_ORIGINS.fromStatement) return key
  return text(row, `${end}_kind`) === 'fact' ? factUri(key) : entityUri(key)
}

/** A condition that the fact of an edge is readable; explicit edges have no fact. */
export function readable({ reach }: Pick<StatedEdgeQuery, 'reach'>, and: Condition = { text: '1 = 1', values: [] }): Condition {
  const within = reach === undefined ? and : also(reachCondition(reach), and)
  return {
    text: `(e.fact_id IS NULL OR EXISTS (SELECT 1 FROM facts WHERE facts.id = e.fact_id AND ${within.text}))`,
    values: within.values,
  }
}

export const ENDS = `e.id, e.subject, e.subject_kind, e.object, e.object_kind, e.relation, e.confidence, e.source_trust, e.derived, e.created_at, e.fact_id, e.valid_until AS edge_until`
export const FACT_VALIDITY_COLUMNS = `f.status, f.valid_from, f.valid_until, f.expires_at, f.recorded_at, f.updated_at, f.confidence AS fact_confidence`

/** Validity fields of an edge's fact, and its confidence. */
interface EdgeLifetime extends ValidityFields {
  readonly confidence: number
}

const standingNow = (row: Row): EdgeLifetime => ({
  status: statusOf(row),
  validFrom: number(row, 'valid_from'),
  validUntil: numberOrNull(row, 'valid_until'),
  expiresAt: numberOrNull(row, 'expires_at'),
  recordedAt: number(row, 'recorded_at'),
  confidence: number(row, 'fact_confidence'),
})

/** The journal contains the state of a fact before its first change after an instant. */
function* standingBefore(row: Row, asOf: Instant): Plan<EdgeLifetime> {
  const entry = yield* first(
    `SELECT before FROM journal WHERE target = ? AND at > ? AND op = 'fact.put' ORDER BY seq LIMIT 1`,
    text(row, 'fact_id'),
    asOf,
  )
  const now = standingNow(row)
  if (entry === undefined || entry.before === null) return now
  const before = jsonObject(entry, 'before')
  const instant = (name: string): Instant | null => (typeof before[name] === 'number' ? before[name] : null)
  return {
    status: FACT_STATUSES.find((status) => status === before.status) ?? now.status,
    validFrom: instant('validFrom') ?? now.validFrom ?? 0,
    validUntil: instant('validUntil'),
    expiresAt: instant('expiresAt'),
    recordedAt: now.recordedAt ?? 0,
    confidence: instant('confidence') ?? now.confidence,
  }
}

/** The confidence of an edge as of an instant; undefined if it was not valid. */
export function* standing(row: Row, { at: now, asOf }: Pick<StatedEdgeQuery, 'at' | 'asOf'>): Plan<number | undefined> {
  if (asOf !== undefined && number(row, 'created_at') > asOf) return undefined
  if (row.fact_id === null) {
    const until = numberOrNull(row, 'edge_until')
    return until === null || (asOf !== undefined && until > asOf) ? number(row, 'confidence') : undefined
  }
  const changed = asOf !== undefined && number(row, 'updated_at') > asOf
  const was = changed ? yield* standingBefore(row, asOf) : standingNow(row)
  return satisfiesRule(VALIDITY_RULES.valid({ at: now, present: true }), was) ? was.confidence : undefined
}

export const toStated = (row: Row, confidence: number): StatedEdge => {
  const ends = (['subject', 'object'] as const).filter((end) => number(row, 'derived') === 0 && text(row, `${end}_kind`) === 'fact')
  const own = textOrNull(row, 'fact_id')
  return {
    id: text(row, 'id'),
    from: uriOf(row, 'subject'),
    to: uriOf(row, 'object'),
    relation: text(row, 'relation'),
    confidence,
    trust: numberOrNull(row, 'source_trust'),
    facts: [...(own === null ? [] : [own]), ...ends.map((end) => text(row, end))],
  }
}
