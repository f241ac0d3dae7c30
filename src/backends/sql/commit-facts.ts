import { looksLikeCode } from '../../core/code/text.js'
import type { Fact } from '../../core/fact.js'
import { embedText, fullText, lexicalParts, sameWords, subjectName } from '../../core/fact-text.js'
import { claimKey } from '../../core/governed/claims.js'
import { piecesOf } from '../../core/pieces.js'
import { packTerms } from '../../core/term-bag.js'
import { checkConsistent } from '../../core/validity.js'
import { deleteEdgesOf } from './commit-edges.js'
import { changeSubject, checkVersion, conflict, forgetName, type Pending } from './commit-names.js'
import type { Dialect } from './dialect.js'
import type { Journal } from './journal.js'
import { learnAuthor, unlinkMentions, unlinkSimilar } from './links.js'
import { all, first, number, type Plan, run, text } from './plan.js'
import { assignments, FACT_COLUMNS, factValues, marks, toFact } from './rows.js'
import { sealFact } from './seals.js'

const FACT_MARKS = marks(FACT_COLUMNS)
const FACT_ASSIGNMENTS = assignments(FACT_COLUMNS)

export function* putFact(
  fact: Fact,
  imported: boolean,
  reason: string | null,
  dialect: Dialect,
  journal: Journal,
  pending: Pending,
): Plan<void> {
  const row =
    fact.version === 1 || imported
      ? undefined
      : yield* first(`SELECT rid, ${FACT_COLUMNS} FROM facts WHERE id = ? AND owner = ?`, fact.id, fact.owner)
  const before = row === undefined ? undefined : toFact(row)
  checkVersion(`Fact ${fact.id}`, before, fact, imported)
  checkConsistent(fact, before, journal.at)
  const subject = subjectName(fact)
  const claim = claimKey(fact)
  const worded = before === undefined || !sameWords(before, fact)
  const values = factValues(fact)
  let rid: number
  if (row === undefined) {
    // An id that is taken fails on its key, which is a conflict.
    rid = journal.ledger.nextRow(fact.owner)
    journal.ledger.countFacts(fact.owner, 1)
    yield* run(
      `INSERT INTO facts (rid, ${FACT_COLUMNS}, seal, subject_name, claim, code, pieces, terms) VALUES (?, ${FACT_MARKS}, ?, ?, ?, ?, ?, ?)`,
      rid,
      ...values,
      sealFact(values),
      subject,
      claim,
      looksLikeCode(fact.text) ? 1 : 0,
      piecesOf(fact.text).length,
      packTerms(lexicalParts(fact)),
    )
  } else {
    rid = number(row, 'rid')
    yield* run(
      `UPDATE facts SET ${FACT_ASSIGNMENTS}, seal = ?, subject_name = ?, claim = ? WHERE rid = ? AND owner = ?`,
      ...[...values, sealFact(values), subject, claim, rid, fact.owner],
    )
    if (worded)
      yield* run(
        `UPDATE facts SET code = ?, pieces = ?, terms = ? WHERE rid = ? AND owner = ?`,
        looksLikeCode(fact.text) ? 1 : 0,
        piecesOf(fact.text).length,
        packTerms(lexicalParts(fact)),
        rid,
        fact.owner,
      )
    if (before !== undefined && embedText(before) !== embedText(fact)) yield* dropVector(rid, fact, dialect)
  }
  if (worded) {
    if (row !== undefined) yield* all(dialect.lexicalDelete(fact.owner, rid))
    const { title, text: body } = fullText(fact)
    yield* all(dialect.lexicalPut(fact.owner, rid, title, body))
  }
  const relink = before === undefined || before.text !== fact.text || before.autoLink !== fact.autoLink
  if (relink && before !== undefined) yield* unlinkMentions(rid, fact)
  if (relink) pending.facts.set(fact.id, { rid, fact })
  const earlier = pending.fields.get(fact.id)
  pending.fields.set(fact.id, { fact, before: earlier === undefined ? before : earlier.before })
  // Automatic edges come and go with what the text names and how it is embedded.
  journal.ledger.touchEdges(fact.owner)
  yield* changeSubject(before === undefined ? null : subjectName(before), subject, fact.owner, pending)
  if (before?.author !== fact.author) {
    if (before !== undefined) yield* learnAuthor(fact.owner, before.author, -1)
    yield* learnAuthor(fact.owner, fact.author, 1)
  }
  yield* journal.write('fact.put', 'fact', fact.id, fact.owner, before ?? null, fact, reason, rid)
}

function* dropVector(rid: number, { id, owner }: Pick<Fact, 'id' | 'owner'>, dialect: Dialect): Plan<void> {
  yield* run(`UPDATE facts SET embedded = 0 WHERE rid = ? AND owner = ?`, rid, owner)
  yield* run(`DELETE FROM fact_codes WHERE rid = ? AND owner = ?`, rid, owner)
  yield* run(`DELETE FROM piece_codes WHERE rid = ? AND +owner = ?`, rid, owner)
  yield* unlinkSimilar(id, owner)
  yield* all(dialect.vectorDelete('facts', owner, id))
}

export function* deleteFact(
  id: string,
  owner: string,
  reason: string | null,
  dialect: Dialect,
  journal: Journal,
  pending: Pending,
): Plan<void> {
  const row = yield* first(`SELECT rid, subject_name, author FROM facts WHERE id = ? AND owner = ?`, id, owner)
  if (row === undefined) throw conflict(`Fact ${id}`)
  const rid = number(row, 'rid')
  pending.facts.delete(id)
  pending.fields.delete(id)
  yield* deleteEdgesOf(id, owner, journal)
  yield* unlinkMentions(rid, { id, owner })
  yield* dropVector(rid, { id, owner }, dialect)
  yield* all(dialect.lexicalDelete(owner, rid))
  if (row.subject_name !== null) yield* forgetName(owner, text(row, 'subject_name'), pending)
  yield* learnAuthor(owner, row.author === null ? null : text(row, 'author'), -1)
  yield* run(`DELETE FROM fact_retractions WHERE fact_id = ? AND owner = ?`, id, owner)
  yield* run(`DELETE FROM facts WHERE rid = ? AND owner = ?`, rid, owner)
  journal.ledger.countFacts(owner, -1)
  journal.ledger.touchEdges(owner)
  yield* journal.forget(id, owner)
  yield* journal.write('fact.delete', 'fact', id, owner, null, null, reason, rid)
}
