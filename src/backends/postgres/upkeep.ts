import { fullText, lexicalParts } from '../../core/embedding/fact-text.js'
import { packTerms } from '../../core/text/term-bag.js'
import { MemoryError } from '../../errors.js'
import type { CompactionResult, Maintenance } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import { entriesAhead, findInconsistent, redateDerived, redatePage } from '../sql/future-dates.js'
import { linkMentions, unlinkMentions } from '../sql/links/links.js'
import { relinkFields } from '../sql/links/reference-edges.js'
import { lockOwner, noteEdges, STORE_ROW } from '../sql/owners/owners.js'
import { clearEntries, trimContents } from '../sql/owners/retention.js'
import type { Dialect } from '../sql/plan/dialect.js'
import { all, first, number, type Plan, type Row, run, text } from '../sql/plan/plan.js'
import { FACT_COLUMNS, toFact } from '../sql/plan/rows.js'
import type { PostgresConnection } from './connection.js'
import { dropOrphanedBuilds } from './database-index/orphaned-builds.js'
import { diagnose } from './diagnose.js'
import { TABLES } from './schema.js'

/** Days to keep the contents of journal entries, and the entries; 0 keeps them forever. */
export interface Retention {
  readonly contentDays: number
  readonly entryDays: number
}

export interface UpkeepOptions {
  readonly connection: PostgresConnection
  readonly dialect: Dialect
  readonly clock: Clock
  readonly location: string
  readonly retention: Retention
}

const PAGE_SIZE = 200
const DAY_US = 86_400e6

/** Derived rows of an owner without a fact, which a pass over the facts would not reach. */
const DELETE_ORPHANS = [
  `DELETE FROM mentions m WHERE m.owner = ? AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.owner = m.owner AND f.rid = m.rid)`,
  `DELETE FROM fts_facts t WHERE t.owner = ? AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.owner = t.owner AND f.rid = t.rid)`,
  `DELETE FROM entity_edges e WHERE e.owner = ? AND e.derived = 1 AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.owner = e.owner AND f.id = e.subject)`,
]

