import type { PlacedFact } from '../../ports/graph-index.js'
import type { FeedQuery } from '../../ports/store.js'
import { first, inList, number, type Plan, run } from './plan/plan.js'
import { FACT_COLUMNS, toFact } from './plan/rows.js'

/** Rows are numbered in commit order, so no row is ever inserted before a number already read. */
export function* feed({
  owner,
  scopes,
  after,
  limit,
  except,
}: FeedQuery): Plan<{ readonly items: readonly PlacedFact[]; readonly last: number }> {
  const top = yield* first(`SELECT coalesce(max(rid), 0) AS n FROM facts WHERE owner = ?`, owner)
  const end = Math.max(after, top === undefined ? 0 : number(top, 'n'))
  if (scopes.length === 0 || end === after) return { items: [], last: end }
  const list = inList(scopes)
  const rows = yield* run(
    `SELECT rid, ${FACT_COLUMNS} FROM facts WHERE owner = ? AND rid > ? AND rid <= ? AND asserted_confidence IS NOT NULL AND value_type IS NOT NULL AND subject IS NOT NULL
       AND predicate IS NOT NULL AND form IS NULL AND garden IS NULL AND scope IN (${list.marks}) AND substr(predicate, 1, 8) <> 'stigmem:'
       AND (received_from IS NULL OR (received_from <> ? AND scope = 'public')) ORDER BY rid LIMIT ?`,
    owner,
    after,
    end,
    ...list.values,
    except,
    limit,
  )
  const items = rows.map((row) => ({ rid: number(row, 'rid'), fact: toFact(row) }))
  const last = items.length < limit ? undefined : items[items.length - 1]
  return { items, last: last?.rid ?? end }
}
