import type { Fact } from '../../core/facts/fact.js'
import { VALIDITY_RULES } from '../../core/facts/validity.js'
import type { Bucket, FactCell, FactFilter, HistogramQuery, SubjectCount } from '../../ports/facets.js'
import type { Page, PageCursor } from '../../ports/store.js'
import { reachCondition } from './plan/access-filter-sql.js'
import { among, equals, where } from './plan/conditions.js'
import type { Dialect } from './plan/dialect.js'
import { number, type Plan, run, text, textOrNull } from './plan/plan.js'
import { CURRENT_STATUS_LIST, FACT_COLUMNS, statusOf, toFact } from './plan/rows.js'
import { IS_NOT_SYSTEM } from './plan/system-forms.js'
import { type Condition, toCondition } from './plan/validity-sql.js'

const IS_VISIBLE: Condition = { text: IS_NOT_SYSTEM, values: [] }
/** Always holds. It lets a statement that counts read the index that has all it needs, and no other statement. */
const COUNTED_FACTS: Condition = { text: `kind >= ''`, values: [] }

/** Null is a value of its own here. */
function amongOrNull(column: string, values: readonly (string | null)[] | undefined): Condition | undefined {
  if (values === undefined || !values.includes(null)) return among(column, values)
  const named = values.filter((value) => value !== null)
  return named.length === 0
    ? { text: `${column} IS NULL`, values: [] }
    : { text: `(${column} IS NULL OR ${column} IN (${named.map(() => '?').join(', ')}))`, values: named }
}

function* wordCondition({ lexicalCondition, wordsByOwner }: Dialect, { words, owners }: FactFilter): Plan<Condition | undefined> {
  if (words === undefined) return undefined
  if (words.length === 0) return { text: '1 = 0', values: [] }
  const known =
    wordsByOwner === true && owners === undefined ? (yield* run(`SELECT owner FROM owners`)).map((row) => text(row, 'owner')) : owners
  return lexicalCondition(known ?? [], words)
}

/** Facts that are about something of this name, or mention it. */
const named = (name: string): Condition => ({
  text: `(subject_name = ? OR EXISTS (SELECT 1 FROM mentions m WHERE m.owner = facts.owner AND m.name = ? AND m.rid = facts.rid))`,
  values: [name, name],
})

function* conditionsOf(dialect: Dialect, filter: FactFilter): Plan<readonly (Condition | false | undefined)[]> {
  return [
    among('owner', filter.owners),
    among('status', filter.statuses),
    among('kind', filter.kinds),
    among('source', filter.sources),
    amongOrNull('author', filter.authors),
    equals('quarantine', filter.quarantine),
    filter.name !== undefined && named(filter.name),
    among('subject_name', filter.subjects),
    filter.recordedFrom !== undefined && { text: 'recorded_at >= ?', values: [filter.recordedFrom] },
    filter.recordedUntil !== undefined && { text: 'recorded_at < ?', values: [filter.recordedUntil] },
    filter.validAt !== undefined && toCondition(VALIDITY_RULES.valid(filter.validAt)),
    filter.reach !== undefined && reachCondition(filter.reach),
    yield* wordCondition(dialect, filter),
    IS_VISIBLE,
  ]
}

/** Statements on rare values look through the index that holds them: in the order of time they would read most of the table. */
const isNarrow = ({ statuses, kinds, sources, authors, quarantine }: FactFilter): boolean =>
  [statuses, kinds, sources, authors, quarantine].some((values) => values !== undefined)

export function* browse(
  dialect: Dialect,
  filter: FactFilter,
  { after, limit }: { readonly after?: PageCursor; readonly limit: number },
): Plan<Page<Fact>> {
  const condition = where([
    ...(yield* conditionsOf(dialect, filter)),
    after !== undefined && { text: '(recorded_at, id) < (?, ?)', values: [after.at, after.key] },
    isNarrow(filter) && COUNTED_FACTS,
  ])
  const places = yield* run(
    `SELECT id, owner, recorded_at FROM facts${condition.text} ORDER BY recorded_at DESC, id DESC LIMIT ?`,
    ...condition.values,
    limit,
  )
  const ids = places.map((row) => text(row, 'id'))
  const owners = [...new Set(places.map((row) => text(row, 'owner')))]
  const only = where([among('+owner', owners), among('id', ids)])
  const rows = ids.length === 0 ? [] : yield* run(`SELECT ${FACT_COLUMNS} FROM facts${only.text}`, ...only.values)
  const facts = new Map(rows.map((row) => [text(row, 'id'), toFact(row)]))
  const last = places.length < limit ? undefined : places[places.length - 1]
  return {
    items: ids.flatMap((id) => facts.get(id) ?? []),
    next: last === undefined ? null : { at: number(last, 'recorded_at'), key: text(last, 'id') },
  }
}

