import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { FACT_STATUSES, type Fact, type Instant } from '../../core/fact.js'
import { DERIVED } from '../../core/linking.js'
import { entityIdIn, entityUri, factIdIn, factUri } from '../../core/uri.js'
import { type Lived, meets, RULES } from '../../core/validity.js'
import type { StatedEdge, StatedEdgeQuery, StatedEdges } from '../../ports/statements.js'
import type { Dialect } from './dialect.js'
import { also, type Condition, toCondition } from './life-conditions.js'
import { readClock } from './owners.js'
import {
  type Connection,
  first,
  inList,
  inSlices,
  jsonObject,
  number,
  numberOrNull,
  type Plan,
  type Query,
  type Row,
  run,
  text,
  textOrNull,
  together,
} from './plan.js'
import { reachCondition } from './reach-condition.js'
import { FACT_COLUMNS, statusOf, toFact } from './rows.js'

const CURSOR_KEY = 'cursor.key'
const NODES_AT_ONCE = 64
/** Where the number of their edges is limited, so that of one statement too. */
const LIMITED_NODES_AT_ONCE = 512
/** Edges of a hub are read in pages, so that others have their turn. */
const PAGE = 5000

/** A node has the key of its row, if it has one, and its URI: statements name it so. */
const keysOf = (uri: string): readonly string[] => {
  const own = factIdIn(uri) ?? entityIdIn(uri)
  return own === undefined ? [uri] : [own, uri]
}

/** An end as it is written on the wire. */
const uriOf = (row: Row, end: 'subject' | 'object'): string => {
  const key = text(row, end)
  if (number(row, 'derived') === DERIVED.fromStatement) return key
  return text(row, `${end}_kind`) === 'fact' ? factUri(key) : entityUri(key)
}

/** Whether the fact of an edge may be read; edges that someone made have none. */
function readable({ reach }: StatedEdgeQuery, and: Condition = { text: '1 = 1', values: [] }): Condition {
  const within = reach === undefined ? and : also(reachCondition(reach), and)
  return {
    text: `(e.fact_id IS NULL OR EXISTS (SELECT 1 FROM facts WHERE facts.id = e.fact_id AND ${within.text}))`,
    values: within.values,
  }
}

const ENDS = `e.id, e.subject, e.subject_kind, e.object, e.object_kind, e.relation, e.confidence, e.source_trust, e.derived, e.created_at, e.fact_id, e.valid_until AS edge_until`
const LIFE = `f.status, f.valid_from, f.valid_until, f.expires_at, f.recorded_at, f.updated_at, f.confidence AS fact_confidence`

/** The life of the fact of an edge, and its confidence. */
interface Standing extends Lived {
  readonly confidence: number
}

const standingNow = (row: Row): Standing => ({
  status: statusOf(row),
  validFrom: number(row, 'valid_from'),
  validUntil: numberOrNull(row, 'valid_until'),
  expiresAt: numberOrNull(row, 'expires_at'),
  recordedAt: number(row, 'recorded_at'),
  confidence: number(row, 'fact_confidence'),
})

/** The journal has what a fact was before the first change after that time. */
function* standingBefore(row: Row, asOf: Instant): Plan<Standing> {
  const entry = yield* first(
    `SELECT before FROM journal WHERE target = ? AND at > ? AND op = 'fact.put' ORDER BY seq LIMIT 1`,
    text(row, 'fact_id'),
    asOf,
  )
  const now = standingNow(row)
  if (entry === undefined || entry.before === null) return now
  const before = jsonObject(entry, 'before')
  const instant = (name: string): Instant | null => (typeof before[name] === 'number' ? before[name] : null)
  return {
    status: FACT_STATUSES.find((status) => status === before.status) ?? now.status,
    validFrom: instant('validFrom') ?? now.validFrom ?? 0,
    validUntil: instant('validUntil'),
    expiresAt: instant('expiresAt'),
    recordedAt: now.recordedAt ?? 0,
    confidence: instant('confidence') ?? now.confidence,
  }
}

/** With which confidence an edge stood after the commits of that time; undefined when it did not. */
function* standing(row: Row, { at, asOf }: StatedEdgeQuery): Plan<number | undefined> {
  if (asOf !== undefined && number(row, 'created_at') > asOf) return undefined
  if (row.fact_id === null) {
    const until = numberOrNull(row, 'edge_until')
    return until === null || (asOf !== undefined && until > asOf) ? number(row, 'confidence') : undefined
  }
  const changed = asOf !== undefined && number(row, 'updated_at') > asOf
  const was = changed ? yield* standingBefore(row, asOf) : standingNow(row)
  return meets(RULES.valid({ at, present: true }), was) ? was.confidence : undefined
}

const toStated = (row: Row, confidence: number): StatedEdge => {
  const ends = (['subject', 'object'] as const).filter((end) => number(row, 'derived') === 0 && text(row, `${end}_kind`) === 'fact')
  const own = textOrNull(row, 'fact_id')
  return {
    id: text(row, 'id'),
    from: uriOf(row, 'subject'),
    to: uriOf(row, 'object'),
    relation: text(row, 'relation'),
    confidence,
    trust: numberOrNull(row, 'source_trust'),
    facts: [...(own === null ? [] : [own]), ...ends.map((end) => text(row, end))],
  }
}

