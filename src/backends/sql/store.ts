import { randomBytes } from 'node:crypto'
import { VALIDITY_RULES } from '../../core/facts/validity.js'
import type { Edge } from '../../core/graph/edge.js'
import { EDGE_ORIGINS } from '../../core/graph/linking.js'
import { EMBED_ABOVE } from '../../core/statements/statement-effects.js'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { Clock } from '../../ports/clock.js'
import type { Counts, EdgeQuery, EntityQuery, FactQuery, JournalQuery, Page, PageQuery, Store } from '../../ports/store.js'
import { commit, committedBefore } from './commit/commit.js'
import { arrangements, arrangementsMark, digestOf, useNonce } from './commit/control-records.js'
import { alike, rivals } from './doubts.js'
import { browse, facets, histogram, subjects } from './facets.js'
import { feed } from './feed.js'
import { backfillMentions } from './links/backfill-mentions.js'
import { recordAnswer, recordedCall } from './owners/calls.js'
import { readClock } from './owners/owners.js'
import { trimmedSeq } from './owners/retention.js'
import { reachCondition } from './plan/access-filter-sql.js'
import { among, equals, where } from './plan/conditions.js'
import type { Dialect } from './plan/dialect.js'
import { idsByNameParts } from './plan/entity-name-parts.js'
import { type Connection, first, inSlices, number, type Plan, type Row, run, text } from './plan/plan.js'
import {
  EDGE_COLUMNS,
  ENTITY_COLUMNS,
  FACT_COLUMNS,
  SOURCE_COLUMNS,
  toEdge,
  toEntity,
  toFact,
  toJournalEntry,
  toSource,
} from './plan/rows.js'
import { IS_NOT_SYSTEM, IS_SYSTEM } from './plan/system-forms.js'
import { type Condition, toCondition } from './plan/validity-sql.js'
import { filesOf, passagesIn } from './sources/sources.js'

interface SqlStoreOptions {
  readonly connection: Connection
  readonly dialect: Dialect
  readonly clock: Clock
  /** Statements at or below this confidence are not embedded. */
  readonly embedAbove?: number | undefined
}

export function createSqlStore({ connection, dialect, clock, embedAbove = EMBED_ABOVE }: SqlStoreOptions): Store {
  return {
    async commit(context, decide) {
      const id = randomBytes(9).toString('base64url')
      const run = () => commit({ dialect, by: context, id, now: clock.now(), decide, embedAbove })
      const { receipt, changedNames } = await connection.write(run, {
        earlier: () => committedBefore(dialect, context, id),
        ...(context.owners === 'everyone' ? {} : { owners: context.owners }),
      })
      // The commit succeeded. Links are derived, and `mneme reindex --links` repairs those that fail here.
      await backfillMentions(connection, dialect, changedNames, receipt.at).catch(toMemoryError)
      return receipt
    },
    recordedCall: (call) =>
      connection.read(function* () {
        const { order } = yield* readClock(dialect, call.owner)
        return yield* recordedCall(call, clock.now(), order)
      }),
    recordAnswer: (call, answer) => connection.write(() => recordAnswer(dialect, call, answer), { durable: false, owners: [call.owner] }),
    facts: (ids, owner) => connection.read(() => byIds('facts', FACT_COLUMNS, ids, owner, toFact)),
    listFacts: (query) => connection.read(() => listFacts(dialect, query)),
    countFacts: (query) => connection.read(() => countFacts(query)),
    pageFacts: (query) =>
      connection.read(() =>
        page(query, query.owner === undefined && dialect.numbers === 'by owner' ? FACT_PAGES_BY_ID : FACT_PAGES, toFact),
      ),
    entities: (ids, owner) => connection.read(() => byIds('entities', ENTITY_COLUMNS, ids, owner, toEntity)),
    listEntities: (query) => connection.read(() => listEntities(query)),
    pageEntities: (query) => connection.read(() => page(query, ENTITY_PAGES, toEntity)),
    edges: (query) => connection.read(() => edges(query)),
    edgesById: (ids, owner) => connection.read(() => byIds('entity_edges', EDGE_COLUMNS, ids, owner, toEdge)),
    pageEdges: (query) => connection.read(() => page(query, EDGE_PAGES, toEdge)),
    sources: (ids, owner) => connection.read(() => byIds('sources', SOURCE_COLUMNS, ids, owner, toSource)),
    pageSources: (query) => connection.read(() => page(query, SOURCE_PAGES, toSource)),
    sourceFiles: (sourceId, { after, limit }) => connection.read(() => filesOf(sourceId, after, limit)),
    passages: (sourceId, range) => connection.read(() => passagesIn(sourceId, range)),
    journal: (query) => connection.read(() => journal(dialect, query)),
    journalTrimmed: () => connection.read(trimmedSeq),
    counts: (owner) => connection.read(() => counts(dialect, owner)),
    feed: (query) => connection.read(() => feed(query)),
    browse: (filter, page) => connection.read(() => browse(dialect, filter, page)),
    facets: (filter) => connection.read(() => facets(dialect, filter)),
    subjects: (filter, limit) => connection.read(() => subjects(dialect, filter, limit)),
    rivals: (query) => connection.read(() => rivals(query)),
    alike: (query) => connection.read(() => alike(query)),
    histogram: (filter, query) => connection.read(() => histogram(dialect, filter, query)),
    arrangements: (query) => connection.read(() => arrangements(query)),
    arrangementsMark: () => connection.read(arrangementsMark),
    digestOf: (kind, id) => connection.read(() => digestOf(kind, id)),
    useNonce: (peer, nonce, until) => connection.write(() => useNonce(peer, nonce, clock.now(), until)),
  }
}

