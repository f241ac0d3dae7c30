import { type Connection, countAffected, first, number, type Plan, type Query, run, text } from '../sql/plan/plan.js'
import type { Compaction } from './compaction.js'
import type { Database } from './driver.js'

/** Set to a new value by every deletion, and removed when nothing is left to erase. */
const ERASE_SETTING = 'erase'
export const MARK_FOR_ERASURE = `INSERT INTO meta (key, value) VALUES ('${ERASE_SETTING}', hex(randomblob(8))) ON CONFLICT (key) DO UPDATE SET value = excluded.value`

export const erasureMark: Query = { text: MARK_FOR_ERASURE, values: [] }

/** For a file whose deletions were not tracked. */
export function markForErasure(db: Database): void {
  if (db.prepare(`SELECT 1 FROM facts LIMIT 1`).get() !== undefined) db.exec(MARK_FOR_ERASURE)
}

/** Index pages rewritten per step, a few milliseconds. */
const PAGES_PER_STEP = 25
/** Erasure starts after this pause in deletions, or if they continue for longer. */
const PAUSE_MS = 2000
const MAX_MS = 60_000
const HOUR_MS = 3_600_000

interface Erasure {
  /** Starts soon, if there is anything to erase. */
  schedule(): void
  close(): Promise<void>
}

/**
 * Words of deleted facts stay in the full-text index until its segments are merged. This merges them some time after deletions, in small
 * steps, and then truncates the log. If the process dies, the next one continues.
 */
export function createErasure(db: Database, connection: Connection, compaction: Pick<Compaction, 'tidy'>): Erasure {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let tidying: Promise<void> | undefined
  let since: number | undefined
  let closed = false
  const stop = new AbortController()
  // Retention applies without deletions.
  const hourly = setInterval(() => schedule(), HOUR_MS).unref()

  function* changes(): Plan<number> {
    const row = yield* first(`SELECT total_changes() AS n`)
    return row === undefined ? 0 : number(row, 'n')
  }
  /** True if nothing was left to merge. A negative number merges all segments. */
  function* merge(pages: number): Plan<boolean> {
    const before = yield* changes()
    yield* run(`INSERT INTO fts_facts (fts_facts, rank) VALUES ('merge', ?)`, pages)
    return (yield* changes()) - before < 2
  }
  const mark = (): Promise<string | undefined> =>
    connection.read(function* () {
      const row = yield* first(`SELECT value FROM meta WHERE key = '${ERASE_SETTING}'`)
      return row === undefined ? undefined : text(row, 'value')
    })

  /** True if neither the index nor the log contains deleted words. */
  const erase = async (): Promise<boolean> => {
    const seen = await mark()
    if (seen === undefined) return true
    let done = false
    for (let pages = -PAGES_PER_STEP; !done; pages = PAGES_PER_STEP) done = await connection.write(() => merge(pages), { durable: false })
    const busy = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').value()
    // A reader uses the log, or another deletion added words: continue next time.
    if (busy !== 0) return false
    return (
      (await connection.write(() => countAffected(`DELETE FROM meta WHERE key = '${ERASE_SETTING}' AND value = ?`, seen), {
        durable: false,
      })) > 0
    )
  }
  const start = (): Promise<void> => {
    since = undefined
    running ??= erase()
      // Another process holds the file, or it is being closed: the mark stays for the next time.
      .catch(() => true)
      .then((finished) => {
        running = undefined
        if (!finished && !closed) schedule()
      })
    return running
  }
  /** Releases the space of deleted rows if worthwhile. */
  const tidy = async (): Promise<void> => {
    if (closed || tidying !== undefined) return
    // Another process holds the file, or it is being closed: continue next time.
    tidying = compaction.tidy(stop.signal).catch(() => undefined)
    await tidying
    tidying = undefined
  }
  const schedule = (): void => {
    const now = performance.now()
    since ??= now
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        timer = undefined
        void start().then(tidy)
      },
      Math.max(0, Math.min(PAUSE_MS, since + MAX_MS - now)),
    )
    timer.unref()
  }

  return {
    schedule,
    async close() {
      closed = true
      stop.abort()
      clearInterval(hourly)
      await tidying
      const waiting = timer !== undefined
      clearTimeout(timer)
      if (waiting || running !== undefined) await start()
    },
  }
}
