import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Fact, Instant } from '../../../core/facts/fact.js'
import { VALIDITY_RULES } from '../../../core/facts/validity.js'
import { EDGE_ORIGINS } from '../../../core/graph/linking.js'
import type { StatedEdge, StatedEdgeQuery, StatedEdges } from '../../../ports/statements.js'
import { readClock } from '../owners/owners.js'
import { reachCondition } from '../plan/access-filter-sql.js'
import type { Dialect } from '../plan/dialect.js'
import { type Connection, first, inList, inSlices, number, type Plan, type Query, queryBatch, type Row, run, text } from '../plan/plan.js'
import { FACT_COLUMNS, toFact } from '../plan/rows.js'
import { also, type Condition, toCondition } from '../plan/validity-sql.js'
import { readable, uriOf } from './edge-rows.js'
import { edgesInOrder, keysOf, SIDES, slicesOf } from './edges-in-order.js'

const CURSOR_KEY = 'cursor.key'
const NODES_BATCH_SIZE = 64
/** Nodes per statement if the number of edges is limited. */
const LIMITED_NODES_BATCH_SIZE = 512
/** Degrees are counted in slices, up to this number. */
const HUB_DEGREE = 2000
const MAX_COUNTED = 5000

export function createStatedEdges(connection: Connection, dialect: Dialect): StatedEdges {
  /** Cached: it never changes. */
  let known: string | undefined
  const strongestRows: StatedEdges['strongestRows'] = async (query, limit) => {
    const found = new Map<string, readonly number[]>()
    for (let i = 0; i < query.nodes.length; i += NODES_BATCH_SIZE) {
      if (i > 0) await setImmediate()
      const nodes = query.nodes.slice(i, i + NODES_BATCH_SIZE)
      const rows = await connection.read(() => queryBatch(nodes.map((entity) => strongestOf(entity, query, limit))))
      for (const [place, entity] of nodes.entries())
        found.set(
          entity,
          (rows[place] ?? []).map((row) => number(row, 'rid')),
        )
    }
    return found
  }
  const live = (now: Instant): Condition => toCondition(VALIDITY_RULES.valid({ at: now, present: true }))
  return {
    async statedEdges(query) {
      const found = new Map<string, StatedEdge>()
      const { atMost = Number.POSITIVE_INFINITY } = query
      const atOnce = query.atMost === undefined ? NODES_BATCH_SIZE : LIMITED_NODES_BATCH_SIZE
      for (let i = 0; i < query.nodes.length; i += atOnce) {
        const nodes = query.nodes.slice(i, i + atOnce)
        const max = atMost * Math.ceil(nodes.length / NODES_BATCH_SIZE)
        for (const side of SIDES) {
          let left = max
          const taken = new Map<string, number>()
          for await (const rows of slicesOf(connection, query, { side, keys: nodes.flatMap(keysOf) }, atMost)) {
            for (const { near, edge } of rows) {
              const before = taken.get(near) ?? 0
              if (edge === undefined || before >= atMost || left === 0) continue
              found.set(edge.id, edge)
              taken.set(near, before + 1)
              left--
            }
            if (left === 0) break
          }
        }
      }
      return [...found.values()]
    },
    edgesInOrder: (query) => edgesInOrder(connection, query),
    async outDegrees(query) {
      const counts = new Map<string, number>()
      const hubs: string[] = []
      for (let i = 0; i < query.nodes.length; i += NODES_BATCH_SIZE) {
        const keys = query.nodes.slice(i, i + NODES_BATCH_SIZE).flatMap(keysOf)
        const all = await connection.read(() => edgeCounts(query, keys))
        hubs.push(...all.filter((row) => number(row, 'n') > HUB_DEGREE).map((row) => text(row, 'subject')))
        const few = keys.filter((key) => !hubs.includes(key))
        for (const row of few.length === 0 ? [] : await connection.read(() => degreesOf(query, few, live(query.at)))) {
          const uri = uriOf(row, 'subject')
          counts.set(uri, (counts.get(uri) ?? 0) + number(row, 'n'))
        }
      }
      for (const key of hubs)
        for (const [uri, count] of await hubDegree(connection, query, key)) counts.set(uri, (counts.get(uri) ?? 0) + count)
      return counts
    },
    strongestRows,
    async strongest(query, limit) {
      const rows = await strongestRows(query, limit)
      const facts = await connection.read(() => factsAt(query.owner, [...rows.values()].flat()))
      return new Map([...rows].map(([entity, rids]) => [entity, rids.flatMap((rid) => facts.get(rid) ?? [])]))
    },
    async cursorKey() {
      known ??= (await connection.read(readKey)) ?? (await connection.write(makeKey))
      return known
    },
    lastCommit: (owner) =>
      connection.read(function* () {
        return (yield* readClock(dialect, owner)).time
      }),
  }
}

