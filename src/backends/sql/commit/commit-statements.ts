import type { Fact } from '../../../core/facts/fact.js'
import { isCurrentStatus, VALIDITY_RULES } from '../../../core/facts/validity.js'
import { EDGE_ORIGINS } from '../../../core/graph/linking.js'
import { DECAY } from '../../../core/statements/decay.js'
import { CARD_RELATION, isStatement, isSystemForm } from '../../../core/statements/statement.js'
import { edgeOf, hasMoved, type LookupPlan, type StatementLookup } from '../../../core/statements/statement-effects.js'
import type { Journal } from '../owners/journal.js'
import { inSlices, type Plan, type Row, run } from '../plan/plan.js'
import { EDGE_COLUMNS, edgeValues, FACT_COLUMNS, marks, toFact } from '../plan/rows.js'
import { also, type Condition, toCondition } from '../plan/validity-sql.js'

/** Facts with the same property and readers; written so that the index of claims applies. */
const claimOf = ({ owner, subject, predicate, scope, garden }: Fact): Condition => ({
  text: `owner = ? AND subject = ? AND predicate = ? AND scope = ? AND garden ${garden === null ? 'IS NULL' : '= ?'} AND asserted_confidence IS NOT NULL`,
  values: [owner, subject, predicate, scope, ...(garden === null ? [] : [garden])],
})

function* rowsFor(question: StatementLookup, now: number): Plan<readonly Row[]> {
  const select = `SELECT ${FACT_COLUMNS} FROM facts`
  if (question.about === 'ids')
    return yield* inSlices(question.ids, (list) => `${select} WHERE +owner = ? AND id IN (${list})`, question.owner)
  if (question.about === 'hashes')
    return yield* inSlices(question.hashes, (list) => `${select} WHERE owner = ? AND hash IN (${list})`, question.owner)
  if (question.about === 'derived')
    return yield* run(
      `${select} WHERE +owner = ? AND id IN (SELECT fact_id FROM fact_derivations WHERE owner = ? AND source_hash = ? LIMIT 1)`,
      question.owner,
      question.owner,
      question.hash,
    )
  const { fact, which } = question
  const live = also(claimOf(fact), toCondition(VALIDITY_RULES.valid({ at: now, present: true })))
  if (which === 'same source')
    return yield* run(`${select} WHERE ${live.text} AND source = ? AND form IS NULL AND id <> ?`, ...live.values, fact.source, fact.id)
  return yield* run(
    `${select} WHERE ${live.text} AND form IS NULL AND confidence > 0 AND id <> ?
     AND NOT (value_type = ? AND coalesce(value, 'null') = ?) ${which === 'other value here' ? 'AND received_from IS NULL' : ''} ORDER BY confidence DESC, hlc DESC LIMIT 1`,
    ...live.values,
    fact.id,
    fact.valueType,
    JSON.stringify(fact.value),
  )
}

/** Runs the rules of statements and answers their lookups from the tables. */
export function* answering<T>(asking: LookupPlan<T>, now: number): Plan<T> {
  for (let step = asking.next([]); ; ) {
    if (step.done === true) return step.value
    step = asking.next((yield* rowsFor(step.value, now)).map(toFact))
  }
}

/** Maintains what depends on a statement: its edge, the retraction instant, derivations, and the state of its card. */
export function* followStatement(before: Fact | undefined, fact: Fact, reason: string | null, journal: Journal): Plan<void> {
  if (!isStatement(fact) || isSystemForm(fact.form)) return
  yield* putEdgeOf(before, fact, reason === DECAY ? journal.at : null)
  const wasCurrent = before === undefined || isCurrentStatus(before.status)
  if (wasCurrent && before !== undefined && fact.status === 'retracted') yield* noteRetraction(fact, journal.at)
  // A statement from an export that was retracted elsewhere.
  if (before === undefined && fact.status === 'retracted' && (fact.assertedConfidence ?? 0) > 0 && fact.validUntil !== null)
    yield* noteRetraction(fact, fact.validUntil)
  if (before === undefined) {
    for (const hash of new Set(fact.derivedFrom))
      yield* run(`INSERT INTO fact_derivations (owner, source_hash, fact_id) VALUES (?, ?, ?)`, fact.owner, hash, fact.id)
  }
  yield* markCard(fact, journal.at)
  if (before !== undefined && hasMoved(before, fact)) yield* markCard(before, journal.at)
}

function* noteRetraction({ owner, id }: Fact, now: number): Plan<void> {
  yield* run(`INSERT INTO fact_retractions (owner, fact_id, retracted_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, owner, id, now)
}

function* putEdgeOf(before: Fact | undefined, fact: Fact, swept: number | null): Plan<void> {
  const edge = edgeOf(fact)
  if (edge === undefined) return
  if (before === undefined)
    return void (yield* run(
      `INSERT INTO entity_edges (${EDGE_COLUMNS}, derived) VALUES (${marks(EDGE_COLUMNS)}, ${EDGE_ORIGINS.fromStatement}) ON CONFLICT DO NOTHING`,
      ...edgeValues(edge),
    ))
  yield* run(
    `UPDATE entity_edges SET confidence = ?, source_trust = ?, valid_until = ?, decay_epoch = coalesce(?, decay_epoch), version = ? WHERE id = ? AND owner = ?`,
    edge.confidence,
    edge.trust,
    edge.validUntil,
    swept,
    edge.version,
    edge.id,
    edge.owner,
  )
}

/** Marks an existing card as out of date. */
export function* markCard(fact: Fact, now: number): Plan<void> {
  const card = claimOf({ ...fact, predicate: CARD_RELATION })
  yield* run(
    `INSERT INTO stale_cards (owner, entity, scope, garden, since, mark)
     SELECT owner, subject, scope, coalesce(garden, ''), CAST(? AS bigint), 1 FROM facts WHERE ${card.text} AND form = 'card'
     ON CONFLICT (owner, entity, scope, garden) DO UPDATE SET mark = stale_cards.mark + 1`,
    now,
    ...card.values,
  )
}

export function* forgetStatement(id: string, owner: string): Plan<void> {
  yield* run(`DELETE FROM fact_retractions WHERE fact_id = ? AND owner = ?`, id, owner)
  yield* run(`DELETE FROM fact_derivations WHERE fact_id = ? AND owner = ?`, id, owner)
}
