import type { Value } from './plan.js'
import type { Condition } from './validity-sql.js'

/** The clause `WHERE a AND b`, or nothing where there is no condition. */
export const where = (conditions: readonly (Condition | false | undefined)[]): Condition => {
  const parts = conditions.filter((condition): condition is Condition => condition !== false && condition !== undefined)
  return {
    text: parts.length === 0 ? '' : ` WHERE ${parts.map((part) => part.text).join(' AND ')}`,
    values: parts.flatMap((part) => part.values),
  }
}

export const equals = (column: string, value: Value | undefined): Condition | undefined =>
  value === undefined ? undefined : { text: `${column} = ?`, values: [value] }

export const among = (column: string, values: readonly Value[] | undefined): Condition | undefined =>
  values === undefined ? undefined : { text: `${column} IN (${values.map(() => '?').join(', ') || 'NULL'})`, values }