export function* facets(dialect: Dialect, filter: FactFilter): Plan<readonly FactCell[]> {
  const condition = where([...(yield* conditionsOf(dialect, filter)), COUNTED_FACTS])
  const rows = yield* run(
    `SELECT owner, status, kind, source, author, count(*) AS n FROM facts${condition.text}
     GROUP BY owner, status, kind, source, author ORDER BY owner, status, kind, source, author`,
    ...condition.values,
  )
  return rows.map((row) => ({
    owner: text(row, 'owner'),
    status: statusOf(row),
    kind: text(row, 'kind'),
    source: text(row, 'source'),
    author: textOrNull(row, 'author'),
    count: number(row, 'n'),
  }))
}

/** Always holds. It lets a statement read the index from which facts are loaded, which holds what they are about. */
const LOADED_FACTS: Condition = { text: 'code >= 0', values: [] }

/** The label is that of the fact with the greatest id, which is read apart: counting reads no texts. */
export function* subjects(dialect: Dialect, filter: FactFilter, limit: number): Plan<readonly SubjectCount[]> {
  const { kinds, sources, quarantine, words } = filter
  const isIndexed = [kinds, sources, quarantine, words].every((values) => values === undefined)
  const condition = where([
    ...(yield* conditionsOf(dialect, filter)),
    { text: 'subject_name IS NOT NULL', values: [] },
    isIndexed && LOADED_FACTS,
  ])
  const counted = yield* run(
    `SELECT subject_name, count(*) AS n, max(id) AS sample FROM facts${condition.text} GROUP BY subject_name ORDER BY n DESC, subject_name LIMIT ?`,
    ...condition.values,
    limit,
  )
  const samples = where([
    among(
      'id',
      counted.map((row) => text(row, 'sample')),
    ),
  ])
  const rows = counted.length === 0 ? [] : yield* run(`SELECT id, title, subject FROM facts${samples.text}`, ...samples.values)
  const labels = new Map(rows.map((row) => [text(row, 'id'), textOrNull(row, 'title') ?? textOrNull(row, 'subject')]))
  return counted.map((row) => {
    const subject = text(row, 'subject_name')
    return { subject, label: labels.get(text(row, 'sample')) ?? subject, count: number(row, 'n') }
  })
}

export function* histogram(dialect: Dialect, filter: FactFilter, { from, until, width }: HistogramQuery): Plan<readonly Bucket[]> {
  const conditions = [...(yield* conditionsOf(dialect, filter)), COUNTED_FACTS]
  const count = function* (column: string, also: Condition | false): Plan<ReadonlyMap<number, number>> {
    const within = { text: `${column} >= ? AND ${column} < ?`, values: [from, until] }
    const condition = where([...conditions, within, also])
    const rows = yield* run(
      `SELECT (${column} - CAST(? AS BIGINT)) / CAST(? AS BIGINT) AS bucket, count(*) AS n FROM facts${condition.text} GROUP BY 1`,
      from,
      width,
      ...condition.values,
    )
    return new Map(rows.map((row) => [number(row, 'bucket'), number(row, 'n')]))
  }
  const learned = yield* count('recorded_at', false)
  const ended = yield* count('valid_until', { text: `status NOT IN ${CURRENT_STATUS_LIST}`, values: [] })
  return [...new Set([...learned.keys(), ...ended.keys()])]
    .sort((a, b) => a - b)
    .map((bucket) => ({ at: from + bucket * width, learned: learned.get(bucket) ?? 0, ended: ended.get(bucket) ?? 0 }))
}
