import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fullText, lexicalParts } from '../../core/embedding/fact-text.js'
import { packTerms } from '../../core/text/term-bag.js'
import { MemoryError } from '../../errors.js'
import type { Maintenance } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import { entriesAhead, findInconsistent, redateDerived, redatePage } from '../sql/future-dates.js'
import { linkMentions, unlinkMentions } from '../sql/links/links.js'
import { relinkFields } from '../sql/links/reference-edges.js'
import type { Dialect } from '../sql/plan/dialect.js'
import { all, type Connection, number, type Plan, type Row, run } from '../sql/plan/plan.js'
import { FACT_COLUMNS, toFact } from '../sql/plan/rows.js'
import { type CommitCount, forgetCount } from './commit-count.js'
import type { Compaction } from './compaction.js'
import { flushFile, flushFolder, nameOfCopy } from './copies.js'
import { diagnose } from './diagnose.js'
import type { Database } from './driver.js'
import { createPrivate } from './open-file.js'

export interface UpkeepOptions {
  readonly db: Database
  readonly file: string
  readonly connection: Connection
  readonly dialect: Dialect
  readonly clock: Clock
  readonly count: CommitCount
  readonly compaction: Compaction
}

const PAGE_SIZE = 200

/** Derived rows without a fact, which a pass over the facts would not reach. */
const DELETE_ORPHANS = [
  `DELETE FROM mentions WHERE rid NOT IN (SELECT rid FROM facts)`,
  `DELETE FROM fts_facts WHERE rowid IN (SELECT id FROM fts_facts_docsize WHERE id NOT IN (SELECT rid FROM facts))`,
  `DELETE FROM entity_edges WHERE derived = 1 AND subject NOT IN (SELECT id FROM facts)`,
]

export function createUpkeep({ db, file, connection, dialect, clock, count, compaction }: UpkeepOptions): Maintenance {
  return {
    diagnose: () => diagnose({ db, file, connection, clock }),
    acceptLoss: async () => count.accept(),
    ahead: (than, limit) => connection.read(() => findInconsistent(than, limit)),
    async redateJournal(now) {
      const entries = await connection.read(() => entriesAhead(now))
      const derived = await connection.write(() => redateDerived(now))
      type EntryCursor = { readonly seq: number; readonly known: number } | undefined
      for (let place: EntryCursor = { seq: Number.MAX_SAFE_INTEGER, known: now }; place !== undefined && entries > 0; ) {
        const from: { readonly seq: number; readonly known: number } = place
        place = await connection.write(() => redatePage(now, from))
      }
      return entries + derived
    },
    async relink(progress, signal) {
      const done = await eachFact(connection, progress, signal, function* (row) {
        const fact = toFact(row)
        const rid = number(row, 'rid')
        yield* unlinkMentions(rid, fact)
        const { title, text } = fullText(fact)
        yield* all([...dialect.lexicalDelete(fact.owner, rid), ...dialect.lexicalPut(fact.owner, rid, title, text)])
        yield* relinkFields(fact, clock.now())
        if (fact.autoLink) yield* linkMentions({ rid, id: fact.id, owner: fact.owner, text: fact.text }, clock.now(), dialect)
      })
      await connection.write(function* () {
        for (const orphans of DELETE_ORPHANS) yield* run(orphans)
      })
      return done
    },
    reterm: (progress, signal) =>
      eachFact(connection, progress, signal, function* (row) {
        yield* run(`UPDATE facts SET terms = ? WHERE rid = ?`, packTerms(lexicalParts(toFact(row))), number(row, 'rid'))
      }),
    compact: (full, progress, signal) => compaction.compact(full, progress, signal),
    backup: (target) => copyTo(db, target),
    async keepCopy() {
      const target = nameOfCopy(file)
      await copyTo(db, target)
      return target
    },
  }
}

async function copyTo(db: Database, target: string): Promise<void> {
  if (existsSync(target)) throw new MemoryError('invalid_input', `${target} already exists.`, { hint: 'Choose another name.' })
  const partial = `${target}.partial`
  const clear = (): void => {
    for (const left of [partial, `${partial}-journal`]) rmSync(left, { force: true })
  }
  try {
    // Discards the progress of an earlier run.
    clear()
    createPrivate(partial)
    await db.backup(partial)
    const copy = db.open(partial)
    try {
      forgetCount(copy)
    } finally {
      copy.close()
    }
    flushFile(partial)
    renameSync(partial, target)
    flushFolder(dirname(target))
  } catch (error) {
    clear()
    throw new MemoryError('storage', `The backup to ${target} failed: ${error instanceof Error ? error.message : String(error)}`, {
      hint: 'Check the folder and its free space.',
      cause: error,
    })
  }
}

/** Rewrites facts page by page, each in a short transaction, so that other writers proceed. */
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
        const rows = yield* run(`SELECT rid, ${FACT_COLUMNS} FROM facts WHERE rid > ? ORDER BY rid LIMIT ?`, after, PAGE_SIZE)
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
