import type { Query, Value } from '../sql/plan/plan.js'

/** A statement in PostgreSQL's form. */
interface RenderedStatement {
  readonly text: string
  /** One per placeholder; a list of values is one. */
  readonly values: readonly (Value | readonly Value[])[]
  /** Changes rows and returns no result: it can be sent together with the next statement. */
  readonly isSilent: boolean
}

/** The positions of the placeholders of an `IN (?, ?, ...)`. */
interface List {
  readonly from: number
  readonly length: number
}

type ListType = 'text' | 'bigint' | undefined

interface ParsedStatement {
  readonly isSilent: boolean
  readonly lists: readonly List[]
  /** Rendered texts, by the types of the lists. */
  readonly rendered: Map<string, string>
}

const MAX_KEPT = 1000
const kept = new Map<string, ParsedStatement>()

/**
 * Numbers the placeholders and removes planner hints for SQLite. A list of values becomes one array: with many values the planner tends to
 * scan the table and compare each row with each value. Cached, because texts repeat.
 */
export function statementOf({ text, values, each, counted }: Query): RenderedStatement {
  const known = kept.get(text)
  const parsed = known ?? parse(text)
  if (known === undefined) {
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(text, parsed)
  }
  const types = parsed.lists.map(({ from, length }) => typeOf(values.slice(from, from + length)))
  const key = types.join()
  const rendered = parsed.rendered.get(key) ?? render(text, types)
  parsed.rendered.set(key, rendered)
  return {
    text: rendered,
    values: collectParameters(values, parsed.lists, types),
    isSilent: parsed.isSilent && each === undefined && counted !== true,
  }
}

function typeOf(values: readonly Value[]): ListType {
  if (values.every((value) => typeof value === 'string')) return 'text'
  return values.every((value) => Number.isSafeInteger(value)) ? 'bigint' : undefined
}

/** Combines each list into one value without its padding. */
function collectParameters(values: readonly Value[], lists: readonly List[], types: readonly ListType[]): RenderedStatement['values'] {
  if (types.every((type) => type === undefined)) return values
  const gathered: (Value | readonly Value[])[] = []
  let place = 0
  for (const [i, { from, length }] of lists.entries()) {
    if (types[i] === undefined) continue
    gathered.push(...values.slice(place, from), [...new Set(values.slice(from, from + length))])
    place = from + length
  }
  return [...gathered, ...values.slice(place)]
}

/**
 * Matches placeholders outside of quoted literals. Lists of owners stay lists: partitions are chosen by the values, which an array hides.
 */
const PARTS = /'[^']*'|(?<!\b(?:owner|NOT) )\bIN \(\?(?:, \?)+\)|\?|(?<=[\s(,])\+(?=[a-z_])/g

const isList = (part: string): boolean => part.startsWith('IN (')

const marksIn = (list: string): number => list.split('?').length - 1

function parse(text: string): ParsedStatement {
  const lists: List[] = []
  let place = 0
  for (const [part] of text.matchAll(PARTS)) {
    if (isList(part)) lists.push({ from: place, length: marksIn(part) })
    place += part === '?' ? 1 : isList(part) ? marksIn(part) : 0
  }
  return {
    isSilent: /^\s*(?:INSERT|UPDATE|DELETE)\b/i.test(text) && !/\bRETURNING\b/i.test(text),
    lists,
    rendered: new Map(),
  }
}

function render(text: string, types: readonly ListType[]): string {
  let place = 0
  let list = 0
  return text.replace(PARTS, (part) => {
    if (part === '+') return ''
    if (part === '?') return `$${++place}`
    if (!isList(part)) return part
    const type = types[list++]
    return type === undefined ? part.replaceAll('?', () => `$${++place}`) : `= ANY ($${++place}::${type}[])`
  })
}
