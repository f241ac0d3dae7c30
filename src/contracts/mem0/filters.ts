import type { Fact } from '../../core/facts/fact.js'
import { formatInstant } from '../../core/input/input.js'
import { MemoryError } from '../../errors.js'
import { isRecord } from '../wire-schema.js'
import { idsOf, ownerIn, userMetadata } from './shapes.js'

type Row = Readonly<Record<string, unknown>>

export interface Filter {
  /** The only owner whose memories can match; undefined for several. */
  readonly owner: string | undefined
  /** True if the owner is the only condition. */
  readonly byOwnerAlone: boolean
  matches(fact: Fact): boolean
}

const MOST_CONDITIONS = 100
const COMBINERS = ['AND', 'OR', 'NOT'] as const

const refuse = (message: string): MemoryError =>
  new MemoryError('invalid_input', message, {
    hint: 'Filters are { user_id, agent_id, app_id, run_id, ... }, operators in, eq, ne, gt, gte, lt, lte, contains, icontains, combined with AND, OR, NOT.',
  })

/** Parses filters in mem0's syntax, with the ids next to them. */
export function readFilter(filters: unknown, ids: Row = {}): Filter {
  if (filters !== undefined && filters !== null && !isRecord(filters)) throw refuse('filters must be an object.')
  const named = Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined && value !== null))
  const all = { ...(filters ?? {}), ...named }
  const budget = { left: MOST_CONDITIONS }
  const test = toTest(all, budget)
  const conditions = plainConditions(all)
  const owner = ownerIn(conditions)
  const names = Object.keys(all)
  return { owner, byOwnerAlone: names.length === 0 || (names.length === 1 && names[0] === 'user_id' && owner !== undefined), matches: test }
}

type Test = (fact: Fact) => boolean

/** Conditions that always apply: members of the object and of its AND. */
function plainConditions(filters: Row): Row {
  const inner = Array.isArray(filters.AND) ? filters.AND.filter(isRecord).map(plainConditions) : []
  return Object.assign({}, ...inner, Object.fromEntries(Object.entries(filters).filter(([, value]) => typeof value === 'string')))
}

function toTest(filters: Row, budget: { left: number }): Test {
  const tests = Object.entries(filters).map(([name, wanted]): Test => {
    budget.left--
    if (budget.left < 0) throw refuse(`At most ${MOST_CONDITIONS} conditions.`)
    const combiner = COMBINERS.find((known) => known === name)
    if (combiner === undefined) return condition(name, wanted)
    const parts = (Array.isArray(wanted) ? wanted : [wanted]).map((part: unknown) => {
      if (!isRecord(part)) throw refuse(`${name} takes a list of filters.`)
      return toTest(part, budget)
    })
    if (combiner === 'AND') return (fact) => parts.every((part) => part(fact))
    if (combiner === 'OR') return (fact) => parts.some((part) => part(fact))
    return (fact) => !parts.some((part) => part(fact))
  })
  return (fact) => tests.every((test) => test(fact))
}

function fieldOf(fact: Fact, name: string): unknown {
  if (name === 'created_at') return formatInstant(fact.recordedAt)
  if (name === 'updated_at') return formatInstant(fact.updatedAt)
  if (name === 'memory') return fact.text
  const ids: Row = idsOf(fact)
  return Object.hasOwn(ids, name) ? ids[name] : userMetadata(fact)[name]
}

function condition(name: string, wanted: unknown): Test {
  if (name === 'metadata') {
    if (!isRecord(wanted)) throw refuse('metadata takes an object.')
    const parts = Object.entries(wanted).map(([key, value]) => condition(key, value))
    return (fact) => parts.every((part) => part(fact))
  }
  if (!isRecord(wanted)) return (fact) => (wanted === '*' ? fieldOf(fact, name) !== undefined : same(fieldOf(fact, name), wanted))
  const parts = Object.entries(wanted).map(([operator, operand]): Test => {
    const compare = OPERATORS.get(operator)
    if (compare === undefined) throw refuse(`There is no operator "${operator}".`)
    return (fact) => compare(fieldOf(fact, name), operand)
  })
  return (fact) => parts.every((part) => part(fact))
}

const same = (value: unknown, wanted: unknown): boolean =>
  value === wanted ||
  (Array.isArray(value) && value.includes(wanted)) ||
  (value !== undefined && JSON.stringify(value) === JSON.stringify(wanted))

/** Compares numbers by value, everything else as text. */
function order(value: unknown, wanted: unknown): number {
  if (value === undefined || value === null) return Number.NaN
  if (typeof value === 'number' && typeof wanted === 'number') return value - wanted
  return String(value) < String(wanted) ? -1 : Number(String(value) > String(wanted))
}

const holds = (value: unknown, wanted: unknown): boolean =>
  Array.isArray(value) ? value.includes(wanted) : typeof value === 'string' && value.includes(String(wanted))

const OPERATORS: ReadonlyMap<string, (value: unknown, wanted: unknown) => boolean> = new Map([
  ['eq', same],
  ['ne', (value, wanted) => !same(value, wanted)],
  ['in', (value, wanted) => Array.isArray(wanted) && wanted.some((option) => same(value, option))],
  ['gt', (value, wanted) => order(value, wanted) > 0],
  ['gte', (value, wanted) => order(value, wanted) >= 0],
  ['lt', (value, wanted) => order(value, wanted) < 0],
  ['lte', (value, wanted) => order(value, wanted) <= 0],
  ['contains', holds],
  ['icontains', (value, wanted) => typeof value === 'string' && value.toLowerCase().includes(String(wanted).toLowerCase())],
])
