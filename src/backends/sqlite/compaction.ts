import { setTimeout as delay } from 'node:timers/promises'
import type { CompactionResult } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import { clearEntries, trimContents } from '../sql/owners/retention.js'
import { type Connection, type Plan, run } from '../sql/plan/plan.js'
import type { Database } from './driver.js'
import { fromSqlite } from './failure.js'
import { rewriteFile } from './open-file.js'

/** Days to keep the contents of journal entries, and the entries; 0 keeps them forever. */
export interface Retention {
  readonly contentDays: number
  readonly entryDays: number
}

interface CompactionOptions {
  readonly file: string
  readonly db: Database
  readonly connection: Connection
  readonly clock: Clock
  readonly retention: Retention
}

export interface Compaction {
  /** Compacts if it is worthwhile, in slices with pauses, while other processes write and search. */
  tidy(signal: AbortSignal): Promise<void>
  /** Compacts completely, in slices. With `full` the file is rewritten, which blocks other writers. */
  compact(full: boolean, progress: (message: string) => void, signal: AbortSignal): Promise<CompactionResult>
}

const DAY_US = 86_400e6
/** Pages released per slice. */
const PAGES_PER_SLICE = 64
/** Between slices, so that other writers proceed. */
const REST_MS = 20
/** A process that waits for the result must not exit in a pause. */
const NO_REST = 0
/** Free pages will be reused; only a larger share is released. */
const FREE_SHARE = 0.25
const FREE_PAGES = 1024
/** The value of `PRAGMA auto_vacuum`. */
const INCREMENTAL_VACUUM = 2

export function createCompaction({ db, file, connection, clock, retention }: CompactionOptions): Compaction {
  const pages = (): number => Number(db.pragma('page_count'))
  const freePages = (): number => Number(db.pragma('freelist_count'))
  const bytesUsed = (): number => pages() * Number(db.pragma('page_size'))

  /** Runs slices until one returns 0. Returns their sum. */
  const inSlices = async (slice: () => Plan<number>, restMs: number, signal: AbortSignal): Promise<number> => {
    for (let sum = 0; ; ) {
      signal.throwIfAborted()
      const done = await connection.write(slice, { durable: false })
      if (done === 0) return sum
      sum += done
      await delay(restMs, undefined, { signal, ref: restMs === NO_REST })
    }
  }

  /** Releases up to `most` free pages at the end of the file. */
  const giveBack = (max: number, restMs: number, signal: AbortSignal): Promise<number> =>
    inSlices(
      function* () {
        const left = Math.min(PAGES_PER_SLICE, freePages() - Math.ceil(max))
        // The statement releases one page per step, so it runs once per page.
        for (let i = 0; i < left; i++) yield* run('PRAGMA incremental_vacuum(1)')
        return Math.max(0, left)
      },
      restMs,
      signal,
    )

  const retain = async (restMs: number, signal: AbortSignal): Promise<number> => {
    const since = (days: number): number => clock.now() - days * DAY_US
    const { contentDays, entryDays } = retention
    const trimmed = contentDays > 0 ? await inSlices(() => trimContents(since(contentDays)), restMs, signal) : 0
    const cleared = entryDays > 0 ? await inSlices(() => clearEntries(since(entryDays)), restMs, signal) : 0
    return Math.max(trimmed, cleared)
  }

  const isIncremental = (): boolean => Number(db.pragma('auto_vacuum')) === INCREMENTAL_VACUUM

  /** Needs as much free space as the file has contents. */
  const rewrite = (): void => {
    try {
      rewriteFile(db)
    } catch (error) {
      throw fromSqlite(error, file)
    }
  }

  return {
    async tidy(signal) {
      await retain(REST_MS, signal)
      const max = Math.max(FREE_PAGES, pages() * FREE_SHARE)
      if (isIncremental() && freePages() > max) await giveBack(max / 2, REST_MS, signal)
    },
    async compact(full, progress, signal) {
      const bytesBefore = bytesUsed()
      progress('journal')
      const entries = await retain(NO_REST, signal)
      progress('free pages')
      // An old file that could not be rewritten during migration can only be compacted this way.
      if (full || !isIncremental()) rewrite()
      else await giveBack(0, NO_REST, signal)
      // The file shrinks when its log is checkpointed; if readers use the log, that happens later.
      db.pragma('wal_checkpoint(TRUNCATE)')
      return { bytesBefore, bytesAfter: bytesUsed(), entries }
    },
  }
}