export function createUpkeep({ connection, dialect, clock, location, retention }: UpkeepOptions): Maintenance {
  const owners = (): Promise<readonly string[]> =>
    connection.read(function* () {
      return (yield* run(`SELECT owner FROM owners WHERE owner <> ? ORDER BY owner`, STORE_ROW)).map((row) => text(row, 'owner'))
    })

  /** Rewrites facts page by page, each in a short transaction, so that other writers proceed. */
  const eachFact = async (
    progress: (done: number, total: number) => void,
    signal: AbortSignal,
    rewrite: (row: Row) => Plan<void>,
  ): Promise<number> => {
    const total = await connection.read(function* () {
      return number((yield* run(`SELECT count(*) AS n FROM facts`))[0] ?? {}, 'n')
    })
    let done = 0
    for (const owner of await owners()) {
      for (let after = 0; ; ) {
        signal.throwIfAborted()
        const page = await connection.write(
          function* () {
            yield* lockOwner(dialect, owner)
            const rows = yield* run(
              `SELECT rid, ${FACT_COLUMNS} FROM facts WHERE owner = ? AND rid > ? ORDER BY rid LIMIT ?`,
              owner,
              after,
              PAGE_SIZE,
            )
            for (const row of rows) yield* rewrite(row)
            if (rows.length > 0) yield* noteEdges(owner)
            const end = rows[rows.length - 1]
            return { count: rows.length, last: end === undefined ? undefined : number(end, 'rid') }
          },
          { durable: false, owners: [owner] },
        )
        done += page.count
        if (page.last === undefined) break
        after = page.last
        progress(done, total)
      }
    }
    return done
  }

  /** Runs slices for each owner until one returns 0. Returns their sum. */
  const inSlices = async (slice: (owner: string) => Plan<number>, signal: AbortSignal): Promise<number> => {
    let sum = 0
    for (const owner of await owners())
      for (let done = -1; done !== 0; sum += Math.max(0, done)) {
        signal.throwIfAborted()
        done = await connection.write(
          function* () {
            yield* lockOwner(dialect, owner)
            return yield* slice(owner)
          },
          { durable: false, owners: [owner] },
        )
      }
    return sum
  }

  const bytesUsed = async (): Promise<number> => {
    const tables = TABLES.map(({ name }) => `'${name}'`).join(', ')
    const row = await connection.read(() =>
      first(
        `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes FROM pg_class c
         WHERE c.relkind IN ('r', 'p') AND c.relnamespace = to_regnamespace(quote_ident(current_schema())::text)
           AND (c.relname IN (${tables}) OR c.oid IN (SELECT i.inhrelid FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent WHERE p.relname IN (${tables})))`,
      ),
    )
    return row === undefined ? 0 : number(row, 'bytes')
  }

  const useDump = (what: string): MemoryError =>
    new MemoryError('invalid_input', `${what} is done by the database server on PostgreSQL.`, {
      hint: `Run: pg_dump --format=custom --file=mneme.dump "${location}"`,
    })

  return {
    diagnose: () => diagnose(connection, clock),
    acceptLoss: async () => false,
    ahead: (than, limit) => connection.read(() => findInconsistent(than, limit)),
    async redateJournal(now) {
      const entries = await connection.read(() => entriesAhead(now))
      const derived = await connection.write(() => redateDerived(now))
      type EntryCursor = { readonly seq: number; readonly known: number } | undefined
      for (const owner of entries > 0 ? await owners() : [])
        for (let place: EntryCursor = { seq: Number.MAX_SAFE_INTEGER, known: now }; place !== undefined; ) {
          const from: { readonly seq: number; readonly known: number } = place
          place = await connection.write(
            function* () {
              yield* lockOwner(dialect, owner)
              return yield* redatePage(now, from, owner)
            },
            { owners: [owner] },
          )
        }
      return entries + derived
    },
    async relink(progress, signal) {
      const done = await eachFact(progress, signal, function* (row) {
        const fact = toFact(row)
        const rid = number(row, 'rid')
        yield* unlinkMentions(rid, fact)
        const { title, text: body } = fullText(fact)
        yield* all([...dialect.lexicalDelete(fact.owner, rid), ...dialect.lexicalPut(fact.owner, rid, title, body)])
        yield* relinkFields(fact, clock.now())
        if (fact.autoLink) yield* linkMentions({ rid, id: fact.id, owner: fact.owner, text: fact.text }, clock.now(), dialect)
      })
      for (const owner of await owners())
        await connection.write(
          function* () {
            yield* lockOwner(dialect, owner)
            for (const orphans of DELETE_ORPHANS) yield* run(orphans, owner)
            yield* noteEdges(owner)
          },
          { owners: [owner] },
        )
      return done
    },
    reterm: (progress, signal) =>
      eachFact(progress, signal, function* (row) {
        const fact = toFact(row)
        yield* run(`UPDATE facts SET terms = ? WHERE owner = ? AND rid = ?`, packTerms(lexicalParts(fact)), fact.owner, number(row, 'rid'))
      }),
    async compact(full, progress, signal): Promise<CompactionResult> {
      const since = (days: number): number => clock.now() - days * DAY_US
      const bytesBefore = await bytesUsed()
      progress('journal')
      const { contentDays, entryDays } = retention
      const trimmed = contentDays > 0 ? await inSlices((owner) => trimContents(since(contentDays), owner), signal) : 0
      const cleared = entryDays > 0 ? await inSlices((owner) => clearEntries(since(entryDays), owner), signal) : 0
      await dropOrphanedBuilds(connection, dialect)
      // Removes deleted data from the pages. Only a full vacuum releases pages, and it locks each table.
      for (const { name } of TABLES) {
        signal.throwIfAborted()
        progress(name)
        await connection.execute([`VACUUM (${full ? 'FULL, ' : ''}ANALYZE) ${name}`])
      }
      return { bytesBefore, bytesAfter: await bytesUsed(), entries: Math.max(trimmed, cleared) }
    },
    backup: () => Promise.reject(useDump('A backup')),
    keepCopy: async () => null,
  }
}
