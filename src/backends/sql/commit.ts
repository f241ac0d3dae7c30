import type { Change } from '../../core/change.js'
import { looksLikeCode } from '../../core/code/text.js'
import type { Edge } from '../../core/edge.js'
import type { Entity } from '../../core/entity.js'
import type { Fact, Instant } from '../../core/fact.js'
import { embedText, fullText, lexicalParts, subjectName } from '../../core/fact-text.js'
import { nextInstant } from '../../core/instants.js'
import { DERIVED } from '../../core/linking.js'
import { type EntityName, namesOfEntity } from '../../core/names.js'
import { piecesOf } from '../../core/pieces.js'
import { packTerms } from '../../core/term-bag.js'
import { checkConsistent } from '../../core/validity.js'
import { MemoryError } from '../../errors.js'
import type { CallId, Receipt } from '../../ports/store.js'
import { recordCall, recordedCall } from './calls.js'
import { readClock } from './clock.js'
import type { Dialect } from './dialect.js'
import { type Journal, openJournal } from './journal.js'
import { learnAuthor, learnName, linkMentions, unlearnName, unlinkEntity, unlinkMentions, unlinkSimilar } from './links.js'
import type { NameNews, OwnedName } from './older-facts.js'
import { notePlaces } from './owners.js'
import { all, first, insert, number, type Plan, run, text } from './plan.js'
import { reset } from './reset.js'
import {
  assignments,
  EDGE_COLUMNS,
  ENTITY_COLUMNS,
  edgeValues,
  entityValues,
  FACT_COLUMNS,
  factValues,
  marks,
  toEdge,
  toEntity,
  toFact,
} from './rows.js'
import { seal, sealFact } from './seals.js'
import { deleteSource, putSource } from './sources.js'

export interface CommitOptions {
  readonly dialect: Dialect
  readonly actor: string
  readonly now: Instant
  readonly decide: (at: Instant) => readonly Change[]
  readonly call?: CallId | undefined
}

/** Links are made after all rows of a commit are there, so that facts stored together find each other. */
interface Pending {
  readonly facts: Map<number, Fact>
  readonly names: Map<string, OwnedName>
  /** Names that nobody uses any more. */
  readonly dropped: Map<string, OwnedName>
}

interface Committed {
  readonly receipt: Receipt
  /** What facts that were there before may have to be linked for. */
  readonly news: NameNews
}

const NO_NEWS: NameNews = { learned: [], dropped: [] }

const FACT_MARKS = marks(FACT_COLUMNS)
const FACT_ASSIGNMENTS = assignments(FACT_COLUMNS)

const conflict = (what: string): MemoryError =>
  new MemoryError('conflict', `${what} was changed by someone else at the same moment.`, { hint: 'Read it again and repeat the change.' })

/** The one write path: rows, journal and index entries of a list of changes. Runs inside one transaction. */
export function* commit({ dialect, actor, now, decide, call }: CommitOptions): Plan<Committed> {
  const last = yield* readClock()
  const at = nextInstant(now, last.time + 1)
  const earlier = call === undefined ? undefined : yield* recordedCall(call, at)
  if (earlier !== undefined) return { receipt: { at, firstSeq: 0, lastSeq: 0, earlier }, news: NO_NEWS }
  const changes = decide(at)
  // The order of the journal never goes back, whatever becomes of the time.
  const order = Math.max(at, last.order + 1)
  const journal = openJournal(actor, at, order)
  const pending: Pending = { facts: new Map(), names: new Map(), dropped: new Map() }
  for (const change of changes) yield* apply(change, dialect, journal, pending)
  for (const [rid, fact] of pending.facts)
    if (fact.autoLink) yield* linkMentions({ rid, id: fact.id, owner: fact.owner, text: fact.text }, at)
  const taken = Math.max(1, changes.length, journal.entries) - 1
  yield* notePlaces({ time: at + taken, order: order + taken }, journal.lastSeq, journal.owners)
  const receipt = { at, firstSeq: journal.firstSeq, lastSeq: journal.lastSeq }
  if (call !== undefined && receipt.lastSeq > 0) yield* recordCall(call, receipt, order)
  return { receipt, news: { learned: [...pending.names.values()], dropped: [...pending.dropped.values()] } }
}

