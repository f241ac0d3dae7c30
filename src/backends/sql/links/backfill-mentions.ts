import { setImmediate } from 'node:timers/promises'
import type { Instant } from '../../../core/facts/fact.js'
import { LINKED_CHARACTERS, linkedWords, ownMentions } from '../../../core/graph/linking.js'
import { containsName, isLinkable, toNameSearchTerms } from '../../../core/graph/names.js'
import { lockOwner, noteEdges } from '../owners/owners.js'
import type { Dialect } from '../plan/dialect.js'
import { ask, type Connection, first, inSlices, number, type Plan, run, text } from '../plan/plan.js'
import { entitiesNamed, isKnown, linkEntity, mention } from './links.js'

export interface OwnedName {
  readonly owner: string
  readonly name: string
}

/** Names that a commit added or removed. */
export interface NameChanges {
  readonly learned: readonly OwnedName[]
  readonly dropped: readonly OwnedName[]
}

/** A new or removed name is looked up in this many of the newest facts. `mneme reindex --links` updates older ones. */
const MAX_OLDER_FACTS = 300
/** Texts read per turn of the event loop. */
const TEXTS_BATCH_SIZE = 20

interface OlderFact {
  readonly rid: number
  readonly version: number
}

/**
 * Links existing facts to the names of a commit. Runs after the commit, so that no writer waits while texts are read; facts that change
 * meanwhile have another version and link themselves.
 */
export async function backfillMentions(connection: Connection, dialect: Dialect, news: NameChanges, now: Instant): Promise<void> {
  for (const name of news.dropped) await dropMentions(connection, dialect, name)
  for (const name of news.learned) if (isLinkable(name.name)) await addMentions(connection, dialect, name, now)
}

async function addMentions(connection: Connection, dialect: Dialect, { owner, name }: OwnedName, now: Instant): Promise<void> {
  const candidates = await connection.read(function* (): Plan<readonly OlderFact[]> {
    if (!(yield* isKnown(owner, name))) return []
    return (yield* ask(dialect.lexicalAll(owner, toNameSearchTerms(name), MAX_OLDER_FACTS))).map(toOlderFact)
  })
  const found = await sift(connection, owner, candidates, (factText) => containsName(linkedWords(factText), name))
  if (found.length === 0) return
  await connection.write(
    function* () {
      yield* lockOwner(dialect, owner)
      // A later commit may have removed the name.
      if (!(yield* isKnown(owner, name))) return
      const entities = yield* entitiesNamed(owner, [name])
      for (const { rid, version } of found) {
        const fact = yield* first(`SELECT id FROM facts WHERE rid = ? AND owner = ? AND version = ?`, rid, owner, version)
        if (fact === undefined) continue
        yield* mention(owner, name, rid)
        for (const entity of entities) yield* linkEntity({ id: text(fact, 'id'), owner }, entity, now)
      }
      yield* noteEdges(owner)
    },
    { durable: false, owners: [owner] },
  )
}

/** Names that a text marks by its spelling stay mentioned. */
async function dropMentions(connection: Connection, dialect: Dialect, { owner, name }: OwnedName): Promise<void> {
  const candidates = await connection.read(function* () {
    const rows = yield* run(
      `SELECT f.rid AS rid, f.version AS version FROM mentions m JOIN facts f ON f.rid = m.rid AND f.owner = m.owner
       WHERE m.owner = ? AND m.name = ? ORDER BY m.rid DESC LIMIT ?`,
      owner,
      name,
      MAX_OLDER_FACTS,
    )
    return rows.map(toOlderFact)
  })
  const unnamed = await sift(connection, owner, candidates, (factText) => !ownMentions(factText).includes(name))
  if (unnamed.length === 0) return
  await connection.write(
    function* () {
      yield* lockOwner(dialect, owner)
      if (yield* isKnown(owner, name)) return
      const rids = unnamed.map(({ rid }) => rid)
      yield* inSlices(rids, (marks) => `DELETE FROM mentions WHERE owner = ? AND name = ? AND rid IN (${marks})`, owner, name)
    },
    { durable: false, owners: [owner] },
  )
}

const toOlderFact = (row: Readonly<Record<string, unknown>>): OlderFact => ({ rid: number(row, 'rid'), version: number(row, 'version') })

/** Keeps the rows whose text passes; reads a few at a time and yields in between. */
async function sift(
  connection: Connection,
  owner: string,
  facts: readonly OlderFact[],
  passes: (factText: string) => boolean,
): Promise<readonly OlderFact[]> {
  const passed: OlderFact[] = []
  for (let index = 0; index < facts.length; index += TEXTS_BATCH_SIZE) {
    if (index > 0) await setImmediate()
    const slice = facts.slice(index, index + TEXTS_BATCH_SIZE)
    const rows = await connection.read(() =>
      inSlices(
        slice.map(({ rid }) => rid),
        (marks) => `SELECT rid, version, substr(text, 1, ${LINKED_CHARACTERS}) AS text FROM facts WHERE +owner = ? AND rid IN (${marks})`,
        owner,
      ),
    )
    for (const row of rows) if (passes(text(row, 'text'))) passed.push(toOlderFact(row))
  }
  return passed
}
