import type { DeliveredFact, Deliveries, Delivery, DeliveryQuery } from '../../../ports/deliveries.js'
import { among, equals, where } from '../plan/conditions.js'
import {
  all,
  type Connection,
  json,
  number,
  numberOrNull,
  type Plan,
  type Query,
  type Row,
  run,
  text,
  textOrNull,
  type Value,
} from '../plan/plan.js'
import type { Condition } from '../plan/validity-sql.js'

const COLUMNS = 'owner, id, at, client, conversation, kind, question, confidence, facts'

export const createDeliveries = (connection: Connection): Deliveries => ({
  record: (deliveries, keep) =>
    connection.write(
      function* () {
        yield* all(deliveries.flatMap(inserts))
        yield* dropOld(keep)
      },
      { durable: false },
    ),
  list: (query) => connection.read(() => list(query)),
})

const inserts = (delivery: Delivery): readonly Query[] => [
  {
    text: `INSERT INTO deliveries (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [
      delivery.owner,
      delivery.id,
      delivery.at,
      delivery.client,
      delivery.conversation,
      delivery.kind,
      delivery.question,
      delivery.confidence,
      JSON.stringify(delivery.facts.map(({ id, relevance }) => [id, relevance])),
    ],
  },
  ...[...new Set(delivery.facts.map(({ id }) => id))].map((id) => ({
    text: `INSERT INTO delivered_facts (owner, fact_id, delivery) VALUES (?, ?, ?)`,
    values: [delivery.owner, id, delivery.id],
  })),
]

function* dropOld({ since, most: max }: { readonly since: number; readonly most: number }): Plan<void> {
  yield* drop('at < ?', since)
  const [oldest] = yield* run(`SELECT at, id FROM deliveries ORDER BY at DESC, id DESC LIMIT 1 OFFSET ?`, max)
  if (oldest !== undefined) yield* drop('(at, id) <= (?, ?)', number(oldest, 'at'), text(oldest, 'id'))
}

function* drop(condition: string, ...values: readonly Value[]): Plan<void> {
  yield* run(`DELETE FROM delivered_facts WHERE delivery IN (SELECT id FROM deliveries WHERE ${condition})`, ...values)
  yield* run(`DELETE FROM deliveries WHERE ${condition}`, ...values)
}

/** Erases every delivery that names one of these facts. `which` is a condition on the id of a fact. */
export function* forgetDeliveries(which: '= ?' | 'IN (SELECT id FROM facts WHERE owner = ?)', value: string): Plan<void> {
  const found = yield* run(`SELECT DISTINCT delivery FROM delivered_facts WHERE fact_id ${which}`, value)
  for (const row of found) yield* drop('id = ?', text(row, 'delivery'))
}

/** SQLite folds the case of ASCII letters only, so the text is looked for as it is written as well. */
function aboutCondition({ text: wanted, facts }: NonNullable<DeliveryQuery['about']>): Condition {
  const pattern = (value: string): string => `%${value.replaceAll(/[\\%_]/g, '\\$&')}%`
  const named = among('fact_id', facts)
  const questionMatches = `lower(question) LIKE ? ESCAPE '\\' OR question LIKE ? ESCAPE '\\'`
  const values = [pattern(wanted.toLowerCase()), pattern(wanted)]
  return named === undefined || facts.length === 0
    ? { text: `(${questionMatches})`, values }
    : {
        text: `(${questionMatches} OR id IN (SELECT delivery FROM delivered_facts WHERE ${named.text}))`,
        values: [...values, ...named.values],
      }
}

function* list(query: DeliveryQuery): Plan<readonly Delivery[]> {
  const { about, before, fact, since } = query
  const condition = where([
    among('owner', query.owners),
    equals('client', query.client),
    equals('conversation', query.conversation),
    fact !== undefined && { text: `id IN (SELECT delivery FROM delivered_facts WHERE fact_id = ?)`, values: [fact] },
    about !== undefined && aboutCondition(about),
    since !== undefined && { text: 'at >= ?', values: [since] },
    before !== undefined && { text: '(at, id) < (?, ?)', values: [before.at, before.id] },
  ])
  const rows = yield* run(
    `SELECT ${COLUMNS} FROM deliveries${condition.text} ORDER BY at DESC, id DESC LIMIT ?`,
    ...condition.values,
    query.limit,
  )
  return rows.map(toDelivery)
}

const toDelivery = (row: Row): Delivery => ({
  id: text(row, 'id'),
  at: number(row, 'at'),
  owner: text(row, 'owner'),
  client: text(row, 'client'),
  conversation: textOrNull(row, 'conversation'),
  kind: kindOf(text(row, 'kind')),
  question: textOrNull(row, 'question'),
  confidence: numberOrNull(row, 'confidence'),
  facts: factsIn(row),
})

const kindOf = (word: string): Delivery['kind'] => (word === 'start' || word === 'prompt' ? word : 'recall')

function factsIn(row: Row): readonly DeliveredFact[] {
  const stored = json(row, 'facts')
  return (Array.isArray(stored) ? stored : []).flatMap((entry) => {
    const [id, relevance] = Array.isArray(entry) ? entry : []
    return typeof id === 'string' ? [{ id, relevance: typeof relevance === 'number' ? relevance : null }] : []
  })
}
