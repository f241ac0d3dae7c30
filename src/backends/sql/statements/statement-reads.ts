import type { AccessFilter } from '../../../core/access/access-filter.js'
import type { SourceHistory } from '../../../core/access/attestation.js'
import type { Fact, Instant } from '../../../core/facts/fact.js'
import { VALIDITY_RULES } from '../../../core/facts/validity.js'
import type { StatementQuery, StatementReads } from '../../../ports/statements.js'
import { reachCondition } from '../plan/access-filter-sql.js'
import { type Connection, first, inSlices, number, type Plan, type Row, run, text, type Value } from '../plan/plan.js'
import { FACT_COLUMNS, toFact } from '../plan/rows.js'
import { IS_NOT_SYSTEM, IS_SYSTEM } from '../plan/system-forms.js'
import { also, type Condition, toCondition } from '../plan/validity-sql.js'
import { type PlaceInList, stretches } from './stretches.js'

/** True if the reader may see facts from peers. */
const seesPeers = (reach: AccessFilter | undefined): boolean =>
  reach === undefined || reach === 'everything' || reach.owners.every(({ federated }) => federated)

const holds = (now: Instant, name = ''): Condition => toCondition(VALIDITY_RULES.valid({ at: now, present: true }), name)

/** Statements of the same property for the same readers. A reader without access to peers must not learn of their facts this way. */
function aboutTheSame(now: Instant, peers: boolean): Condition {
  const live = holds(now, 'g.')
  return {
    text: `g.owner = f.owner AND g.subject = f.subject AND g.predicate = f.predicate AND g.scope = f.scope
      AND g.garden IS NOT DISTINCT FROM f.garden AND g.asserted_confidence IS NOT NULL AND g.form IS NULL AND g.confidence > 0 AND ${live.text}
      ${peers ? '' : 'AND g.received_from IS NULL'}`,
    values: live.values,
  }
}

const IS_DISPUTABLE = 'f.asserted_confidence IS NOT NULL AND f.form IS NULL AND f.confidence > 0'
const SAYS_OTHERWISE = `NOT (g.value_type = f.value_type AND coalesce(g.value, 'null') = coalesce(f.value, 'null'))`

/** Another statement of the same property that contradicts it. */
function contradiction(now: Instant, peers: boolean): Condition {
  const others = aboutTheSame(now, peers)
  return {
    text: `${IS_DISPUTABLE} AND EXISTS (SELECT 1 FROM facts g WHERE ${others.text} AND g.rid <> f.rid AND ${SAYS_OTHERWISE})`,
    values: others.values,
  }
}

/** True if the strongest statement contradicts it. That is the first one in an index, whatever their number. */
function defeat(now: Instant, peers: boolean): Condition {
  const others = aboutTheSame(now, peers)
  return {
    text: `${IS_DISPUTABLE} AND EXISTS (SELECT 1 FROM (
        SELECT g.value_type, g.value, g.confidence, g.hlc FROM facts g WHERE ${others.text} ORDER BY g.confidence DESC, g.hlc DESC LIMIT 1) g
      WHERE ${SAYS_OTHERWISE} AND (g.confidence > f.confidence OR (g.confidence = f.confidence AND g.hlc > f.hlc)))`,
    values: others.values,
  }
}

const equals = (column: string, value: Value | undefined): Condition | undefined =>
  value === undefined ? undefined : { text: `${column} = ?`, values: [value] }

const gardenIs = (garden: string | null | undefined): Condition | undefined =>
  garden === null ? { text: '+garden IS NULL', values: [] } : equals('+garden', garden)

function attestedIs(attested: boolean | null): Condition {
  if (attested === null) return { text: `(attestation IS NULL OR attestation LIKE '{"attested":null%')`, values: [] }
  return { text: 'attestation LIKE ?', values: [`{"attested":${attested}%`] }
}

/** A prefix as an index range. */
const beginsWith = (column: string, prefix: string | undefined): Condition | undefined =>
  prefix === undefined ? undefined : { text: `substr(${column}, 1, ?) = ?`, values: [prefix.length, prefix] }