function* page(
  query: StatedEdgeQuery,
  end: 'subject' | 'object',
  keys: readonly string[],
  after: string,
  limit: number,
): Plan<readonly (StatedEdge | string)[]> {
  const may = readable(query)
  const list = inList(keys)
  const rows = yield* run(
    `SELECT ${ENDS}, ${LIFE} FROM entity_edges e LEFT JOIN facts f ON f.id = e.fact_id
     WHERE e.${end} IN (${list.marks}) AND e.scope = ? AND +e.owner = ? AND e.derived IN (${DERIVED.no}, ${DERIVED.fromStatement}) AND +e.id > ? AND ${may.text}
     ORDER BY +e.id LIMIT ?`,
    ...list.values,
    query.scope,
    query.owner,
    after,
    ...may.values,
    limit,
  )
  const found: (StatedEdge | string)[] = []
  for (const row of rows) {
    const confidence = yield* standing(row, query)
    // The id alone of one that did not hold: the next page begins behind it.
    found.push(confidence === undefined ? text(row, 'id') : toStated(row, confidence))
  }
  return found
}

export function createStatedEdges(connection: Connection, dialect: Dialect): StatedEdges {
  /** It never changes once it is made. */
  let known: string | undefined
  const strongestRows: StatedEdges['strongestRows'] = async (query, limit) => {
    const found = new Map<string, readonly number[]>()
    for (let i = 0; i < query.nodes.length; i += NODES_AT_ONCE) {
      if (i > 0) await setImmediate()
      const nodes = query.nodes.slice(i, i + NODES_AT_ONCE)
      const rows = await connection.read(() => together(nodes.map((entity) => strongestOf(entity, query, limit))))
      for (const [place, entity] of nodes.entries())
        found.set(
          entity,
          (rows[place] ?? []).map((row) => number(row, 'rid')),
        )
    }
    return found
  }
  const live = (at: Instant): Condition => toCondition(RULES.valid({ at, present: true }))
  return {
    async statedEdges(query) {
      const found = new Map<string, StatedEdge>()
      const { atMost } = query
      const atOnce = atMost === undefined ? NODES_AT_ONCE : LIMITED_NODES_AT_ONCE
      for (let i = 0; i < query.nodes.length; i += atOnce) {
        const nodes = query.nodes.slice(i, i + atOnce)
        const keys = nodes.flatMap(keysOf)
        const limit = atMost === undefined ? PAGE : Math.min(PAGE, atMost * Math.ceil(nodes.length / NODES_AT_ONCE))
        for (const end of ['subject', 'object'] as const) {
          for (let after = ''; ; ) {
            const rows = await connection.read(() => page(query, end, keys, after, limit))
            for (const row of rows) if (typeof row !== 'string') found.set(row.id, row)
            const last = rows[rows.length - 1]
            if (last === undefined || rows.length < PAGE || atMost !== undefined) break
            after = typeof last === 'string' ? last : last.id
            await setImmediate()
          }
        }
      }
      return [...found.values()]
    },
    outDegrees: (query) =>
      connection.read(function* (): Plan<ReadonlyMap<string, number>> {
        const counts = new Map<string, number>()
        const may = readable(query, live(query.at))
        for (let i = 0; i < query.nodes.length; i += NODES_AT_ONCE) {
          const list = inList(query.nodes.slice(i, i + NODES_AT_ONCE).flatMap(keysOf))
          const rows = yield* run(
            `SELECT e.subject, e.subject_kind, e.derived, count(*) AS n FROM entity_edges e
             WHERE e.subject IN (${list.marks}) AND e.scope = ? AND +e.owner = ? AND e.derived IN (${DERIVED.no}, ${DERIVED.fromStatement})
               AND e.valid_until IS NULL AND ${may.text} GROUP BY e.subject, e.subject_kind, e.derived`,
            ...list.values,
            query.scope,
            query.owner,
            ...may.values,
          )
          for (const row of rows) {
            const uri = uriOf(row, 'subject')
            counts.set(uri, (counts.get(uri) ?? 0) + number(row, 'n'))
          }
        }
        return counts
      }),
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

function* readKey(): Plan<string | undefined> {
  const row = yield* first(`SELECT value FROM meta WHERE key = ?`, CURSOR_KEY)
  return row === undefined ? undefined : text(row, 'value')
}

/** Whoever comes second takes the first one's. */
function* makeKey(): Plan<string> {
  const made = randomBytes(32).toString('hex')
  yield* run(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING`, CURSOR_KEY, made)
  return (yield* readKey()) ?? made
}

/** In the order of an index, so that of many facts no more are read than are wanted. */
function strongestOf(entity: string, { owner, scope, at, reach }: Omit<StatedEdgeQuery, 'asOf'>, limit: number): Query {
  const within = also(toCondition(RULES.valid({ at, present: true })), ...(reach === undefined ? [] : [reachCondition(reach)]))
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
