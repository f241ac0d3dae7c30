import { ANYONE, type OwnerReach, type Reach } from '../../core/visibility.js'
import type { Condition } from './life-conditions.js'
import type { Value } from './plan.js'

const marks = (values: readonly Value[]): string => values.map(() => '?').join(', ') || 'NULL'

/** What a reach covers, as a condition on rows of facts. It is what `reaches` says of one fact. */
export function reachCondition(reach: Reach): Condition {
  if (reach === 'everything') return { text: '1 = 1', values: [] }
  const named = reach.owners.filter(({ owner }) => owner !== ANYONE).map(({ owner }) => owner)
  const parts = reach.owners.map((of) => ownerCondition(of, named))
  if (parts.length === 0) return { text: '1 = 0', values: [] }
  return { text: `(${parts.map(({ text }) => text).join(' OR ')})`, values: parts.flatMap(({ values }) => values) }
}

function ownerCondition({ owner, scopes, gardens, federated }: OwnerReach, named: readonly string[]): Condition {
  const whose: Condition =
    owner === ANYONE
      ? { text: `owner NOT IN (${marks(named.length === 0 ? [''] : named)})`, values: named.length === 0 ? [''] : named }
      : { text: 'owner = ?', values: [owner] }
  const parts: readonly Condition[] = [
    whose,
    ...(scopes === 'all' ? [] : [{ text: `scope IN (${marks(scopes)})`, values: scopes }]),
    ...(gardens === 'all' ? [] : [{ text: `(garden IS NULL OR garden IN (${marks(gardens)}))`, values: gardens }]),
    ...(federated ? [] : [{ text: 'received_from IS NULL', values: [] }]),
  ]
  return { text: `(${parts.map(({ text }) => text).join(' AND ')})`, values: parts.flatMap(({ values }) => values) }
}
