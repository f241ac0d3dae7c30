import type { Instant } from '../../core/facts/fact.js'
import { CONTRADICTIONS, type Rule } from '../../core/facts/validity.js'
import type { FutureDated } from '../../ports/backend.js'
import { countAffected, json, number, type Plan, run, text } from './plan/plan.js'
import { HEAD_COLUMNS, headSeal } from './plan/row-checksums.js'
import { type Condition, toCondition } from './plan/validity-sql.js'

const PAGE_SIZE = 500

/** A fact whose author set a future beginning, and which ended since, ends where it begins: that is not a clock error. */
const ahead = (column: string, than: Instant): Condition => ({ text: `${column} > ?`, values: [than] })
const lateFacts = (than: Instant): readonly Condition[] => [
  ahead('recorded_at', than),
  ahead('updated_at', than),
  ...CONTRADICTIONS.filter(({ rule }) => isDated(rule(than))).map(({ rule }) => toCondition(rule(than))),
]
/** True if a wrong clock can cause the inconsistency; the others are wrong at any time. */
const isDated = (rule: Rule): boolean => toCondition(rule).values.length > 0

function* idsOf(table: string, either: readonly Condition[], limit: number, and = ''): Plan<readonly string[]> {
  const condition = either.map(({ text: value }) => value).join(' OR ')
  const rows = yield* run(`SELECT id FROM ${table} WHERE (${condition})${and} LIMIT ?`, ...either.flatMap(({ values }) => values), limit)
  return rows.map((row) => text(row, 'id'))
}

/** Ids of rows dated later than an instant. */
export function* datedAhead(than: Instant, limit: number): Plan<FutureDated> {
  return {
    facts: yield* idsOf('facts', lateFacts(than), limit),
    entities: yield* idsOf('entities', [ahead('created_at', than), ahead('updated_at', than)], limit),
    edges: yield* idsOf('entity_edges', [ahead('created_at', than)], limit, ' AND derived = 0'),
  }
}

/** Facts that are inconsistent at any time. */
const contradicting = (limit: number): Plan<readonly string[]> =>
  idsOf(
    'facts',
    UNDATED_CONTRADICTIONS.map(({ rule }) => toCondition(rule(0))),
    limit,
  )

/** Ids of all rows that maintenance repairs. */
export function* findInconsistent(than: Instant, limit: number): Plan<FutureDated> {
  const late = yield* datedAhead(than, limit)
  return { ...late, facts: [...new Set([...late.facts, ...(yield* contradicting(limit))])] }
}

export const UNDATED_CONTRADICTIONS = CONTRADICTIONS.filter(({ rule }) => !isDated(rule(0)))

/** Number of journal entries after an instant. */
export function* entriesAhead(than: Instant): Plan<number> {
  const [row] = yield* run(`SELECT count(*) AS n FROM journal WHERE at > ?`, than)
  return row === undefined ? 0 : number(row, 'n')
}

/**
 * Redates one page of entries after `now`, latest first. An entry gets the time of the fact it left, if known, and at most that of the next
 * entry. Returns the start of the next page, or undefined at the end.
 */
export function* redatePage(
  now: Instant,
  from: { readonly seq: number; readonly known: Instant },
  owner?: string,
): Plan<typeof from | undefined> {
  const [name, values] = owner === undefined ? ['', []] : [' AND owner = ?', [owner]]
  const rows = yield* run(
    `SELECT seq, after, ${HEAD_COLUMNS} FROM journal WHERE seq < ?${name} ORDER BY seq DESC LIMIT ?`,
    from.seq,
    ...values,
    PAGE_SIZE,
  )
  let { seq, known } = from
  for (const row of rows) {
    seq = number(row, 'seq')
    const statedAt = number(row, 'at')
    if (statedAt <= now) {
      known = statedAt
      continue
    }
    const after = json(row, 'after')
    const statement = after !== null && typeof after === 'object' && 'updatedAt' in after ? after.updatedAt : undefined
    known = typeof statement === 'number' && statement <= now ? statement : Math.min(known, now)
    yield* run(`UPDATE journal SET at = ?, head_seal = ? WHERE seq = ?${name}`, known, headSeal({ ...row, at: known }), seq, ...values)
  }
  return rows.length < PAGE_SIZE ? undefined : { seq, known }
}

/** Derived edges and projects have no history: they get the current time. */
export function* redateDerived(now: Instant): Plan<number> {
  let dated = yield* countAffected(`UPDATE entity_edges SET created_at = ? WHERE derived <> 0 AND created_at > ?`, now, now)
  for (const column of ['created_at', 'updated_at'] as const)
    dated += yield* countAffected(`UPDATE sources SET ${column} = ? WHERE ${column} > ?`, now, now)
  return dated
}
