import type { Fact, Instant } from '../../core/fact.js'
import { sha256 } from '../../core/hash.js'
import { containsName, isLinkable, knownNames, mentionedNames, nameWords, normalName, searchWords } from '../../core/names.js'
import { MENTIONS_ENTITY } from '../../core/relation-type.js'
import type { Dialect } from './dialect.js'
import { first, inSlices, number, type Plan, run, text } from './plan.js'

/** Longer texts are linked by their beginning: a hub of everything links to nothing. */
const MAX_WORDS = 2000
const MAX_CHARACTERS = MAX_WORDS * 8
/**
 * A commit that brings or drops a name looks through this many of the newest facts with it and no more, because every
 * other writer waits meanwhile. Older ones get or lose their mentions of it by `mneme reindex --links`.
 */
const MAX_OLDER_FACTS = 300

export interface LinkableFact {
  readonly rid: number
  readonly id: string
  readonly owner: string
  readonly text: string
}

/** Counts one more use of a name; true when it was not known before. */
export function* learnName(owner: string, name: string): Plan<boolean> {
  if (!isLinkable(name)) return false
  // Two plain statements: an upsert that returns rows would make FTS5 flush what it has gathered in this transaction.
  const known = yield* first(`SELECT uses FROM names WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)
  if (known === undefined) yield* run(`INSERT INTO names (owner, head, name, uses) VALUES (?, ?, ?, 1)`, owner, headOf(name), name)
  else yield* run(`UPDATE names SET uses = uses + 1 WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)
  return known === undefined
}

export function* unlearnName(owner: string, name: string): Plan<void> {
  const row = yield* first(
    `UPDATE names SET uses = uses - 1 WHERE owner = ? AND head = ? AND name = ? RETURNING uses`,
    owner,
    headOf(name),
    name,
  )
  if (row === undefined || number(row, 'uses') > 0) return
  yield* run(`DELETE FROM names WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)
  // What a text names by itself, as a proper name or a path, it still names.
  const facts = yield* run(
    `SELECT f.rid AS rid, substr(f.text, 1, ${MAX_CHARACTERS}) AS text FROM mentions m JOIN facts f ON f.rid = m.rid
     WHERE m.owner = ? AND m.name = ? ORDER BY m.rid DESC LIMIT ?`,
    owner,
    name,
    MAX_OLDER_FACTS,
  )
  const unnamed = facts.filter((fact) => !ownMentions(text(fact, 'text')).includes(name)).map((fact) => number(fact, 'rid'))
  yield* inSlices(unnamed, (marks) => `DELETE FROM mentions WHERE owner = ? AND name = ? AND rid IN (${marks})`, owner, name)
}

/** Cut before it is split into words: splitting is the dear part of a long text. */
const linkedWords = (factText: string): readonly string[] => nameWords(factText.slice(0, MAX_CHARACTERS)).slice(0, MAX_WORDS)

const ownMentions = (factText: string): readonly string[] => mentionedNames(factText.slice(0, MAX_CHARACTERS))

const headOf = (name: string): string => name.split(' ', 1)[0] ?? name

/** Known names among the words, longest match first. */
export function* namesAmong(owner: string, textWords: readonly string[]): Plan<readonly string[]> {
  const heads = [...new Set(textWords)]
  if (heads.length === 0) return []
  const rows = yield* inSlices(heads, (marks) => `SELECT head, name FROM names WHERE owner = ? AND head IN (${marks})`, owner)
  if (rows.length === 0) return []
  const byHead = new Map<string, string[]>()
  for (const row of rows) {
    const head = text(row, 'head')
    const list = byHead.get(head)
    if (list === undefined) byHead.set(head, [text(row, 'name')])
    else list.push(text(row, 'name'))
  }
  return knownNames(textWords, (head) => byHead.get(head) ?? [])
}

/** Writes what a fact names: postings for every mention, an edge for every mentioned entity. */
export function* linkMentions(fact: LinkableFact, at: Instant): Plan<void> {
  const known = yield* namesAmong(fact.owner, linkedWords(fact.text))
  const mentions = [...new Set([...known, ...ownMentions(fact.text)])]
  for (const name of mentions) yield* mention(fact.owner, name, fact.rid)
  if (known.length === 0) return
  const rows = yield* inSlices(known, (marks) => `SELECT entity_id FROM entity_names WHERE owner = ? AND name IN (${marks})`, fact.owner)
  for (const entity of new Set(rows.map((row) => text(row, 'entity_id')))) yield* linkEntity(fact, entity, at)
}

const mention = (owner: string, name: string, rid: number): Plan<unknown> =>
  run(`INSERT INTO mentions (owner, name, rid) VALUES (?, ?, ?) ON CONFLICT (owner, name, rid) DO NOTHING`, owner, name, rid)

/** Facts stored before a name was known are linked to it when it appears, the newest `MAX_OLDER_FACTS` of them at once. */
export function* linkOlderFacts(dialect: Dialect, owner: string, name: string, at: Instant): Plan<void> {
  if (!isLinkable(name)) return
  // A later change of the same commit may have taken the name away again.
  if ((yield* first(`SELECT uses FROM names WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)) === undefined) return
  const rows = yield dialect.lexicalAll(owner, searchWords(name), MAX_OLDER_FACTS)
  const entities = yield* run(`SELECT DISTINCT entity_id FROM entity_names WHERE owner = ? AND name = ?`, owner, name)
  for (const row of rows) {
    const fact = { rid: number(row, 'rid'), id: text(row, 'id'), owner, text: text(row, 'text') }
    if (!containsName(linkedWords(fact.text), name)) continue
    yield* mention(owner, name, fact.rid)
    for (const entity of entities) yield* linkEntity(fact, text(entity, 'entity_id'), at)
  }
}

