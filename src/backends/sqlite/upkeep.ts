import { existsSync, renameSync, rmSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { fullText, lexicalParts } from '../../core/fact-text.js'
import { packTerms } from '../../core/term-bag.js'
import { MemoryError } from '../../errors.js'
import type { Finding, Upkeep } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import type { Dialect } from '../sql/dialect.js'
import { linkMentions, unlinkMentions } from '../sql/links.js'
import { all, type Connection, number, type Plan, type Row, run } from '../sql/plan.js'
import { CURRENT, FACT_COLUMNS, toFact } from '../sql/rows.js'
import { fromSqlite, isDamage, RESTORE } from './failure.js'
import { createPrivate } from './open-file.js'

export interface UpkeepOptions {
  readonly db: Database.Database
  readonly connection: Connection
  readonly dialect: Dialect
  readonly clock: Clock
}

const PAGE = 200

const SAVE = `${RESTORE}; without one, \`mneme export\` saves what can still be read.`

const INDEX_AGAIN = 'Delete the project with `mneme call memory delete_project` and index it again.'

/** Each row of an answer other than zero is a finding. */
const CHECKS: readonly { readonly query: string; readonly what: (n: number) => string; readonly remedy: string }[] = [
  {
    query: `SELECT count(*) FROM facts f WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.target = f.id AND j.op = 'fact.put')`,
    what: (n) => `${n} facts have no journal entry`,
    remedy: `The file was edited by another program. ${RESTORE}.`,
  },
  {
    query: `SELECT count(*) FROM facts WHERE rid NOT IN (SELECT id FROM fts_facts_docsize)`,
    what: (n) => `${n} facts are missing from the full-text index`,
    remedy: 'Run `mneme reindex --links`.',
  },
  {
    query: `SELECT count(*) FROM fts_facts_docsize WHERE id NOT IN (SELECT rid FROM facts)`,
    what: (n) => `${n} rows of the full-text index have no fact`,
    remedy: 'Run `mneme reindex --links`.',
  },
  {
    query: `SELECT count(*) FROM facts WHERE embedded = 1 AND rid NOT IN (SELECT rid FROM fact_codes)`,
    what: (n) => `${n} facts are marked as embedded but have no vector`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT count(*) FROM fact_codes WHERE rid NOT IN (SELECT rid FROM facts)`,
    what: (n) => `${n} vectors have no fact`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT count(*) FROM mentions WHERE rid NOT IN (SELECT rid FROM facts)`,
    what: (n) => `${n} mentions have no fact`,
    remedy: 'Run `mneme reindex --links`.',
  },
  {
    query: `SELECT count(*) FROM entity_edges e WHERE NOT EXISTS (SELECT 1 FROM facts WHERE id = e.subject) AND NOT EXISTS (SELECT 1 FROM entities WHERE id = e.subject)
            AND NOT EXISTS (SELECT 1 FROM passages WHERE id = e.subject) AND NOT EXISTS (SELECT 1 FROM sources WHERE id = e.subject) AND subject_kind IN ('fact', 'entity')`,
    what: (n) => `${n} edges start at nothing`,
    remedy: 'Run `mneme reindex --links`.',
  },
  {
    query: `SELECT count(*) FROM passages WHERE source_id NOT IN (SELECT id FROM sources)`,
    what: (n) => `${n} pieces of code belong to no project`,
    remedy: INDEX_AGAIN,
  },
  {
    query: `SELECT count(*) FROM (SELECT DISTINCT source_id, path FROM passages) p
            WHERE NOT EXISTS (SELECT 1 FROM source_files f WHERE f.source_id = p.source_id AND f.path = p.path AND f.gone = 0)`,
    what: (n) => `${n} files of code are searchable but not listed`,
    remedy: INDEX_AGAIN,
  },
  {
    query: `SELECT count(*) FROM passages WHERE embedded = 1 AND rid NOT IN (SELECT rid FROM passage_codes)`,
    what: (n) => `${n} pieces of code are marked as embedded but have no vector`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT (SELECT count(*) FROM passage_codes WHERE rid NOT IN (SELECT rid FROM passages)) + (SELECT count(*) FROM passage_refs WHERE rid NOT IN (SELECT rid FROM passages))`,
    what: (n) => `${n} vectors and references belong to no piece of code`,
    remedy: INDEX_AGAIN,
  },
  {
    query: `SELECT count(*) FROM entity_names WHERE entity_id NOT IN (SELECT id FROM entities)`,
    what: (n) => `${n} entity names have no entity`,
    remedy: `${RESTORE}, or export the memory and import it into an empty store.`,
  },
  {
    query: `SELECT count(*) FROM facts WHERE (status IN ${CURRENT}) = 0 AND valid_until IS NULL`,
    what: (n) => `${n} facts have ended but carry no end of validity`,
    remedy: 'Export and import the memory.',
  },
]

/** Derived rows whose fact is gone: no pass over the facts would meet them. */
const ORPHANS = [
  `DELETE FROM mentions WHERE rid NOT IN (SELECT rid FROM facts)`,
  `DELETE FROM fts_facts WHERE rowid IN (SELECT id FROM fts_facts_docsize WHERE id NOT IN (SELECT rid FROM facts))`,
  `DELETE FROM entity_edges WHERE derived = 1 AND subject NOT IN (SELECT id FROM facts)`,
]

const VECTOR_CHECKS: typeof CHECKS = (['fact', 'passage'] as const).map((of) => ({
  query: `SELECT (SELECT count(*) FROM ${of}_codes) - (SELECT count(*) FROM vec_${of}s)`,
  what: (n) => `vec_${of}s and the search codes differ by ${Math.abs(n)} rows`,
  remedy: 'Run `mneme reindex`.',
}))

export function createUpkeep({ db, connection, dialect, clock }: UpkeepOptions): Upkeep {
  return {
    async examine() {
      const findings: Finding[] = []
      const failures = new Map<string, Finding>()
      /** A damaged file fails in the middle of a check: that is a finding too, and the other checks still tell theirs. */
      const attempt = (check: () => void): void => {
        try {
          check()
        } catch (error) {
          const known = fromSqlite(error, db.name)
          if (!(known instanceof MemoryError)) throw error
          failures.set(known.message, {
            severity: 'error',
            what: `A check failed: ${known.message}`,
            remedy: isDamage(error) ? SAVE : (known.hint ?? SAVE),
          })
        }
      }
      attempt(() => {
        const integrity = db.pragma('quick_check(10)', { simple: true })
        if (integrity !== 'ok') findings.push({ severity: 'error', what: `The file is damaged: ${String(integrity)}`, remedy: SAVE })
      })
      const count = (query: string): number => Number(db.prepare(query).pluck().get())
      const checks = [...CHECKS]
      attempt(() => {
        if (count(`SELECT count(*) FROM sqlite_schema WHERE name = 'vec_facts'`) === 1) checks.push(...VECTOR_CHECKS)
      })
      for (const check of checks) {
        attempt(() => {
          const found = count(check.query)
          if (found !== 0) findings.push({ severity: 'error', what: check.what(found), remedy: check.remedy })
        })
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
      return [...findings, ...failures.values()]
    },
    async relink(progress, signal) {
      const done = await eachFact(connection, progress, signal, function* (row) {
        const fact = toFact(row)
        const rid = number(row, 'rid')
        yield* unlinkMentions(rid, fact.id)
        const { title, text } = fullText(fact)
        yield* all([...dialect.lexicalDelete(rid), ...dialect.lexicalPut(rid, title, text)])
        if (fact.autoLink) yield* linkMentions({ rid, id: fact.id, owner: fact.owner, text: fact.text }, clock.now())
      })
      await connection.write(function* () {
        for (const orphans of ORPHANS) yield* run(orphans)
      })
      return done
    },
    reterm: (progress, signal) =>
      eachFact(connection, progress, signal, function* (row) {
        yield* run(`UPDATE facts SET terms = ? WHERE rid = ?`, packTerms(lexicalParts(toFact(row))), number(row, 'rid'))
      }),
    async backup(target) {
      if (existsSync(target)) throw new MemoryError('invalid_input', `${target} already exists.`, { hint: 'Choose a name that is free.' })
      const partial = `${target}.partial`
      const clear = (): void => {
        for (const left of [partial, `${partial}-journal`]) rmSync(left, { force: true })
      }
      try {
        // What an earlier one left is not for this one to go on with.
        clear()
        createPrivate(partial)
        await db.backup(partial)
        renameSync(partial, target)
      } catch (error) {
        clear()
        throw new MemoryError('storage', `The backup to ${target} failed: ${error instanceof Error ? error.message : String(error)}`, {
          hint: 'Check the folder and its free space.',
          cause: error,
        })
      }
    },
  }
}

/** Rewrites facts page by page, each page in one short transaction, so that others can write in between. */
async function eachFact(
  connection: Connection,
  progress: (done: number, total: number) => void,
  signal: AbortSignal,
  rewrite: (row: Row) => Plan<void>,
): Promise<number> {
  const total = await connection.read(function* () {
    return number((yield* run(`SELECT count(*) AS n FROM facts`))[0] ?? {}, 'n')
  })
  let done = 0
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const last = await connection.write(
      function* () {
        const rows = yield* run(`SELECT rid, ${FACT_COLUMNS} FROM facts WHERE rid > ? ORDER BY rid LIMIT ?`, after, PAGE)
        for (const row of rows) yield* rewrite(row)
        done += rows.length
        const end = rows[rows.length - 1]
        return end === undefined ? undefined : number(end, 'rid')
      },
      { durable: false },
    )
    if (last === undefined) return done
    after = last
    progress(done, total)
  }
}
