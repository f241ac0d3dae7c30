import { ANYONE, type OwnerReach, type Reach } from '../../core/visibility.js'
import type { Condition } from './life-conditions.js'

const ALL: Condition = { text: '1 = 1', values: [] }
const NONE: Condition = { text: '1 = 0', values: [] }

/** Never unknown, as `IN (NULL)` would be: these conditions are negated, too. */
const among = (column: string, values: readonly string[]): Condition =>
  values.length === 0 ? NONE : { text: `${column} IN (${values.map(() => '?').join(', ')})`, values }

/** What a reach covers, as a condition on rows of facts. It is what `reaches` says of one fact. */
export function reachCondition(reach: Reach): Condition {
  if (reach === 'everything') return ALL
  const named = reach.owners.filter(({ owner }) => owner !== ANYONE).map(({ owner }) => owner)
  return joined(
    reach.owners.map((of) => ownerCondition(of, named)),
    'OR',
    NONE,
  )
}

function ownerCondition({ owner, scopes, gardens, federated }: OwnerReach, named: readonly string[]): Condition {
  const others = among('owner', named)
  const parts: readonly Condition[] = [
    owner === ANYONE ? { text: `NOT (${others.text})`, values: others.values } : { text: 'owner = ?', values: [owner] },
    ...(scopes === 'all' ? [] : [among('scope', scopes)]),
    ...(gardens === 'all' ? [] : [inGardens(gardens)]),
    ...(federated ? [] : [{ text: 'received_from IS NULL', values: [] }]),
  ]
  return joined(parts, 'AND', ALL)
}

function inGardens(gardens: readonly string[]): Condition {
  const open: Condition = { text: 'garden IS NULL', values: [] }
  // A comparison with no garden is unknown, so that comes first.
  if (gardens.length === 0) return open
  const { text, values } = among('garden', gardens)
  return { text: `(garden IS NULL OR (garden IS NOT NULL AND ${text}))`, values }
}

function joined(parts: readonly Condition[], by: 'AND' | 'OR', none: Condition): Condition {
  if (parts.length === 0) return none
  return { text: `(${parts.map(({ text }) => text).join(` ${by} `)})`, values: parts.flatMap(({ values }) => values) }
}