/** A derived edge has a stable id, so that repairs and parallel writers make it once. */
export const derivedEdgeId = (from: string, type: string, to: string): string => `auto-${sha256(`${from}\0${type}\0${to}`).slice(0, 32)}`

/** How an edge came about: by someone, from names in texts, or from vectors, which names must not take back. */
export const DERIVED = { no: 0, fromNames: 1, fromVectors: 2 } as const

export function derivedEdge(
  owner: string,
  from: string,
  type: string,
  to: string,
  toKind: 'fact' | 'entity',
  weight: number,
  at: Instant,
  how: 1 | 2 = DERIVED.fromNames,
): Plan<unknown> {
  return run(
    `INSERT INTO entity_edges (id, subject, relation, object, scope, confidence, created_at, owner, subject_kind, object_kind, weight, properties, derived, version)
     VALUES (?, ?, ?, ?, 'local', 1, ?, ?, 'fact', ?, ?, '{"auto_linked":true}', ?, 1) ON CONFLICT (id) DO NOTHING`,
    derivedEdgeId(from, type, to),
    from,
    type,
    to,
    at,
    owner,
    toKind,
    weight,
    how,
  )
}

const linkEntity = (fact: LinkableFact, entity: string, at: Instant): Plan<unknown> =>
  derivedEdge(fact.owner, fact.id, MENTIONS_ENTITY, entity, 'entity', 1, at)

/**
 * Takes back the edges that one name of an entity has brought, in one statement however many there are. A fact that
 * mentions another name of the entity keeps its edge: making it anew would reach the newest facts only.
 */
export const unlinkEntity = (owner: string, name: string, entity: string): Plan<unknown> =>
  run(
    `DELETE FROM entity_edges WHERE object = ? AND derived = 1 AND relation = '${MENTIONS_ENTITY}'
     AND subject IN (SELECT f.id FROM mentions m JOIN facts f ON f.rid = m.rid WHERE m.owner = ? AND m.name = ? AND NOT EXISTS (
       SELECT 1 FROM entity_names n JOIN mentions k ON k.owner = n.owner AND k.name = n.name AND k.rid = m.rid WHERE n.entity_id = ? AND n.name <> ?))`,
    entity,
    owner,
    name,
    entity,
    name,
  )

/** Removes what was written for a fact by `linkMentions`. */
export function* unlinkMentions(rid: number, id: string): Plan<void> {
  yield* run(`DELETE FROM mentions WHERE rid = ?`, rid)
  yield* run(`DELETE FROM entity_edges WHERE subject = ? AND derived = 1`, id)
}

/** Edges that a vector has brought go with it. */
export function* unlinkSimilar(id: string): Plan<void> {
  yield* run(`DELETE FROM entity_edges WHERE subject = ? AND derived = ${DERIVED.fromVectors}`, id)
  yield* run(`DELETE FROM entity_edges WHERE object = ? AND derived = ${DERIVED.fromVectors}`, id)
}

/** First names of authors, so that a question that names one can be told. */
export function* learnAuthor(owner: string, author: Fact['author'], uses: 1 | -1): Plan<void> {
  const name = author === null ? '' : normalName(author)
  if (author === null || name === '') return
  yield* run(
    `INSERT INTO authors (owner, head, author, uses) VALUES (?, ?, ?, ?) ON CONFLICT (owner, head, author) DO UPDATE SET uses = authors.uses + ?`,
    owner,
    headOf(name),
    author,
    uses,
    uses,
  )
  if (uses < 0) yield* run(`DELETE FROM authors WHERE owner = ? AND head = ? AND author = ? AND uses <= 0`, owner, headOf(name), author)
}
