import { forgetAnswersOf } from './calls.js'
import type { Dialect } from './dialect.js'
import type { Journal } from './journal.js'
import { startAnew } from './owners.js'
import { all, number, type Plan, run, text } from './plan.js'

const OWNED = [
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
] as const

/** Deletes everything of one owner, or of all when null; the journal keeps only that things happened. */
export function* reset(owner: string | null, reason: string | null, dialect: Dialect, journal: Journal): Plan<void> {
  const where = owner === null ? '' : ' WHERE owner = ?'
  const values = owner === null ? [] : [owner]
  if (owner === null) yield* all(dialect.clear())
  else
    for (const table of ['facts', 'passages'] as const) {
      const codes = table === 'facts' ? 'fact_codes' : 'passage_codes'
      for (const row of yield* run(`SELECT rid, id FROM ${table}${where}`, ...values)) {
        const rid = number(row, 'rid')
        if (table === 'facts') yield* all(dialect.lexicalDelete(rid))
        if (table === 'facts') yield* run(`DELETE FROM piece_codes WHERE rid = ?`, rid)
        yield* run(`DELETE FROM ${codes} WHERE rid = ?`, rid)
        yield* all(dialect.vectorDelete(table, text(row, 'id')))
      }
    }
  yield* run(`DELETE FROM passage_refs WHERE rid IN (SELECT rid FROM passages${where})`, ...values)
  yield* run(`DELETE FROM source_files WHERE source_id IN (SELECT id FROM sources${where})`, ...values)
  yield* run(`DELETE FROM fact_retractions WHERE fact_id IN (SELECT id FROM facts${where})`, ...values)
  if (owner !== null) yield* forgetAnswersOf(owner)
  for (const table of OWNED) yield* run(`DELETE FROM ${table}${where}`, ...values)
  yield* run(`UPDATE journal SET before = NULL, after = NULL, reason = NULL${where}`, ...values)
  yield* startAnew(owner)
  yield* journal.write('reset', 'store', owner ?? '*', owner ?? '*', null, null, reason)
}
