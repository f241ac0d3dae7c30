import { looksLikeCode } from '../../../core/code/text.js'
import { embedPieces, embedText, fullText, hasSameLexicalParts, lexicalParts, subjectName } from '../../../core/embedding/fact-text.js'
import type { Fact } from '../../../core/facts/fact.js'
import { checkConsistent } from '../../../core/facts/validity.js'
import { isStatement } from '../../../core/statements/statement.js'
import {
  assignHlcAndHash,
  checkAcyclic,
  checkUnchanged,
  deriveEffects,
  findSameAssertion,
  hasMoved,
  shouldEmbed,
  toJournalPayload,
} from '../../../core/statements/statement-effects.js'
import { claimKey } from '../../../core/substrate/objects/claims.js'
import { packTerms } from '../../../core/text/term-bag.js'
import { unlinkMentions, unlinkSimilar } from '../links/links.js'
import type { Journal } from '../owners/journal.js'
import type { Dialect } from '../plan/dialect.js'
import { all, first, number, type Plan, run, text } from '../plan/plan.js'
import { checksumFact } from '../plan/row-checksums.js'
import { assignments, FACT_COLUMNS, factValues, marks, toFact } from '../plan/rows.js'
import { deleteEdgesOf } from './commit-edges.js'
import { changeSubject, checkVersion, conflict, countAuthor, type DeferredLinks, forgetName } from './commit-names.js'
import { answering, followStatement, forgetStatement, markCard } from './commit-statements.js'
import { forgetDeliveries } from './deliveries.js'

const FACT_MARKS = marks(FACT_COLUMNS)
const FACT_ASSIGNMENTS = assignments(FACT_COLUMNS)
// Built once: building and looking up a statement of this length takes as long as writing the row.
const INSERT_FACT = `INSERT INTO facts (rid, ${FACT_COLUMNS}, seal, subject_name, claim, code, pieces, terms, embedded) VALUES (?, ${FACT_MARKS}, ?, ?, ?, ?, ?, ?, ?)`

export interface CommitWork {
  readonly dialect: Dialect
  readonly journal: Journal
  readonly pending: DeferredLinks
  /** Statements at or below this confidence are not embedded. */
  readonly embedAbove: number
}

interface FactPut {
  readonly fact: Fact
  readonly imported?: boolean | undefined
  /** Skipped if its source asserted the same already. */
  readonly once?: boolean | undefined
  readonly reason: string | null
}

/** No vector, and none required. */
const NO_VECTOR_REQUIRED = 3

