import type { Rule } from '../../../core/facts/validity.js'
import type { Value } from './plan.js'

export interface Condition {
  readonly text: string
  readonly values: readonly Value[]
}

const COLUMNS = { validFrom: 'valid_from', validUntil: 'valid_until', expiresAt: 'expires_at' } as const

const joined = (parts: readonly Condition[], word: 'AND' | 'OR'): Condition => ({
  text: `(${parts.map((part) => part.text).join(` ${word} `)})`,
  values: parts.flatMap((part) => part.values),
})

/** A validity rule as SQL; statuses are literals. `of` is the table alias, if there are several tables. */
export function toCondition(rule: Rule, name = ''): Condition {
  if ('all' in rule)
    return joined(
      rule.all.map((rule) => toCondition(rule, name)),
      'AND',
    )
  if ('any' in rule)
    return joined(
      rule.any.map((rule) => toCondition(rule, name)),
      'OR',
    )
  if ('unset' in rule) return { text: `${name}${COLUMNS[rule.unset]} IS NULL`, values: [] }
  if ('began' in rule) return { text: `${name}valid_from = ${name}recorded_at`, values: [] }
  if ('ends' in rule) return { text: `${name}valid_until ${rule.ends === 'before it begins' ? '<' : '>'} ${name}valid_from`, values: [] }
  if ('status' in rule) {
    const words = rule.statuses.map((status) => `'${status}'`).join(', ')
    return { text: `${name}status ${rule.status === 'one of' ? 'IN' : 'NOT IN'} (${words})`, values: [] }
  }
  return { text: `${name}${COLUMNS[rule.field]} ${rule.is === 'by' ? '<=' : '>'} ?`, values: [rule.at] }
}

export const also = (...parts: readonly Condition[]): Condition => joined(parts, 'AND')
