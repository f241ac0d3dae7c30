import { type Rule, VALIDITY_RULES } from '../../../core/facts/validity.js'
import type { Edge } from '../../../core/graph/edge.js'
import { derivedEdge, EDGE_ORIGINS } from '../../../core/graph/linking.js'
import type { GraphIndex, PlacedFact, SimilarLink } from '../../../ports/graph-index.js'
import { putDerived } from '../links/links.js'
import { relinkFields } from '../links/reference-edges.js'
import { lockOwner, noteEdges, readClock, STORE_ROW } from '../owners/owners.js'
import { reachCondition } from '../plan/access-filter-sql.js'
import type { Dialect } from '../plan/dialect.js'
import { type Connection, first, inList, number, type Plan, type Query, queryBatch, type Row, run, text, type Value } from '../plan/plan.js'
import { EDGE_COLUMNS, FACT_COLUMNS, toEdge, toFact, toJournalEntry } from '../plan/rows.js'
import { IS_NOT_SYSTEM } from '../plan/system-forms.js'
import { also, type Condition, toCondition } from '../plan/validity-sql.js'
import { createEntityVectors } from '../vectors/entity-vectors.js'

const SLICE_SIZE = 128

/** Edges with both endpoints among these nodes. The unary plus keeps the planner on the index of one endpoint. */
function* edgesWithin(owner: string, nodes: readonly string[]): Plan<readonly Row[]> {
  const found: Row[] = []
  for (let i = 0; i < nodes.length; i += SLICE_SIZE) {
    const near = inList(nodes.slice(i, i + SLICE_SIZE))
    for (let j = 0; j < nodes.length; j += SLICE_SIZE) {
      const far = inList(nodes.slice(j, j + SLICE_SIZE))
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

export function createGraphIndex(
  connection: Connection,
  dialect: Dialect,
  neighbours: { readonly of: GraphIndex['neighbours'] },
): GraphIndex {
  const count = function* (query: string, ...values: readonly Value[]): Plan<number> {
    const row = yield* first(query, ...values)
    return row === undefined ? 0 : number(row, 'n')
  }
  /** A condition on rows of one owner, with a validity rule. */
  const conditionOf = (owner: string, rule?: Rule): Condition => {
    const caller = { text: 'owner = ?', values: [owner] }
    return rule === undefined ? caller : also(caller, toCondition(rule))
  }
  const tally = (table: string, condition: Condition): Plan<number> =>
    count(
      `SELECT count(*) AS n FROM ${table} WHERE ${condition.text}${table === 'facts' ? ` AND ${IS_NOT_SYSTEM}` : ''}`,
      ...condition.values,
    )
  const page = (condition: Condition, after: number, limit: number): Promise<readonly PlacedFact[]> =>
    connection.read(function* () {
      const rows = yield* run(
        `SELECT rid, ${FACT_COLUMNS} FROM facts WHERE ${condition.text} AND ${IS_NOT_SYSTEM} AND rid > ? ORDER BY rid LIMIT ?`,
        ...condition.values,
        after,
        limit,
      )
      return rows.map(place)
    })
  return {
    ...createEntityVectors(connection, dialect),
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
    census: (owner, index, reach = 'everything') =>
      connection.read(function* () {
        const gone = conditionOf(owner, VALIDITY_RULES.expired(index))
        const open = reachCondition(reach)
        const seen = (rule: Rule): Condition => (reach === 'everything' ? conditionOf(owner, rule) : also(conditionOf(owner, rule), open))
        const expired = (table: string): string => `SELECT id FROM ${table} WHERE ${gone.text}`
        // Edges of hidden facts are not counted.
        const hidden = reach === 'everything' ? '' : ` UNION ALL SELECT id FROM facts WHERE owner = ? AND NOT ${open.text}`
        const unseen = reach === 'everything' ? '' : ' AND (fact_id IS NULL OR fact_id NOT IN (SELECT id FROM gone))'
        return {
          facts: yield* tally('facts', seen(VALIDITY_RULES.there(index))),
          entities: yield* tally('entities', conditionOf(owner, VALIDITY_RULES.there(index))),
          activeFacts: yield* tally('facts', seen({ all: [VALIDITY_RULES.unexpired(index), VALIDITY_RULES.active(index)] })),
          outdatedFacts: yield* tally('facts', seen({ all: [VALIDITY_RULES.unexpired(index), VALIDITY_RULES.outdated(index)] })),
          archivedFacts: yield* tally('facts', seen(VALIDITY_RULES.archived)),
          edges: yield* count(
            `WITH gone AS (${expired('facts')} UNION ALL ${expired('entities')}${hidden})
             SELECT count(*) AS n FROM entity_edges WHERE owner = ? AND valid_until IS NULL AND subject NOT IN (SELECT id FROM gone) AND object NOT IN (SELECT id FROM gone)${unseen}`,
            ...gone.values,
            ...gone.values,
            ...(reach === 'everything' ? [] : [owner, ...open.values]),
            owner,
          ),
        }
      }),
    owners: () =>
      connection.read(function* () {
        const rows = yield* run(`SELECT DISTINCT owner FROM facts UNION SELECT DISTINCT owner FROM entities ORDER BY owner`)
        return rows.map((row) => text(row, 'owner'))
      }),
    pastFacts: (owner, status, { at: now, after, limit }) =>
      page(
        conditionOf(
          owner,
          status === 'archived' ? VALIDITY_RULES.archived : { all: [VALIDITY_RULES.outdated(now), VALIDITY_RULES.unexpired(now)] },
        ),
        after,
        limit,
      ),
    expiredFacts: (owner, { at: now, after, limit }) =>
      page(conditionOf(owner, { all: [VALIDITY_RULES.current, VALIDITY_RULES.expired(now)] }), after, limit),
    uncheckedFacts: (owner, { at: now, since, after, limit }) => {
      const unchecked = { text: 'recorded_at >= ? AND (dedup_at IS NULL OR dedup_at < updated_at)', values: [since] }
      return page(also(conditionOf(owner, { all: [VALIDITY_RULES.active(now), VALIDITY_RULES.unexpired(now)] }), unchecked), after, limit)
    },
    noteCompared: (owner, facts, now) =>
      connection.write(
        function* (): Plan<void> {
          yield* lockOwner(dialect, owner)
          for (const { id, version } of facts)
            yield* run(`UPDATE facts SET dedup_at = ? WHERE id = ? AND owner = ? AND version = ?`, now, id, owner, version)
        },
        { durable: false, owners: [owner] },
      ),
    rebuildReferenceEdges: (owner, after, limit) =>
      connection.write(
        function* (): Plan<number | null> {
          yield* lockOwner(dialect, owner)
          const rows = yield* run(
            `SELECT rid, ${FACT_COLUMNS} FROM facts WHERE owner = ? AND rid > ? ORDER BY rid LIMIT ?`,
            owner,
            after,
            limit,
          )
          const last = rows[rows.length - 1]
          if (last === undefined) return null
          for (const { fact } of rows.map(place)) yield* relinkFields(fact, fact.updatedAt)
          yield* noteEdges(owner)
          return number(last, 'rid')
        },
        { durable: false, owners: [owner] },
      ),
    journalOf: (actor, limit, beyond) =>
      connection.read(function* () {
        const order = dialect.numbers === 'together' ? 'seq' : 'hlc'
        return (yield* run(
          `SELECT * FROM journal WHERE actor = ? ${beyond === undefined ? '' : `AND ${order} < ?`} ORDER BY ${order} DESC LIMIT ?`,
          actor,
          ...(beyond === undefined ? [] : [beyond[order]]),
          limit,
        )).map(toJournalEntry)
      }),
    unlinked: (limit) =>
      connection.read(function* () {
        const rows = yield* run(`SELECT owner, linked, stamp FROM owners WHERE stamp > linked AND owner <> ? LIMIT ?`, STORE_ROW, limit)
        return rows.map((row) => ({ owner: text(row, 'owner'), linked: number(row, 'linked'), stamp: number(row, 'stamp') }))
      }),
    markLinked: (owner, stamp) =>
      connection.write(
        function* (): Plan<void> {
          yield* run(`UPDATE owners SET linked = ? WHERE owner = ? AND linked < ?`, stamp, owner, stamp)
        },
        { durable: false },
      ),
    vectorsAfter: (owner, { stamp, rid }, limit) =>
      connection.read(function* () {
        const rows = yield* run(
          `SELECT c.stamp AS stamp, f.rid AS rid, ${FACT_COLUMNS.split(', ')
            .map((column) => `f.${column}`)
            .join(', ')}
           FROM fact_codes c JOIN facts f ON f.rid = c.rid AND f.owner = c.owner WHERE c.owner = ? AND (c.stamp, c.rid) > (?, ?) ORDER BY c.stamp, c.rid LIMIT ?`,
          owner,
          stamp,
          rid,
          limit,
        )
        return rows.map((row) => ({ ...place(row), stamp: number(row, 'stamp') }))
      }),
    async linkSimilar(links) {
      const linkOne = (owner: string): Promise<void> =>
        connection.write(
          function* (): Plan<void> {
            yield* lockOwner(dialect, owner)
            const { time: now } = yield* readClock(dialect, owner)
            const own = links.filter((link) => link.owner === owner)
            const ends = yield* queryBatch(own.map(endsOf))
            for (const [i, { from, to, toKind, type, weight }] of own.entries())
              if (ends[i]?.[0] !== undefined)
                yield* putDerived(derivedEdge({ owner, from, type, to, toKind, weight }, now), EDGE_ORIGINS.fromVectors)
            yield* noteEdges(owner)
          },
          { durable: false, owners: [owner] },
        )
      await Promise.all([...new Set(links.map(({ owner }) => owner))].map(linkOne))
    },
  }
}

/** Returns a row if both endpoints exist and the first has a vector. */
const endsOf = ({ owner, from, to, toKind }: SimilarLink): Query => ({
  text: `SELECT 1 AS n FROM facts f WHERE f.id = ? AND f.owner = ? AND f.embedded IN (1, 2)
    AND EXISTS (SELECT 1 FROM ${toKind === 'fact' ? 'facts' : 'entities'} o WHERE o.id = ? AND o.owner = ?)`,
  values: [from, owner, to, owner],
})