export function* putFact({ fact: put, imported = false, once = false, reason }: FactPut, committing: CommitWork): Plan<void> {
  const { dialect, journal, pending } = committing
  const fact = assignHlcAndHash(put, journal.nextHlc)
  const isNew = fact.version === 1 && !imported && isStatement(fact)
  const repeat = once ? yield* answering(findSameAssertion(fact), journal.at) : undefined
  if (repeat !== undefined) {
    pending.repeats.set(fact.id, repeat.id)
    return
  }
  if (isNew) yield* answering(checkAcyclic(fact), journal.at)
  const row =
    fact.version === 1 || imported
      ? undefined
      : yield* first(`SELECT rid, embedded, ${FACT_COLUMNS} FROM facts WHERE id = ? AND owner = ?`, fact.id, fact.owner)
  const before = row === undefined ? undefined : toFact(row)
  checkVersion(`Fact ${fact.id}`, before, fact, imported)
  checkConsistent(fact, before, journal.at)
  checkUnchanged(before, fact)
  const subject = subjectName(fact)
  const claim = claimKey(fact)
  const worded = before === undefined || !hasSameLexicalParts(before, fact)
  const values = factValues(fact)
  let rid: number
  if (row === undefined) {
    // An id in use violates the key, which is reported as a conflict.
    rid = journal.ledger.nextRow(fact.owner)
    journal.ledger.countFacts(fact.owner, 1)
    yield* run(
      INSERT_FACT,
      rid,
      ...values,
      checksumFact(values),
      subject,
      claim,
      looksLikeCode(fact.text) ? 1 : 0,
      embedPieces(fact).length,
      packTerms(lexicalParts(fact)),
      shouldEmbed(fact, committing.embedAbove) === true ? 0 : NO_VECTOR_REQUIRED,
    )
  } else {
    rid = number(row, 'rid')
    yield* run(
      `UPDATE facts SET ${FACT_ASSIGNMENTS}, seal = ?, subject_name = ?, claim = ? WHERE rid = ? AND owner = ?`,
      ...[...values, checksumFact(values), subject, claim, rid, fact.owner],
    )
    if (worded)
      yield* run(
        `UPDATE facts SET code = ?, pieces = ?, terms = ? WHERE rid = ? AND owner = ?`,
        looksLikeCode(fact.text) ? 1 : 0,
        embedPieces(fact).length,
        packTerms(lexicalParts(fact)),
        rid,
        fact.owner,
      )
    if (before !== undefined && embedText(before) !== embedText(fact)) yield* dropVector(rid, fact, dialect)
    yield* followConfidence(fact, rid, number(row, 'embedded'), committing)
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
  // Derived edges change with the text and the embedding state.
  journal.ledger.touchEdges(fact.owner)
  yield* changeSubject(before === undefined ? null : subjectName(before), subject, fact.owner, pending)
  if (before?.author !== fact.author) {
    if (before !== undefined) countAuthor(fact.owner, before.author, -1, pending)
    countAuthor(fact.owner, fact.author, 1, pending)
  }
  const was = before === undefined ? null : toJournalPayload(before)
  yield* journal.write('fact.put', 'fact', fact.id, fact.owner, was, toJournalPayload(fact), reason, rid)
  yield* followStatement(before, fact, reason, journal)
  if (!isNew && !hasMoved(before, fact)) return
  for (const effect of yield* answering(deriveEffects(fact, journal.at), journal.at))
    yield* putFact({ fact: effect, reason: fact.reason }, committing)
}

/** Drops the vector when a statement loses its confidence, and requests one when it regains it. */
function* followConfidence(fact: Fact, rid: number, embedded: number, { dialect, embedAbove }: CommitWork): Plan<void> {
  const wanted = shouldEmbed(fact, embedAbove)
  if (wanted === undefined || wanted === (embedded !== NO_VECTOR_REQUIRED)) return
  if (!wanted) yield* dropVector(rid, fact, dialect)
  yield* run(`UPDATE facts SET embedded = ? WHERE rid = ? AND owner = ?`, wanted ? 0 : NO_VECTOR_REQUIRED, rid, fact.owner)
}

function* dropVector(rid: number, { id, owner }: Pick<Fact, 'id' | 'owner'>, dialect: Dialect): Plan<void> {
  yield* run(`UPDATE facts SET embedded = 0 WHERE rid = ? AND owner = ?`, rid, owner)
  yield* run(`DELETE FROM fact_codes WHERE rid = ? AND owner = ?`, rid, owner)
  yield* run(`DELETE FROM piece_codes WHERE rid = ? AND owner = ?`, rid, owner)
  yield* unlinkSimilar(id, owner)
  yield* all(dialect.vectorDelete('facts', owner, id))
}

export function* deleteFact(id: string, owner: string, reason: string | null, { dialect, journal, pending }: CommitWork): Plan<void> {
  const row = yield* first(`SELECT rid, subject_name, ${FACT_COLUMNS} FROM facts WHERE id = ? AND owner = ?`, id, owner)
  if (row === undefined) throw conflict(`Fact ${id}`)
  const rid = number(row, 'rid')
  pending.facts.delete(id)
  pending.fields.delete(id)
  yield* deleteEdgesOf(id, owner, journal)
  yield* unlinkMentions(rid, { id, owner })
  yield* dropVector(rid, { id, owner }, dialect)
  yield* all(dialect.lexicalDelete(owner, rid))
  if (row.subject_name !== null) yield* forgetName(owner, text(row, 'subject_name'), pending)
  countAuthor(owner, row.author === null ? null : text(row, 'author'), -1, pending)
  yield* forgetStatement(id, owner)
  if (row.asserted_confidence !== null) yield* markCard(toFact(row), journal.at)
  yield* forgetDeliveries('= ?', id)
  yield* run(`DELETE FROM facts WHERE rid = ? AND owner = ?`, rid, owner)
  journal.ledger.countFacts(owner, -1)
  journal.ledger.touchEdges(owner)
  yield* journal.forget(id, owner)
  yield* journal.write('fact.delete', 'fact', id, owner, null, null, reason, rid)
}
