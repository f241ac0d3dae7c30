type Value = Record<string, unknown>

const isObject = (value: unknown): value is Value => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members are equal, or satisfy operators such as `{ $gte: 3 }`. */
export const matchesFilter = (value: Value, filter: Value): boolean =>
  Object.entries(filter).every(([name, wanted]) => {
    const operators = isObject(wanted) ? Object.entries(wanted).filter(([operator]) => operator.startsWith('$')) : []
    if (operators.length === 0) return equals(value[name], wanted)
    return operators.every(([operator, operand]) => satisfies(value[name], operator, operand))
  })

const equals = (value: unknown, wanted: unknown): boolean => value === wanted || JSON.stringify(value) === JSON.stringify(wanted)

function satisfies(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$eq':
      return equals(value, operand)
    case '$ne':
      return !equals(value, operand)
    case '$gt':
      return Number(value) > Number(operand)
    case '$gte':
      return Number(value) >= Number(operand)
    case '$lt':
      return Number(value) < Number(operand)
    case '$lte':
      return Number(value) <= Number(operand)
    case '$in':
      return listOf(operator, operand).some((one) => equals(value, one))
    case '$nin':
      return !listOf(operator, operand).some((one) => equals(value, one))
    default:
      throw new Error(`Unsupported operator in filter: ${operator}. Use $eq, $ne, $gt, $gte, $lt, $lte, $in or $nin.`)
  }
}

function listOf(operator: string, operand: unknown): readonly unknown[] {
  if (Array.isArray(operand)) return operand
  throw new Error(`The operand of ${operator} in a filter must be a list, got ${JSON.stringify(operand)}.`)
}