function* apply(change: Change, dialect: Dialect, journal: Journal, pending: Pending): Plan<void> {
  const reason = change.reason ?? null
  switch (change.op) {
    case 'fact.put':
      return yield* putFact(change.fact, change.imported === true, reason, dialect, journal, pending)
    case 'fact.delete':
      return yield* deleteFact(change.id, change.owner, reason, dialect, journal, pending)
    case 'entity.put':
      return yield* putEntity(change.entity, change.imported === true, reason, journal, pending)
    case 'entity.delete':
      return yield* deleteEntity(change.id, change.owner, reason, journal, pending)
    case 'edge.put':
      return yield* putEdge(change.edge, change.imported === true, reason, journal)
    case 'edge.delete':
      return yield* deleteEdge(change.id, change.owner, reason, journal)
    case 'source.put':
      return yield* putSource(change.source, change.files ?? [], reason, dialect, journal)
    case 'source.delete':
      yield* deleteSource(change.id, change.owner, reason, dialect, journal)
      return yield* deleteEdgesOf(change.id, journal)
    case 'reset':
      for (const [rid, fact] of pending.facts) if (change.owner === null || fact.owner === change.owner) pending.facts.delete(rid)
      return yield* reset(change.owner, reason, dialect, journal)
  }
}

type Versioned = { readonly owner: string; readonly version: number }

/** A creation must find nothing, a replacement the version right before it, of the same owner. */
function checkVersion(what: string, stored: Versioned | undefined, put: Versioned, imported: boolean): void {
  const follows =
    stored === undefined ? imported || put.version === 1 : !imported && put.version === stored.version + 1 && put.owner === stored.owner
  if (!follows) throw conflict(what)
}

