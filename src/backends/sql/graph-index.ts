import type { Edge } from '../../core/edge.js'
import { DERIVED, derivedEdge } from '../../core/linking.js'
import type { GraphIndex, PlacedFact } from '../../ports/graph-index.js'
import { readClock } from './clock.js'
import { createEntityVectors } from './entity-vectors.js'
import { putDerived } from './links.js'
import { type Connection, first, inList, number, type Plan, type Row, run, text, type Value } from './plan.js'
import { CURRENT, EDGE_COLUMNS, FACT_COLUMNS, toEdge, toFact, toJournalEntry } from './rows.js'

const SLICE = 128

/** Edges with both ends among these nodes. The unary plus keeps the planner on the index of the one end. */
function* edgesWithin(owner: string, nodes: readonly string[]): Plan<readonly Row[]> {
  const found: Row[] = []
  for (let i = 0; i < nodes.length; i += SLICE) {
    const near = inList(nodes.slice(i, i + SLICE))
    for (let j = 0; j < nodes.length; j += SLICE) {
      const far = inList(nodes.slice(j, j + SLICE))
      const rows = yield* run(
        `SELECT ${EDGE_COLUMNS}, derived FROM entity_edges WHERE subject IN (${near.marks}) AND +object IN (${far.marks}) AND +owner = ? AND valid_until IS NULL`,
        ...near.values,
        ...far.values,
        owner,
      )
      found.push(...rows)
    }
  }
  return found
}

const byCreation = (a: Edge, b: Edge): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

const place = (row: Row): PlacedFact => ({ rid: number(row, 'rid'), fact: toFact(row) })