const IS_OUTGOING = `e.owner = ? AND e.scope = ? AND e.derived IN (${EDGE_ORIGINS.no}, ${EDGE_ORIGINS.fromStatement})`

/** Counts by index only, without access checks, to find nodes that need careful counting. */
function edgeCounts({ owner, scope }: StatedEdgeQuery, keys: readonly string[]): Plan<readonly Row[]> {
  const list = inList(keys)
  return run(
    `SELECT e.subject, count(*) AS n FROM entity_edges e WHERE ${IS_OUTGOING} AND e.subject IN (${list.marks}) GROUP BY e.subject`,
    owner,
    scope,
    ...list.values,
  )
}

function degreesOf(query: StatedEdgeQuery, keys: readonly string[], live: Condition): Plan<readonly Row[]> {
  const may = readable(query, live)
  const list = inList(keys)
  return run(
    `SELECT e.subject, e.subject_kind, e.derived, count(*) AS n FROM entity_edges e
     WHERE ${IS_OUTGOING} AND e.subject IN (${list.marks}) AND e.valid_until IS NULL AND ${may.text} GROUP BY e.subject, e.subject_kind, e.derived`,
    query.owner,
    query.scope,
    ...list.values,
    ...may.values,
  )
}

/** Counts readable edges only: hidden ones affect the duration, not the result. */
async function hubDegree(connection: Connection, query: StatedEdgeQuery, key: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  let counted = 0
  for await (const rows of slicesOf(connection, query, { side: 'subject', keys: [key] })) {
    for (const { edge } of rows) {
      if (edge === undefined || counted === MAX_COUNTED) continue
      counts.set(edge.from, (counts.get(edge.from) ?? 0) + 1)
      counted++
    }
    if (counted === MAX_COUNTED) break
  }
  return counts
}

function* readKey(): Plan<string | undefined> {
  const row = yield* first(`SELECT value FROM meta WHERE key = ?`, CURSOR_KEY)
  return row === undefined ? undefined : text(row, 'value')
}

/** If another process created the key first, its key is used. */
function* makeKey(): Plan<string> {
  const made = randomBytes(32).toString('hex')
  yield* run(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING`, CURSOR_KEY, made)
  return (yield* readKey()) ?? made
}

/** In index order, so that no more rows are read than needed. */
function strongestOf(entity: string, { owner, scope, at: now, reach }: Omit<StatedEdgeQuery, 'asOf'>, limit: number): Query {
  const within = also(
    toCondition(VALIDITY_RULES.valid({ at: now, present: true })),
    ...(reach === undefined ? [] : [reachCondition(reach)]),
  )
  return {
    text: `SELECT rid FROM facts WHERE owner = ? AND subject = ? AND scope = ? AND asserted_confidence IS NOT NULL AND form IS NULL AND confidence > 0
      AND ${within.text} ORDER BY confidence * coalesce(trust, 1) DESC, rid LIMIT ?`,
    values: [owner, entity, scope, ...within.values, limit],
  }
}

function* factsAt(owner: string, rids: readonly number[]): Plan<ReadonlyMap<number, Fact>> {
  const rows = yield* inSlices(rids, (marks) => `SELECT rid, ${FACT_COLUMNS} FROM facts WHERE +owner = ? AND rid IN (${marks})`, owner)
  return new Map(rows.map((row) => [number(row, 'rid'), toFact(row)]))
}
