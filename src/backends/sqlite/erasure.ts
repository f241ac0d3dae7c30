import { type Connection, countAffected, first, number, type Plan, type Query, run, text } from '../sql/plan.js'
import type { Compaction } from './compaction.js'
import type { Database } from './driver.js'

/** Set to a new value by every deletion, and removed when nothing of it is left. */
const KEY = 'erase'
export const MARK = `INSERT INTO meta (key, value) VALUES ('${KEY}', hex(randomblob(8))) ON CONFLICT (key) DO UPDATE SET value = excluded.value`

export const erasureMark: Query = { text: MARK, values: [] }

/** For a file whose deletions were not followed. */
export function markForErasure(db: Database): void {
  if (db.prepare(`SELECT 1 FROM facts LIMIT 1`).get() !== undefined) db.exec(MARK)
}

/** Pages of the index that one step rewrites: a few milliseconds. */
const PAGES_PER_STEP = 25
/** It begins when deletions have paused so long, or go on for longer than that. */
const PAUSE_MS = 2000
const MAX_MS = 60_000
const HOUR_MS = 3_600_000

export interface Erasure {
  /** Begins soon, unless there is nothing to erase. */
  schedule(): void
  close(): Promise<void>
}

/**
 * Deleted facts leave their words behind in the full-text index until its parts are merged. This does so a while after
 * deletions, in small steps, and then empties the log. A process that dies in between leaves the rest to the next.
 */
export function createErasure(db: Database, connection: Connection, compaction: Pick<Compaction, 'tidy'>): Erasure {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let tidying: Promise<void> | undefined
  let since: number | undefined
  let closed = false
  const stop = new AbortController()
  // What grows old does so without anyone deleting anything.
  const hourly = setInterval(() => schedule(), HOUR_MS).unref()

  function* changes(): Plan<number> {
    const row = yield* first(`SELECT total_changes() AS n`)
    return row === undefined ? 0 : number(row, 'n')
  }
  /** True when nothing was left to merge. A negative number begins a merge of everything. */
  function* merge(pages: number): Plan<boolean> {
    const before = yield* changes()
    yield* run(`INSERT INTO fts_facts (fts_facts, rank) VALUES ('merge', ?)`, pages)
    return (yield* changes()) - before < 2
  }
  const mark = (): Promise<string | undefined> =>
    connection.read(function* () {
      const row = yield* first(`SELECT value FROM meta WHERE key = '${KEY}'`)
      return row === undefined ? undefined : text(row, 'value')
    })

  /** True when nothing is left: neither words in the index nor pages in the log. */
  const erase = async (): Promise<boolean> => {
    const seen = await mark()
    if (seen === undefined) return true
    let done = false
    for (let pages = -PAGES_PER_STEP; !done; pages = PAGES_PER_STEP) done = await connection.write(() => merge(pages), { durable: false })
    const busy = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').value()
    // A reader holds on to the log, or another deletion has left its own words: both are for the next time.
    if (busy !== 0) return false
    return (
      (await connection.write(() => countAffected(`DELETE FROM meta WHERE key = '${KEY}' AND value = ?`, seen), { durable: false })) > 0
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
  /** Deletions leave room behind; what is worth it is given back afterwards. */
  const tidy = async (): Promise<void> => {
    if (closed || tidying !== undefined) return
    // Another process holds the file, or it is being closed: the next time will do.
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
