import { forgetAnswersOf } from '../owners/calls.js'
import type { Journal } from '../owners/journal.js'
import { ALL_OWNERS, invalidateCopies } from '../owners/owners.js'
import type { Dialect } from '../plan/dialect.js'
import { all, type Plan, run } from '../plan/plan.js'
import { forgetDeliveries } from './deliveries.js'

const OWNED_TABLES = [
  'fact_codes',
  'piece_codes',
  'passage_codes',
  'passage_refs',
  'source_files',
  'fact_retractions',
  'facts',
  'entities',
  'entity_names',
  'entity_vectors',
  'entity_edges',
  'names',
  'mentions',
  'authors',
  'sources',
  'passages',
  'calls',
  'fact_derivations',
  'stale_cards',
  'deliveries',
  'delivered_facts',
] as const

/** Deletes everything of one owner, or of all if null; tombstones remain in the journal. */
export function* reset(owner: string | null, reason: string | null, dialect: Dialect, journal: Journal): Plan<void> {
  const where = owner === null ? '' : ' WHERE owner = ?'
  const values = owner === null ? [] : [owner]
  yield* all(dialect.clear(owner))
  if (owner !== null) yield* forgetAnswersOf(owner)
  if (owner !== null) yield* forgetDeliveries('IN (SELECT id FROM facts WHERE owner = ?)', owner)
  for (const table of OWNED_TABLES) yield* run(`DELETE FROM ${table}${where}`, ...values)
  yield* run(`UPDATE journal SET before = NULL, after = NULL, reason = NULL${where}`, ...values)
  yield* invalidateCopies(owner)
  journal.ledger.reset(owner)
  yield* journal.write('reset', 'store', owner ?? ALL_OWNERS, owner ?? ALL_OWNERS, null, null, reason)
}