/** Rows by key, in key order. */
function* byIds<T extends { readonly id: string }>(
  table: string,
  columns: string,
  ids: readonly string[],
  owner: string | undefined,
  convert: (row: Row) => T,
): Plan<readonly T[]> {
  const rows =
    owner === undefined
      ? yield* inSlices(ids, (marks) => `SELECT ${columns} FROM ${table} WHERE id IN (${marks})`)
      : yield* inSlices(ids, (marks) => `SELECT ${columns} FROM ${table} WHERE +owner = ? AND id IN (${marks})`, owner)
  const found = new Map(rows.map((row) => [row.id, convert(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

const factConditions = (query: Omit<FactQuery, 'limit' | 'offset'>): Condition =>
  where([
    equals('owner', query.owner),
    equals('session', query.session),
    equals('status', query.status),
    equals('subject', query.subject),
    equals('claim', query.claim),
    query.claim !== undefined && toCondition(VALIDITY_RULES.current),
    query.validAt !== undefined && toCondition(VALIDITY_RULES.valid(query.validAt)),
    query.recordedAfter !== undefined && { text: 'recorded_at > ?', values: [query.recordedAfter] },
    query.recordedBefore !== undefined && { text: 'recorded_at < ?', values: [query.recordedBefore] },
    equals('kind', query.kind),
    query.text !== undefined && { text: `lower(text) LIKE ? ESCAPE '!'`, values: [containing(query.text)] },
    query.idPrefix !== undefined && { text: 'substr(id, 1, ?) = ?', values: [query.idPrefix.length, query.idPrefix] },
    query.reach !== undefined && reachCondition(query.reach),
  ])

const containing = (text: string): string => `%${text.toLowerCase().replaceAll(/[!%_]/g, '!$&')}%`

/** System facts are not listed. */
function* listFacts({ numbers }: Dialect, query: FactQuery): Plan<ReturnType<typeof toFact>[]> {
  const condition = and(factConditions(query), IS_NOT_SYSTEM)
  // Rows of several owners may have the same number. A claim has few facts, so the order must not make the planner scan by time.
  const keys = [
    query.claim === undefined ? 'recorded_at' : '+recorded_at',
    'rid',
    ...(query.owner === undefined && numbers === 'by owner' ? ['owner'] : []),
  ]
  const order = keys.map((key) => (query.oldestFirst ? key : `${key} DESC`)).join(', ')
  const rows = yield* run(
    `SELECT ${FACT_COLUMNS} FROM facts${condition.text} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...condition.values,
    query.limit,
    query.offset,
  )
  return rows.map(toFact)
}

const countFacts = (query: Omit<FactQuery, 'limit' | 'offset'>): Plan<number> => countListed(factConditions(query))

/** Counts all facts minus system facts: those are few and indexed, and testing every row would cost more than counting. */
function* countListed(condition: Condition): Plan<number> {
  const system = and(condition, IS_SYSTEM)
  const row = yield* first(
    `SELECT (SELECT count(*) FROM facts${condition.text}) - (SELECT count(*) FROM facts${system.text}) AS n`,
    ...condition.values,
    ...system.values,
  )
  return row === undefined ? 0 : number(row, 'n')
}

const and = ({ text: what, values }: Condition, more: string): Condition => ({
  text: what === '' ? ` WHERE ${more}` : `${what} AND ${more}`,
  values,
})

function* listEntities(query: EntityQuery): Plan<ReturnType<typeof toEntity>[]> {
  if (query.nameParts !== undefined) {
    const ids = yield* idsByNameParts(query)
    const found = new Map((yield* byIds('entities', ENTITY_COLUMNS, ids, query.owner, toEntity)).map((entity) => [entity.id, entity]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }
  const named = query.names === undefined ? undefined : among('n.name', query.names)
  const keyed = query.keys === undefined ? undefined : among('n.name_key', query.keys)
  const condition = where([equals('e.owner', query.owner), named, keyed])
  const join = named === undefined && keyed === undefined ? '' : ' JOIN entity_names n ON n.entity_id = e.id AND n.owner = e.owner'
  const columns = ENTITY_COLUMNS.split(', ')
    .map((column) => `e.${column}`)
    .join(', ')
  const rows = yield* run(
    `SELECT DISTINCT ${columns} FROM entities e${join}${condition.text} ORDER BY e.created_at DESC, e.id LIMIT ? OFFSET ?`,
    ...condition.values,
    query.limit,
    query.offset,
  )
  return rows.map(toEntity)
}

interface Pages {
  readonly table: string
  /** A condition that restricts the rows of the table. */
  readonly only?: string
  readonly columns: string
  readonly at: string
  readonly key: string
  keyOf(row: Row): number | string
}

const FACT_PAGES: Pages = {
  table: 'facts',
  columns: `rid, ${FACT_COLUMNS}`,
  at: 'recorded_at',
  key: 'rid',
  keyOf: (row) => number(row, 'rid'),
}
/** Pages by id, for tables in which rows of several owners may have the same number. */
const FACT_PAGES_BY_ID: Pages = { ...FACT_PAGES, key: 'id', keyOf: (row) => text(row, 'id') }
const ENTITY_PAGES: Pages = { table: 'entities', columns: ENTITY_COLUMNS, at: 'created_at', key: 'id', keyOf: (row) => text(row, 'id') }

const SOURCE_PAGES: Pages = { ...ENTITY_PAGES, table: 'sources', columns: SOURCE_COLUMNS }
const EDGE_PAGES: Pages = { ...ENTITY_PAGES, table: 'entity_edges', columns: EDGE_COLUMNS, only: 'derived = 0' }

function* page<T>(query: PageQuery, { table, columns, at: now, key, keyOf, only }: Pages, convert: (row: Row) => T): Plan<Page<T>> {
  const { owner, after, limit } = query
  const condition = where([
    equals('owner', owner),
    only !== undefined && { text: only, values: [] },
    after !== undefined && { text: `(${now}, ${key}) > (?, ?)`, values: [after.at, after.key] },
  ])
  const rows = yield* run(`SELECT ${columns} FROM ${table}${condition.text} ORDER BY ${now}, ${key} LIMIT ?`, ...condition.values, limit)
  const last = rows.length < limit ? undefined : rows[rows.length - 1]
  return { items: rows.map(convert), next: last === undefined ? null : { at: number(last, now), key: keyOf(last) } }
}

const byCreation = (a: Edge, b: Edge): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

function* edges(query: EdgeQuery): Plan<ReturnType<typeof toEdge>[]> {
  // The unary plus keeps the planner on the index of the nodes: an owner has far more edges than a node.
  const ofNodes = query.nodes !== undefined || query.from !== undefined || query.to !== undefined
  const shared = [
    equals(ofNodes ? '+owner' : 'owner', query.owner),
    among('relation', query.types),
    equals('subject', query.from),
    equals('object', query.to),
    equals('subject_kind', query.betweenKinds?.[0]),
    equals('object_kind', query.betweenKinds?.[1]),
    query.stated === true && { text: `+derived IN (${EDGE_ORIGINS.no}, ${EDGE_ORIGINS.fromFields})`, values: [] },
  ]
  const direction = query.direction ?? 'both'
  const sides =
    query.nodes === undefined
      ? [undefined]
      : [...(direction === 'incoming' ? [] : ['subject']), ...(direction === 'outgoing' ? [] : ['object'])]
  const found = new Map<string, ReturnType<typeof toEdge>>()
  for (const side of sides) {
    for (let i = 0; i < Math.max(1, query.nodes?.length ?? 0); i += 200) {
      const condition = where([side === undefined ? undefined : among(side, query.nodes?.slice(i, i + 200)), ...shared])
      const rows = yield* run(
        `SELECT ${EDGE_COLUMNS} FROM entity_edges${condition.text} ORDER BY created_at, id LIMIT ?`,
        ...condition.values,
        query.limit,
      )
      for (const edge of rows.map(toEdge)) found.set(edge.id, edge)
    }
  }
  return [...found.values()].sort(byCreation).slice(0, query.limit)
}

function* journal({ numbers }: Dialect, query: JournalQuery): Plan<ReturnType<typeof toJournalEntry>[]> {
  const { beyond } = query
  // Numbers of several owners are not comparable; if all owners share them, they are faster than the HLC.
  const order = query.owner === undefined && numbers === 'by owner' ? 'hlc' : 'seq'
  if (order === 'hlc' && (query.after !== undefined || query.before !== undefined))
    throw new MemoryError('invalid_input', 'On PostgreSQL, change numbers are per owner.', {
      hint: 'Add --owner; `mneme history` shows it.',
    })
  const side = query.newestFirst ? '<' : '>'
  const condition = where([
    beyond !== undefined && { text: `${order} ${side} ?`, values: [beyond[order]] },
    query.after !== undefined && { text: 'seq > ?', values: [query.after] },
    query.before !== undefined && { text: 'seq < ?', values: [query.before] },
    equals('owner', query.owner),
    equals('target', query.target),
  ])
  const rows = yield* run(
    `SELECT * FROM journal${condition.text} ORDER BY ${order}${query.newestFirst ? ' DESC' : ''} LIMIT ?`,
    ...condition.values,
    query.limit,
  )
  return rows.map(toJournalEntry)
}

/** In a shared database, counts come from the owners' rows. */
function* listedFacts({ numbers }: Dialect, owner: string | undefined): Plan<number> {
  if (numbers === 'together') return yield* countListed(where([equals('owner', owner)]))
  const system = and(where([equals('owner', owner)]), IS_SYSTEM)
  const known = where([equals('owner', owner)])
  const row = yield* first(
    `SELECT (SELECT coalesce(sum(facts), 0) FROM owners${known.text}) - (SELECT count(*) FROM facts${system.text}) AS n`,
    ...known.values,
    ...system.values,
  )
  return row === undefined ? 0 : number(row, 'n')
}

function* counts(dialect: Dialect, owner: string | undefined): Plan<Counts> {
  const count = function* (table: string, extra?: Condition): Plan<number> {
    const condition = where([equals('owner', owner), extra])
    const row = yield* first(`SELECT count(*) AS n FROM ${table}${condition.text}`, ...condition.values)
    return row === undefined ? 0 : number(row, 'n')
  }
  return {
    facts: yield* listedFacts(dialect, owner),
    entities: yield* count('entities'),
    edges: yield* count('entity_edges'),
    relations: yield* count('entity_edges', { text: 'derived = 0', values: [] }),
    sources: yield* count('sources'),
    passages: yield* count('passages'),
    activeFacts: yield* countListed(where([equals('owner', owner), toCondition(VALIDITY_RULES.current)])),
    outdatedFacts: yield* countListed(
      where([equals('owner', owner), { text: `status IN ('outdated', 'superseded', 'retracted')`, values: [] }]),
    ),
  }
}