function* putFact(fact: Fact, imported: boolean, reason: string | null, dialect: Dialect, journal: Journal, pending: Pending): Plan<void> {
  const row = fact.version === 1 || imported ? undefined : yield* first(`SELECT rid, ${FACT_COLUMNS} FROM facts WHERE id = ?`, fact.id)
  const before = row === undefined ? undefined : toFact(row)
  checkVersion(`Fact ${fact.id}`, before, fact, imported)
  checkConsistent(fact, before, journal.at)
  const subject = subjectName(fact)
  const worded =
    before === undefined ||
    before.text !== fact.text ||
    before.title !== fact.title ||
    before.author !== fact.author ||
    before.date !== fact.date
  const values = factValues(fact)
  let rid: number
  if (row === undefined) {
    const made = yield* insert(
      'rid',
      `INSERT INTO facts (${FACT_COLUMNS}, seal, subject_name, code, pieces, terms) VALUES (${FACT_MARKS}, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      ...values,
      sealFact(values),
      subject,
      looksLikeCode(fact.text) ? 1 : 0,
      piecesOf(fact.text).length,
      packTerms(lexicalParts(fact)),
    )
    if (made === undefined) throw conflict(`Fact ${fact.id}`)
    rid = made
  } else {
    rid = number(row, 'rid')
    yield* run(`UPDATE facts SET ${FACT_ASSIGNMENTS}, seal = ?, subject_name = ? WHERE rid = ?`, ...values, sealFact(values), subject, rid)
    if (worded)
      yield* run(
        `UPDATE facts SET code = ?, pieces = ?, terms = ? WHERE rid = ?`,
        looksLikeCode(fact.text) ? 1 : 0,
        piecesOf(fact.text).length,
        packTerms(lexicalParts(fact)),
        rid,
      )
    if (before !== undefined && embedText(before) !== embedText(fact)) yield* dropVector(rid, fact.id, dialect)
  }
  if (worded) {
    if (row !== undefined) yield* all(dialect.lexicalDelete(rid))
    const { title, text: body } = fullText(fact)
    yield* all(dialect.lexicalPut(rid, title, body))
  }
  const relink = before === undefined || before.text !== fact.text || before.autoLink !== fact.autoLink
  if (relink && before !== undefined) yield* unlinkMentions(rid, fact.id)
  if (relink) pending.facts.set(rid, fact)
  yield* changeSubject(before === undefined ? null : subjectName(before), subject, fact.owner, pending)
  if (before?.author !== fact.author) {
    if (before !== undefined) yield* learnAuthor(fact.owner, before.author, -1)
    yield* learnAuthor(fact.owner, fact.author, 1)
  }
  yield* journal.write('fact.put', 'fact', fact.id, fact.owner, before ?? null, fact, reason, rid)
}

function* changeSubject(before: string | null, after: string | null, owner: string, pending: Pending): Plan<void> {
  if (before === after) return
  if (before !== null) yield* forgetName(owner, before, pending)
  if (after !== null && (yield* learnName(owner, after))) pending.names.set(`${owner}\0${after}`, { owner, name: after })
}

function* forgetName(owner: string, name: string, pending: Pending): Plan<void> {
  if (yield* unlearnName(owner, name)) pending.dropped.set(`${owner}\0${name}`, { owner, name })
}

function* dropVector(rid: number, id: string, dialect: Dialect): Plan<void> {
  yield* run(`UPDATE facts SET embedded = 0 WHERE rid = ?`, rid)
  yield* run(`DELETE FROM fact_codes WHERE rid = ?`, rid)
  yield* run(`DELETE FROM piece_codes WHERE rid = ?`, rid)
  yield* unlinkSimilar(id)
  yield* all(dialect.vectorDelete('facts', id))
}

function* deleteFact(id: string, owner: string, reason: string | null, dialect: Dialect, journal: Journal, pending: Pending): Plan<void> {
  const row = yield* first(`SELECT rid, subject_name, author FROM facts WHERE id = ? AND owner = ?`, id, owner)
  if (row === undefined) throw conflict(`Fact ${id}`)
  const rid = number(row, 'rid')
  pending.facts.delete(rid)
  yield* deleteEdgesOf(id, journal)
  yield* unlinkMentions(rid, id)
  yield* dropVector(rid, id, dialect)
  yield* all(dialect.lexicalDelete(rid))
  if (row.subject_name !== null) yield* forgetName(owner, text(row, 'subject_name'), pending)
  yield* learnAuthor(owner, row.author === null ? null : text(row, 'author'), -1)
  yield* run(`DELETE FROM fact_retractions WHERE fact_id = ?`, id)
  yield* run(`DELETE FROM facts WHERE rid = ?`, rid)
  yield* journal.forget(id)
  yield* journal.write('fact.delete', 'fact', id, owner, null, null, reason, rid)
}

function* putEntity(entity: Entity, imported: boolean, reason: string | null, journal: Journal, pending: Pending): Plan<void> {
  const row = yield* first(`SELECT ${ENTITY_COLUMNS} FROM entities WHERE id = ?`, entity.id)
  const before = row === undefined ? undefined : toEntity(row)
  checkVersion(`Entity ${entity.id}`, before, entity, imported)
  const values = entityValues(entity)
  if (before === undefined)
    yield* run(`INSERT INTO entities (${ENTITY_COLUMNS}, seal) VALUES (${marks(ENTITY_COLUMNS)}, ?)`, ...values, seal(values))
  else yield* run(`UPDATE entities SET ${assignments(ENTITY_COLUMNS)}, seal = ? WHERE id = ?`, ...values, seal(values), entity.id)
  const old = before === undefined ? [] : namesOfEntity(before)
  const names = namesOfEntity(entity)
  for (const one of old) if (!names.some(({ key }) => key === one.key)) yield* renameAway(entity, one, names, pending)
  for (const { key, name } of names) {
    if (old.some((one) => one.key === key)) continue
    const taken = yield* first(
      `INSERT INTO entity_names (owner, name_key, name, entity_id) VALUES (?, ?, ?, ?) ON CONFLICT (owner, name_key) DO NOTHING RETURNING name`,
      entity.owner,
      key,
      name,
      entity.id,
    )
    if (taken === undefined)
      throw new MemoryError('conflict', `The name "${key}" already belongs to another entity.`, {
        hint: 'Use that entity, or merge the two.',
      })
    yield* learnName(entity.owner, name)
    // Facts may mention a name long before it becomes an entity: they get their edges now.
    pending.names.set(`${entity.owner}\0${name}`, { owner: entity.owner, name })
  }
  yield* journal.write('entity.put', 'entity', entity.id, entity.owner, before ?? null, entity, reason)
}

/** Facts that mention only the dropped name lose their edge; the names that stay bring the others back. */
function* renameAway(entity: Entity, dropped: EntityName, remaining: readonly EntityName[], pending: Pending): Plan<void> {
  if (!remaining.some(({ name }) => name === dropped.name)) yield* unlinkEntity(entity.owner, dropped.name, entity.id)
  yield* dropEntityName(entity.owner, dropped, pending)
  for (const { name } of remaining) pending.names.set(`${entity.owner}\0${name}`, { owner: entity.owner, name })
}

function* dropEntityName(owner: string, { key, name }: EntityName, pending: Pending): Plan<void> {
  yield* run(`DELETE FROM entity_names WHERE owner = ? AND name_key = ?`, owner, key)
  yield* forgetName(owner, name, pending)
}

function* deleteEntity(id: string, owner: string, reason: string | null, journal: Journal, pending: Pending): Plan<void> {
  const row = yield* first(`SELECT ${ENTITY_COLUMNS} FROM entities WHERE id = ? AND owner = ?`, id, owner)
  if (row === undefined) throw conflict(`Entity ${id}`)
  yield* deleteEdgesOf(id, journal)
  for (const name of namesOfEntity(toEntity(row))) yield* dropEntityName(owner, name, pending)
  yield* run(`DELETE FROM entities WHERE id = ?`, id)
  yield* run(`DELETE FROM entity_vectors WHERE entity_id = ?`, id)
  yield* journal.forget(id)
  yield* journal.write('entity.delete', 'entity', id, owner, null, null, reason)
}

function* deleteEdgesOf(node: string, journal: Journal): Plan<void> {
  // Automatic edges of a hub are many and leave no trace: one statement for all of them.
  yield* run(`DELETE FROM entity_edges WHERE (subject = ? OR object = ? OR fact_id = ?) AND derived <> ?`, node, node, node, DERIVED.no)
  const rows = yield* run(
    `SELECT ${EDGE_COLUMNS} FROM entity_edges WHERE subject = ? OR object = ? OR fact_id = ? ORDER BY id`,
    node,
    node,
    node,
  )
  for (const row of rows) {
    const edge = toEdge(row)
    yield* run(`DELETE FROM entity_edges WHERE id = ?`, edge.id)
    yield* journal.forget(edge.id)
    yield* journal.write('edge.delete', 'edge', edge.id, edge.owner, null, null, 'an end was deleted')
  }
}

function* putEdge(edge: Edge, imported: boolean, reason: string | null, journal: Journal): Plan<void> {
  const row = yield* first(`SELECT ${EDGE_COLUMNS} FROM entity_edges WHERE id = ?`, edge.id)
  const before = row === undefined ? undefined : toEdge(row)
  checkVersion(`Edge ${edge.id}`, before, edge, imported)
  const values = edgeValues(edge)
  if (before === undefined)
    yield* run(`INSERT INTO entity_edges (${EDGE_COLUMNS}, derived, seal) VALUES (${marks(EDGE_COLUMNS)}, 0, ?)`, ...values, seal(values))
  else yield* run(`UPDATE entity_edges SET ${assignments(EDGE_COLUMNS)}, seal = ? WHERE id = ?`, ...values, seal(values), edge.id)
  yield* journal.write('edge.put', 'edge', edge.id, edge.owner, before ?? null, edge, reason)
}

function* deleteEdge(id: string, owner: string, reason: string | null, journal: Journal): Plan<void> {
  const row = yield* first(`DELETE FROM entity_edges WHERE id = ? AND owner = ? RETURNING id`, id, owner)
  if (row === undefined) throw conflict(`Edge ${id}`)
  yield* journal.forget(id)
  yield* journal.write('edge.delete', 'edge', id, owner, null, null, reason)
}