export function createGraphIndex(connection: Connection, neighbours: { readonly of: GraphIndex['neighbours'] }): GraphIndex {
  const count = function* (query: string, ...values: readonly Value[]): Plan<number> {
    const row = yield* first(query, ...values)
    return row === undefined ? 0 : number(row, 'n')
  }
  const page = (condition: string, owner: string, values: readonly Value[], after: number, limit: number): Promise<readonly PlacedFact[]> =>
    connection.read(function* () {
      const rows = yield* run(
        `SELECT rid, ${FACT_COLUMNS} FROM facts WHERE owner = ? AND ${condition} AND rid > ? ORDER BY rid LIMIT ?`,
        owner,
        ...values,
        after,
        limit,
      )
      return rows.map(place)
    })
  return {
    ...createEntityVectors(connection),
    neighbours: (owner, nodes, limit) => neighbours.of(owner, nodes, limit),
    edgesAmong: (owner, nodes) =>
      connection.read(function* () {
        const rows = yield* edgesWithin(owner, nodes)
        const best = new Map<string, Row>()
        for (const row of rows) {
          const key = [row.subject, row.relation, row.object].join('\0')
          const known = best.get(key)
          if (known === undefined || number(row, 'derived') < number(known, 'derived')) best.set(key, row)
        }
        return [...best.values()].map(toEdge).sort(byCreation)
      }),
    census: (owner, at) =>
      connection.read(function* () {
        const living = `owner = ? AND (expires_at IS NULL OR expires_at > ?)`
        const there = `owner = ? AND (status = 'archived' OR expires_at IS NULL OR expires_at > ?)`
        const gone = (table: string): string => `SELECT id FROM ${table} WHERE owner = ? AND expires_at <= ?`
        return {
          facts: yield* count(`SELECT count(*) AS n FROM facts WHERE ${there}`, owner, at),
          entities: yield* count(`SELECT count(*) AS n FROM entities WHERE ${there}`, owner, at),
          activeFacts: yield* count(
            `SELECT count(*) AS n FROM facts WHERE ${living} AND status IN ${CURRENT} AND (valid_until IS NULL OR valid_until > ?)`,
            owner,
            at,
            at,
          ),
          outdatedFacts: yield* count(
            `SELECT count(*) AS n FROM facts WHERE ${living} AND status <> 'archived' AND (status NOT IN ${CURRENT} OR valid_until <= ?)`,
            owner,
            at,
            at,
          ),
          archivedFacts: yield* count(`SELECT count(*) AS n FROM facts WHERE owner = ? AND status = 'archived'`, owner),
          edges: yield* count(
            `WITH gone AS (${gone('facts')} UNION ALL ${gone('entities')})
             SELECT count(*) AS n FROM entity_edges WHERE owner = ? AND valid_until IS NULL AND subject NOT IN (SELECT id FROM gone) AND object NOT IN (SELECT id FROM gone)`,
            owner,
            at,
            owner,
            at,
            owner,
          ),
        }
      }),
    owners: () =>
      connection.read(function* () {
        const rows = yield* run(`SELECT DISTINCT owner FROM facts UNION SELECT DISTINCT owner FROM entities ORDER BY owner`)
        return rows.map((row) => text(row, 'owner'))
      }),
    pastFacts: (owner, status, { at, after, limit }) =>
      status === 'archived'
        ? page(`status = 'archived'`, owner, [], after, limit)
        : page(
            `status <> 'archived' AND (status NOT IN ${CURRENT} OR valid_until <= ?) AND (expires_at IS NULL OR expires_at > ?)`,
            owner,
            [at, at],
            after,
            limit,
          ),
    expiredFacts: (owner, { at, after, limit }) => page(`status IN ${CURRENT} AND expires_at <= ?`, owner, [at], after, limit),
    uncheckedFacts: (owner, { at, since, after, limit }) =>
      page(
        `status IN ${CURRENT} AND recorded_at >= ? AND (valid_until IS NULL OR valid_until > ?) AND (expires_at IS NULL OR expires_at > ?) AND (dedup_at IS NULL OR dedup_at < updated_at)`,
        owner,
        [since, at, at],
        after,
        limit,
      ),
    noteCompared: (facts, at) =>
      connection.write(
        function* (): Plan<void> {
          for (const { id, version } of facts) yield* run(`UPDATE facts SET dedup_at = ? WHERE id = ? AND version = ?`, at, id, version)
        },
        { durable: false },
      ),
    journalOf: (actor, limit) =>
      connection.read(function* () {
        return (yield* run(`SELECT * FROM journal WHERE actor = ? ORDER BY seq DESC LIMIT ?`, actor, limit)).map(toJournalEntry)
      }),
    vectorsAfter: ({ stamp, rid }, limit) =>
      connection.read(function* () {
        const rows = yield* run(
          `SELECT c.stamp AS stamp, f.rid AS rid, ${FACT_COLUMNS.split(', ')
            .map((column) => `f.${column}`)
            .join(', ')}
           FROM fact_codes c JOIN facts f ON f.rid = c.rid WHERE c.stamp > ? OR (c.stamp = ? AND c.rid > ?) ORDER BY c.stamp, c.rid LIMIT ?`,
          stamp,
          stamp,
          rid,
          limit,
        )
        return rows.map((row) => ({ ...place(row), stamp: number(row, 'stamp') }))
      }),
    linkSimilar: (links) =>
      connection.write(
        function* (): Plan<void> {
          const { time: at } = yield* readClock()
          for (const { owner, from, to, toKind, type, weight } of links) {
            const ends = yield* first(
              `SELECT 1 AS n FROM facts f WHERE f.id = ? AND f.owner = ? AND f.embedded <> 0 AND EXISTS (SELECT 1 FROM ${toKind === 'fact' ? 'facts' : 'entities'} WHERE id = ? AND owner = ?)`,
              from,
              owner,
              to,
              owner,
            )
            if (ends !== undefined) yield* putDerived(derivedEdge({ owner, from, type, to, toKind, weight }, at), DERIVED.fromVectors)
          }
        },
        { durable: false },
      ),
  }
}