function conditionOf(query: StatementQuery): Condition {
  const { at: now, reach } = query
  const ended = query.ended === true
  const shown = query.contradicted === true
  const parts: readonly (Condition | undefined)[] = [
    equals('f.owner', query.owner),
    reach === undefined ? undefined : reachCondition(reach),
    query.ids === undefined ? undefined : { text: `f.id IN (${query.ids.map(() => '?').join(', ') || 'NULL'})`, values: query.ids },
    equals('f.subject', query.entity),
    equals('f.predicate', query.relation),
    beginsWith('f.predicate', query.relationPrefix),
    query.plain === undefined ? undefined : { text: `asserted_confidence IS ${query.plain ? '' : 'NOT '}NULL`, values: [] },
    equals('f.source', query.source),
    equals('+f.scope', query.scope),
    gardenIs(query.garden),
    query.attested === undefined ? undefined : attestedIs(query.attested),
    query.leastConfidence === undefined ? undefined : { text: 'confidence >= ?', values: [query.leastConfidence] },
    query.since === undefined ? undefined : { text: 'recorded_at > ?', values: [query.since] },
    { text: query.system === true ? IS_SYSTEM : IS_NOT_SYSTEM, values: [] },
    ended || shown ? undefined : holds(now),
    // Statements replaced by a resolution are shown with contradictions; retracted and expired ones with ended ones.
    ended === shown ? undefined : ended ? NOT_REPLACED : also(either(holds(now), IS_REPLACED)),
    shown || query.system === true ? undefined : negated(defeat(now, seesPeers(reach))),
  ]
  return also(...parts.flatMap((part) => part ?? []))
}

const IS_REPLACED: Condition = { text: `status = 'superseded'`, values: [] }
const NOT_REPLACED: Condition = { text: `status <> 'superseded'`, values: [] }
const either = (a: Condition, b: Condition): Condition => ({ text: `(${a.text} OR ${b.text})`, values: [...a.values, ...b.values] })
const negated = ({ text: what, values }: Condition): Condition => ({ text: `NOT (${what})`, values })

/** Aliased, because a fact is compared with others of its table. */
const COLUMNS = FACT_COLUMNS.split(', ')
  .map((column) => `f.${column}`)
  .join(', ')

const placeOf = (row: Row): PlaceInList => ({ at: number(row, 'recorded_at'), key: number(row, 'rid') })

export function createStatementReads(connection: Connection): StatementReads {
  return {
    async statements(query, { before, limit }) {
      const condition = conditionOf(query)
      const found: Row[] = []
      for await (const stretch of stretches(connection, query, before)) {
        const within = also(condition, stretch)
        found.push(
          ...(await connection.read(() =>
            run(
              `SELECT f.rid, ${COLUMNS} FROM facts f WHERE ${within.text} ORDER BY f.recorded_at DESC, f.rid DESC LIMIT ?`,
              ...within.values,
              limit - found.length,
            ),
          )),
        )
        if (found.length >= limit) break
      }
      const last = found.length < limit ? undefined : found[found.length - 1]
      return { items: found.map(toFact), next: last === undefined ? null : placeOf(last) }
    },
    async countStatements(query, atMost = Number.MAX_SAFE_INTEGER) {
      const condition = conditionOf(query)
      let count = 0
      for await (const stretch of stretches(connection, query, undefined)) {
        const within = also(condition, stretch)
        const row = await connection.read(() =>
          first(`SELECT count(*) AS n FROM (SELECT 1 FROM facts f WHERE ${within.text} LIMIT ?) found`, ...within.values, atMost - count),
        )
        count += row === undefined ? 0 : number(row, 'n')
        if (count >= atMost) break
      }
      return count
    },
    contradicted: (ids, index, reach) =>
      connection.read(function* (): Plan<ReadonlySet<string>> {
        const other = contradiction(index, seesPeers(reach))
        const own = holds(index, 'f.')
        const rows = yield* inSlices(
          ids,
          (marks) => `SELECT f.id AS id FROM facts f WHERE ${other.text} AND ${own.text} AND f.id IN (${marks})`,
          ...other.values,
          ...own.values,
        )
        return new Set(rows.map((row) => text(row, 'id')))
      }),
    sourceHistory: ({ owner, source, scope, after, until }, atMost) =>
      connection.read(function* (): Plan<SourceHistory> {
        const failed = attestedIs(false)
        const row = yield* first(
          `SELECT count(*) AS facts, coalesce(sum(CASE WHEN ${failed.text} THEN 1 ELSE 0 END), 0) AS failures FROM (
             SELECT attestation FROM facts WHERE owner = ? AND source = ? AND asserted_confidence IS NOT NULL AND recorded_at > ? AND recorded_at <= ?
               AND scope = ? AND garden IS NULL AND received_from IS NULL AND form IS NULL ORDER BY recorded_at DESC LIMIT ?) said`,
          ...failed.values,
          ...[owner, source, after, until, scope, atMost],
        )
        return row === undefined ? { facts: 0, failures: 0 } : { facts: number(row, 'facts'), failures: number(row, 'failures') }
      }),
    byHash: (owner, hashes) =>
      connection.read(function* (): Plan<readonly Fact[]> {
        const rows = yield* inSlices(hashes, (marks) => `SELECT ${FACT_COLUMNS} FROM facts WHERE owner = ? AND hash IN (${marks})`, owner)
        return rows.map(toFact)
      }),
    isThere: (owner, id) =>
      connection.read(function* () {
        return (yield* first(`SELECT 1 AS n FROM facts WHERE id = ? AND owner = ?`, id, owner)) !== undefined
      }),
  }
}
