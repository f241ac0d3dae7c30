import { type AccessFilter, ANY_OWNER, type OwnerAccess } from '../../../core/access/access-filter.js'
import type { Condition } from './validity-sql.js'

const MATCH_ALL: Condition = { text: '1 = 1', values: [] }
const MATCH_NONE: Condition = { text: '1 = 0', values: [] }

/** Never NULL, as `IN (NULL)` would be, because these conditions are also negated. */
const among = (column: string, values: readonly string[]): Condition =>
  values.length === 0 ? MATCH_NONE : { text: `${column} IN (${values.map(() => '?').join(', ')})`, values }

/** An access filter as a condition on rows of facts. Equivalent to `canReadFact` for one fact. */
export function reachCondition(reach: AccessFilter): Condition {
  if (reach === 'everything') return MATCH_ALL
  const named = reach.owners.filter(({ owner }) => owner !== ANY_OWNER).map(({ owner }) => owner)
  return joined(
    reach.owners.map((access) => ownerCondition(access, named)),
    'OR',
    MATCH_NONE,
  )
}

function ownerCondition({ owner, scopes, gardens, federated }: OwnerAccess, named: readonly string[]): Condition {
  const others = among('owner', named)
  const parts: readonly Condition[] = [
    owner === ANY_OWNER ? { text: `NOT (${others.text})`, values: others.values } : { text: 'owner = ?', values: [owner] },
    ...(scopes === 'all' ? [] : [among('scope', scopes)]),
    ...(gardens === 'all' ? [] : [inGardens(gardens)]),
    ...(federated ? [] : [{ text: 'received_from IS NULL', values: [] }]),
  ]
  return joined(parts, 'AND', MATCH_ALL)
}

function inGardens(gardens: readonly string[]): Condition {
  const open: Condition = { text: 'garden IS NULL', values: [] }
  // A comparison with a NULL garden is NULL, so that case comes first.
  if (gardens.length === 0) return open
  const { text, values } = among('garden', gardens)
  return { text: `(garden IS NULL OR (garden IS NOT NULL AND ${text}))`, values }
}

function joined(parts: readonly Condition[], granularity: 'AND' | 'OR', none: Condition): Condition {
  if (parts.length === 0) return none
  return { text: `(${parts.map(({ text }) => text).join(` ${granularity} `)})`, values: parts.flatMap(({ values }) => values) }
}
