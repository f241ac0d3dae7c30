import type { Instant } from '../../core/fact.js'
import type { Ahead } from '../../ports/backend.js'
import { affected, json, number, type Plan, run, text } from './plan.js'
import { CURRENT } from './rows.js'
import { HEAD_COLUMNS, headSeal } from './seals.js'

const PAGE = 500

const DATED: Readonly<Record<keyof Ahead, { readonly from: string; readonly instants: number }>> = {
  // What its author lets begin in the future, and has ended since, ends where it begins: no clock was wrong.
  facts: {
    from: `facts WHERE recorded_at > ? OR updated_at > ? OR (status NOT IN ${CURRENT} AND valid_until > ? AND valid_until > valid_from)`,
    instants: 3,
  },
  entities: { from: `entities WHERE created_at > ? OR updated_at > ?`, instants: 2 },
  edges: { from: `entity_edges WHERE derived = 0 AND created_at > ?`, instants: 1 },
}

/** Ids of what a wrong clock has dated later than an instant. */
export function* datedAhead(than: Instant, limit: number): Plan<Ahead> {
  const ids = function* (of: keyof Ahead): Plan<readonly string[]> {
    const { from, instants } = DATED[of]
    return (yield* run(`SELECT id FROM ${from} LIMIT ?`, ...new Array<number>(instants).fill(than), limit)).map((row) => text(row, 'id'))
  }
  return { facts: yield* ids('facts'), entities: yield* ids('entities'), edges: yield* ids('edges') }
}

/** How many entries of the journal lie after an instant. */
export function* entriesAhead(than: Instant): Plan<number> {
  const [row] = yield* run(`SELECT count(*) AS n FROM journal WHERE at > ?`, than)
  return row === undefined ? 0 : number(row, 'n')
}

/**
 * One page of entries that lie after `now`, latest first. An entry is as old as the fact it left, if that is known,
 * and no later than the entry after it. Answers where the next page begins, or undefined at the end.
 */
export function* redatePage(now: Instant, from: { readonly seq: number; readonly known: Instant }): Plan<typeof from | undefined> {
  const rows = yield* run(`SELECT seq, after, ${HEAD_COLUMNS} FROM journal WHERE seq < ? ORDER BY seq DESC LIMIT ?`, from.seq, PAGE)
  let { seq, known } = from
  for (const row of rows) {
    seq = number(row, 'seq')
    const at = number(row, 'at')
    if (at <= now) {
      known = at
      continue
    }
    const after = json(row, 'after')
    const said = after !== null && typeof after === 'object' && 'updatedAt' in after ? after.updatedAt : undefined
    known = typeof said === 'number' && said <= now ? said : Math.min(known, now)
    yield* run(`UPDATE journal SET at = ?, head_seal = ? WHERE seq = ?`, known, headSeal({ ...row, at: known }), seq)
  }
  return rows.length < PAGE ? undefined : { seq, known }
}

/** Links and projects carry no history: they are dated now. */
export function* redateDerived(now: Instant): Plan<number> {
  let dated = yield* affected(`UPDATE entity_edges SET created_at = ? WHERE derived <> 0 AND created_at > ?`, now, now)
  for (const column of ['created_at', 'updated_at'] as const)
    dated += yield* affected(`UPDATE sources SET ${column} = ? WHERE ${column} > ?`, now, now)
  return dated
}
