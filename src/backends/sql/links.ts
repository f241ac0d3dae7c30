import type { Fact, Instant } from '../../core/fact.js'
import { sha256 } from '../../core/hash.js'
import { isLinkable, knownNames, mentionedNames, nameWords, normalName, possibleNames } from '../../core/names.js'
import { MENTIONS_ENTITY } from '../../core/relation-type.js'
import { first, inSlices, number, type Plan, type Row, run, text } from './plan.js'

/** Longer texts are linked by their beginning: a hub of everything links to nothing. */
const MAX_WORDS = 2000
export const MAX_CHARACTERS = MAX_WORDS * 8
/** Names with a common first word that are read at once; of more, only those that the text may hold are asked for. */
const MAX_NAMES_READ = 2000
/** What so many things are called tells none of them. */
const MAX_LINKED_ENTITIES = 500

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

/** Counts one use less; true when nobody uses the name any more. */
export function* unlearnName(owner: string, name: string): Plan<boolean> {
  const row = yield* first(
    `UPDATE names SET uses = uses - 1 WHERE owner = ? AND head = ? AND name = ? RETURNING uses`,
    owner,
    headOf(name),
    name,
  )
  if (row === undefined || number(row, 'uses') > 0) return false
  yield* run(`DELETE FROM names WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)
  return true
}

export function* isKnown(owner: string, name: string): Plan<boolean> {
  return (yield* first(`SELECT uses FROM names WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)) !== undefined
}

/** Cut before it is split into words: splitting is the dear part of a long text. */
export const linkedWords = (factText: string): readonly string[] => nameWords(factText.slice(0, MAX_CHARACTERS)).slice(0, MAX_WORDS)

export const ownMentions = (factText: string): readonly string[] => mentionedNames(factText.slice(0, MAX_CHARACTERS))

const headOf = (name: string): string => name.split(' ', 1)[0] ?? name

/** Known names among the words, longest match first. */
export function* namesAmong(owner: string, textWords: readonly string[]): Plan<readonly string[]> {
  const heads = [...new Set(textWords)]
  if (heads.length === 0) return []
  const rows = yield* namesOfHeads(owner, heads, textWords)
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

/** Any number of names may begin with one word: a text is not made to wait for all of them. */
function* namesOfHeads(owner: string, heads: readonly string[], textWords: readonly string[]): Plan<readonly Row[]> {
  const rows = yield* inSlices(
    heads,
    (marks) => `SELECT head, name FROM names WHERE owner = ? AND head IN (${marks}) LIMIT ${MAX_NAMES_READ}`,
    owner,
  )
  if (rows.length < MAX_NAMES_READ) return rows
  const possible = new Map<string, Set<string>>()
  textWords.forEach((head, at) => {
    const names = possible.get(head) ?? new Set()
    for (const name of possibleNames(textWords, at)) names.add(name)
    possible.set(head, names)
  })
  const found: Row[] = []
  for (const [head, names] of possible) {
    const known = yield* inSlices(
      [...names],
      (marks) => `SELECT head, name FROM names WHERE owner = ? AND head = ? AND name IN (${marks})`,
      owner,
      head,
    )
    found.push(...known)
  }
  return found
}

/** Writes what a fact names: postings for every mention, an edge for every mentioned entity. */
export function* linkMentions(fact: LinkableFact, at: Instant): Plan<void> {
  const known = yield* namesAmong(fact.owner, linkedWords(fact.text))
  const mentions = [...new Set([...known, ...ownMentions(fact.text)])]
  for (const name of mentions) yield* mention(fact.owner, name, fact.rid)
  for (const entity of yield* entitiesNamed(fact.owner, known)) yield* linkEntity(fact, entity, at)
}

/** The entities that texts mention by these names. */
export function* entitiesNamed(owner: string, names: readonly string[]): Plan<readonly string[]> {
  const rows = yield* inSlices(
    names,
    (marks) => `SELECT DISTINCT entity_id FROM entity_names WHERE owner = ? AND name IN (${marks}) LIMIT ${MAX_LINKED_ENTITIES}`,
    owner,
  )
  return rows.map((row) => text(row, 'entity_id'))
}

export const mention = (owner: string, name: string, rid: number): Plan<unknown> =>
  run(`INSERT INTO mentions (owner, name, rid) VALUES (?, ?, ?) ON CONFLICT (owner, name, rid) DO NOTHING`, owner, name, rid)

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

export const linkEntity = (fact: Pick<LinkableFact, 'id' | 'owner'>, entity: string, at: Instant): Plan<unknown> =>
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
