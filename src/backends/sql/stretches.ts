import { setImmediate } from 'node:timers/promises'
import type { StatementQuery } from '../../ports/statements.js'
import type { Place } from '../../ports/store.js'
import { also, type Condition } from './life-conditions.js'
import { type Connection, first, number } from './plan.js'
import { IS_SYSTEM } from './system-forms.js'

/** A place in a list that begins with the newest. */
export type PlaceInList = Place

/** What stands behind one place and no further than another. */
export interface Stretch {
  readonly before: PlaceInList | undefined
  readonly through: PlaceInList | undefined
}

/** Rows that one statement looks at. Most lists end within the first of them; long ones are read in longer ones. */
const FEWEST = 64
const FIRST = 512
const MOST = 4096
/** How long one may take: others wait meanwhile. */
const LONG_MS = 25
const SHORT_MS = 8

/** What an index begins with, so that a stretch is found without looking at anything else. */
function indexed({ owner, entity, relation, system }: StatementQuery): Condition {
  const parts: Condition[] = [{ text: 'owner = ?', values: [owner] }]
  if (system === true) parts.push({ text: IS_SYSTEM, values: [] })
  if (entity !== undefined) parts.push({ text: 'subject = ?', values: [entity] })
  if (relation !== undefined && (entity !== undefined || system === true)) parts.push({ text: 'predicate = ?', values: [relation] })
  return also(...parts)
}

/**
 * All that a list may hold, newest first, in stretches of so many rows that none takes long, however few of them are told.
 * A list of ids is one stretch.
 */
export async function* stretches(connection: Connection, query: StatementQuery, from: PlaceInList | undefined): AsyncGenerator<Stretch> {
  if (query.ids !== undefined) return yield { before: from, through: undefined }
  const base = indexed(query)
  let size = FIRST
  for (let before = from; ; ) {
    const behind = stretchCondition({ before, through: undefined }, '')
    const since = performance.now()
    const row = await connection.read(() =>
      first(
        `SELECT recorded_at, rid FROM facts WHERE ${base.text}${behind.text} ORDER BY recorded_at DESC, rid DESC LIMIT 1 OFFSET ?`,
        ...base.values,
        ...behind.values,
        size - 1,
      ),
    )
    const through = row === undefined ? undefined : { at: number(row, 'recorded_at'), key: number(row, 'rid') }
    yield { before, through }
    if (through === undefined) return
    before = through
    const took = performance.now() - since
    size = took > LONG_MS ? Math.max(FEWEST, size >> 2) : took < SHORT_MS ? Math.min(MOST, size * 2) : size
    await setImmediate()
  }
}

export function stretchCondition({ before, through }: Stretch, of = 'f.'): Condition {
  const place = `(${of}recorded_at, ${of}rid)`
  return {
    text: `${before === undefined ? '' : ` AND ${place} < (?, ?)`}${through === undefined ? '' : ` AND ${place} >= (?, ?)`}`,
    values: [before, through].flatMap((one) => (one === undefined ? [] : [one.at, one.key])),
  }
}
