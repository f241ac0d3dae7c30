import { setImmediate } from 'node:timers/promises'
import type { Instant } from '../../../core/facts/fact.js'
import type { StatementQuery } from '../../../ports/statements.js'
import type { PageCursor } from '../../../ports/store.js'
import { type Connection, first, number } from '../plan/plan.js'
import { IS_SYSTEM } from '../plan/system-forms.js'
import { also, type Condition } from '../plan/validity-sql.js'

/** A position in a list that starts with the newest. */
export type PlaceInList = PageCursor

/** Rows of the first batch. Most lists end within it; later batches are larger. */
const MIN_BATCH_SIZE = 64
const INITIAL_BATCH_SIZE = 512
const MAX_BATCH_SIZE = 4096
/** Maximum duration of a batch, so that the event loop is not blocked. */
const LONG_MS = 25
const SHORT_MS = 8

/** The index columns of a query, so that a batch reads no other rows. */
function indexed({ owner, entity, relation, system }: StatementQuery, kind: 'f.' | 'g.'): Condition {
  const parts: Condition[] = [{ text: `${kind}owner = ?`, values: [owner] }]
  if (system === true) parts.push({ text: IS_SYSTEM, values: [] })
  if (entity !== undefined) parts.push({ text: `${kind}subject = ?`, values: [entity] })
  if (relation !== undefined && (entity !== undefined || system === true)) parts.push({ text: `${kind}predicate = ?`, values: [relation] })
  return also(...parts)
}

const when = (comparison: string, value: number | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ text: `f.${comparison} ?`, values: [value] }]

/** Either part of one instant, or whole instants; a combined condition would make the index start at the first row of the instant. */
interface RangeRead {
  /** The instant of which a part is read. */
  readonly at?: Instant
  /** Lower row numbers within it. */
  readonly key?: number
  /** Otherwise, rows older than this. */
  readonly below?: Instant
}

const readingFrom = ({ at: now, key, below }: RangeRead): readonly Condition[] =>
  now === undefined ? when('recorded_at <', below) : [...when('recorded_at =', now), ...when('rid <', key)]

/**
 * The rows of a list, newest first, in batches of bounded duration, however few match and however many share an instant. A list of ids is
 * one batch. Conditions use the alias `f`.
 */
export async function* stretches(connection: Connection, query: StatementQuery, from: PlaceInList | undefined): AsyncGenerator<Condition> {
  if (query.ids !== undefined) {
    yield from === undefined ? ALWAYS_TRUE : { text: '(f.recorded_at, f.rid) < (?, ?)', values: [from.at, from.key] }
    return
  }
  const base = indexed(query, 'f.')
  let size = INITIAL_BATCH_SIZE
  let reading: RangeRead | undefined = from === undefined ? {} : await startBehind(connection, base, from)
  while (reading !== undefined) {
    const since = performance.now()
    const last = await lastOf(connection, query, reading, size)
    const { stretch, next }: Step = stepTo(reading, last)
    yield also(ALWAYS_TRUE, ...stretch)
    reading = next
    const took = performance.now() - since
    size = took > LONG_MS ? Math.max(MIN_BATCH_SIZE, size >> 2) : took < SHORT_MS ? Math.min(MAX_BATCH_SIZE, size * 2) : size
    await setImmediate()
  }
}

const ALWAYS_TRUE: Condition = { text: 'true', values: [] }

/** The remainder of a position's instant, if any. */
async function startBehind(connection: Connection, base: Condition, { at: now, key }: PlaceInList): Promise<RangeRead> {
  const rest = also(base, ...readingFrom({ at: now, key: Number(key) }))
  const row = await connection.read(() => first(`SELECT f.rid FROM facts f WHERE ${rest.text} LIMIT 1`, ...rest.values))
  return row === undefined ? { below: now } : { at: now, key: Number(key) }
}

interface LastRow {
  readonly at: Instant
  readonly key: number
  /** True if the instant continues after it. */
  readonly goesOn: boolean
}

/** The row at which the batch size is reached. */
async function lastOf(connection: Connection, query: StatementQuery, reading: RangeRead, size: number): Promise<LastRow | undefined> {
  const wanted = also(indexed(query, 'f.'), ...readingFrom(reading))
  const other = indexed(query, 'g.')
  const row = await connection.read(() =>
    first(
      `SELECT f.recorded_at, f.rid,
         CASE WHEN EXISTS (SELECT 1 FROM facts g WHERE ${other.text} AND g.recorded_at = f.recorded_at AND g.rid < f.rid) THEN 1 ELSE 0 END AS more
       FROM facts f WHERE ${wanted.text} ORDER BY f.recorded_at DESC, f.rid DESC LIMIT 1 OFFSET ?`,
      ...other.values,
      ...wanted.values,
      size - 1,
    ),
  )
  return row === undefined ? undefined : { at: number(row, 'recorded_at'), key: number(row, 'rid'), goesOn: number(row, 'more') === 1 }
}

interface Step {
  readonly stretch: readonly Condition[]
  readonly next: RangeRead | undefined
}

function stepTo(reading: RangeRead, last: LastRow | undefined): Step {
  const { at: now } = reading
  const here = readingFrom(reading)
  if (now !== undefined)
    return last?.goesOn === true
      ? { stretch: [...here, ...when('rid >=', last.key)], next: { at: now, key: last.key } }
      : { stretch: here, next: { below: now } }
  if (last === undefined) return { stretch: here, next: undefined }
  return last.goesOn
    ? { stretch: [...here, ...when('recorded_at >', last.at)], next: { at: last.at } }
    : { stretch: [...here, ...when('recorded_at >=', last.at)], next: { below: last.at } }
}
