import type { Fact, Instant } from '../../../core/facts/fact.js'
import type { Edge } from '../../../core/graph/edge.js'
import { derivedEdge, EDGE_ORIGINS, linkedWords, MAX_LINKED_ENTITIES, ownMentions } from '../../../core/graph/linking.js'
import { isLinkable, knownNames, normalName, possibleNames } from '../../../core/graph/names.js'
import { MENTIONS_ENTITY } from '../../../core/graph/relation-type.js'
import type { Dialect } from '../plan/dialect.js'
import { all, first, inSlices, number, type Plan, type Row, run, runInLockstep, text } from '../plan/plan.js'

/** Names with a common first word that are read at once; if there are more, only those that the text may contain are looked up. */
const MAX_NAMES_READ = 2000

export interface LinkableFact {
  readonly rid: number
  readonly id: string
  readonly owner: string
  readonly text: string
}

/** Counts a use of a name; true if the name is new. */
export function* addNameUse(owner: string, name: string): Plan<boolean> {
  if (!isLinkable(name)) return false
  // Two plain statements, because an upsert with RETURNING makes FTS5 flush its pending data.
  const known = yield* first(`SELECT uses FROM names WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)
  if (known === undefined) yield* run(`INSERT INTO names (owner, head, name, uses) VALUES (?, ?, ?, 1)`, owner, headOf(name), name)
  else yield* run(`UPDATE names SET uses = uses + 1 WHERE owner = ? AND head = ? AND name = ?`, owner, headOf(name), name)
  return known === undefined
}

/** Removes a use; true if the name is no longer used. */
export function* removeNameUse(owner: string, name: string): Plan<boolean> {
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

const headOf = (name: string): string => name.split(' ', 1)[0] ?? name

/** Names by their first word. */
type NamesByHead = ReadonlyMap<string, readonly string[]>

/** Known names among the words, longest match first. */
export function* namesAmong(owner: string, textWords: readonly string[]): Plan<readonly string[]> {
  const heads = [...new Set(textWords)]
  if (heads.length === 0) return []
  const rows = yield* namesOfHeads(owner, heads, textWords)
  return rows.length === 0 ? [] : knownAmong(textWords, byHead(rows))
}

const knownAmong = (textWords: readonly string[], names: NamesByHead): readonly string[] =>
  knownNames(textWords, (head) => names.get(head) ?? [])

function byHead(rows: readonly Row[]): NamesByHead {
  const names = new Map<string, string[]>()
  for (const row of rows) {
    const head = text(row, 'head')
    const list = names.get(head)
    if (list === undefined) names.set(head, [text(row, 'name')])
    else list.push(text(row, 'name'))
  }
  return names
}

const readHeads = (owner: string, heads: readonly string[]): Plan<readonly Row[]> =>
  inSlices(heads, (marks) => `SELECT head, name FROM names WHERE owner = ? AND head IN (${marks}) LIMIT ${MAX_NAMES_READ}`, owner)

/** Any number of names may share a first word; the look-up is bounded. */
function* namesOfHeads(owner: string, heads: readonly string[], textWords: readonly string[]): Plan<readonly Row[]> {
  const rows = yield* readHeads(owner, heads)
  if (rows.length < MAX_NAMES_READ) return rows
  const possible = new Map<string, Set<string>>()
  textWords.forEach((head, index) => {
    const names = possible.get(head) ?? new Set()
    for (const name of possibleNames(textWords, index)) names.add(name)
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

/** Writes the mentions of a fact: postings for every name, an edge for every entity. */
export function* linkMentions(fact: LinkableFact, now: Instant, dialect: Dialect): Plan<void> {
  yield* putMentions(fact, yield* namesAmong(fact.owner, linkedWords(fact.text)), now, dialect)
}

/** The same for many facts of one owner, with one look-up of names. */
export function* linkAllMentions(owner: string, facts: readonly LinkableFact[], now: Instant, dialect: Dialect): Plan<void> {
  const words = facts.map((fact) => linkedWords(fact.text))
  const rows = yield* readHeads(owner, [...new Set(words.flat())])
  const names = rows.length < MAX_NAMES_READ ? byHead(rows) : undefined
  yield* runInLockstep(
    facts.map((fact, i) =>
      names === undefined ? linkMentions(fact, now, dialect) : putMentions(fact, knownAmong(words[i] ?? [], names), now, dialect),
    ),
  )
}

function* putMentions(fact: LinkableFact, known: readonly string[], now: Instant, dialect: Dialect): Plan<void> {
  const mentions = [...new Set([...known, ...ownMentions(fact.text)])]
  if (mentions.length > 0) yield* all([dialect.mentionsPut(fact.owner, mentions, fact.rid)])
  for (const entity of yield* entitiesNamed(fact.owner, known)) yield* linkEntity(fact, entity, now)
}

/** Entities with these mention names. */
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

/** Writes a derived edge, unless it exists. */
export const putDerived = (edge: Edge, how: 1 | 2 | 3): Plan<unknown> =>
  run(
    `INSERT INTO entity_edges (id, subject, relation, object, scope, confidence, created_at, owner, subject_kind, object_kind, weight, properties, fact_id, derived, version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    edge.id,
    edge.from,
    edge.type,
    edge.to,
    edge.scope,
    edge.confidence,
    edge.createdAt,
    edge.owner,
    edge.fromKind,
    edge.toKind,
    edge.weight,
    JSON.stringify(edge.properties),
    edge.factId,
    how,
    edge.version,
  )

export const linkEntity = (fact: Pick<LinkableFact, 'id' | 'owner'>, entity: string, now: Instant): Plan<unknown> =>
  putDerived(
    derivedEdge({ owner: fact.owner, from: fact.id, type: MENTIONS_ENTITY, to: entity, toKind: 'entity', weight: 1 }, now),
    EDGE_ORIGINS.fromNames,
  )

/**
 * Removes the edges of one name of an entity in one statement. Facts that mention another of its names keep their edge, because the
 * backfill reaches only the newest facts.
 */
export const unlinkEntity = (owner: string, name: string, entity: string): Plan<unknown> =>
  run(
    `DELETE FROM entity_edges WHERE object = ? AND +owner = ? AND +derived = 1 AND relation = '${MENTIONS_ENTITY}'
     AND subject IN (SELECT f.id FROM mentions m JOIN facts f ON f.rid = m.rid AND f.owner = m.owner WHERE m.owner = ? AND m.name = ? AND NOT EXISTS (
       SELECT 1 FROM entity_names n JOIN mentions k ON k.owner = n.owner AND k.name = n.name AND k.rid = m.rid
       WHERE n.entity_id = ? AND +n.owner = ? AND n.name <> ?))`,
    entity,
    owner,
    owner,
    name,
    entity,
    owner,
    name,
  )

/** Removes what `linkMentions` wrote for a fact. */
export function* unlinkMentions(rid: number, { id, owner }: Pick<Fact, 'id' | 'owner'>): Plan<void> {
  yield* run(`DELETE FROM mentions WHERE rid = ? AND +owner = ?`, rid, owner)
  yield* run(`DELETE FROM entity_edges WHERE subject = ? AND +owner = ? AND +derived = 1`, id, owner)
}

/** Removes the similarity edges of a fact with its vector. */
export function* unlinkSimilar(id: string, owner: string): Plan<void> {
  yield* run(`DELETE FROM entity_edges WHERE subject = ? AND +owner = ? AND +derived = ${EDGE_ORIGINS.fromVectors}`, id, owner)
  yield* run(`DELETE FROM entity_edges WHERE object = ? AND +owner = ? AND +derived = ${EDGE_ORIGINS.fromVectors}`, id, owner)
}

/** Counts first names of authors, so that queries with a first name find the author. */
export function* learnAuthor(owner: string, author: string, uses: number): Plan<void> {
  const name = normalName(author)
  if (name === '' || uses === 0) return
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
