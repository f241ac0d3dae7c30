import { setTimeout as delay } from 'node:timers/promises'
import type { CompactionResult } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import { type Connection, type Plan, run } from '../sql/plan.js'
import { clearEntries, trimContents } from '../sql/retention.js'
import type { Database } from './driver.js'
import { fromSqlite } from './failure.js'
import { rewriteFile } from './open-file.js'

/** Days for which the journal keeps the contents of its entries, and the entries themselves; 0 is for ever. */
export interface Retention {
  readonly contentDays: number
  readonly entryDays: number
}

export interface CompactionOptions {
  readonly file: string
  readonly db: Database
  readonly connection: Connection
  readonly clock: Clock
  readonly retention: Retention
}

export interface Compaction {
  /** What is worth it, in slices with pauses between them; others write and search meanwhile. */
  tidy(signal: AbortSignal): Promise<void>
  /** All that can be had, still in slices, unless the whole file is written anew: nobody else can write meanwhile. */
  compact(full: boolean, progress: (message: string) => void, signal: AbortSignal): Promise<CompactionResult>
}

const DAY_US = 86_400e6
/** Pages that one slice gives back. */
const PAGES = 64
/** Between slices, so that others get their turn. */
const REST_MS = 20
/** For whoever waits for it: a process that has nothing else to do must not end meanwhile. */
const NO_REST = 0
/** Free pages are for what comes next: only more than this share of all is worth the work. */
const FREE_SHARE = 0.25
const FREE_PAGES = 1024
/** As `PRAGMA auto_vacuum` has it. */
const INCREMENTAL = 2

export function createCompaction({ db, file, connection, clock, retention }: CompactionOptions): Compaction {
  const pages = (): number => Number(db.pragma('page_count'))
  const freePages = (): number => Number(db.pragma('freelist_count'))
  const bytesUsed = (): number => pages() * Number(db.pragma('page_size'))

  /** Runs slices until one answers 0. Answers their sum. */
  const inSlices = async (slice: () => Plan<number>, restMs: number, signal: AbortSignal): Promise<number> => {
    for (let sum = 0; ; ) {
      signal.throwIfAborted()
      const done = await connection.write(slice, { durable: false })
      if (done === 0) return sum
      sum += done
      await delay(restMs, undefined, { signal, ref: restMs === NO_REST })
    }
  }

  /** Cuts free pages off the end of the file, down to so many. */
  const giveBack = (most: number, restMs: number, signal: AbortSignal): Promise<number> =>
    inSlices(
      function* () {
        const left = Math.min(PAGES, freePages() - Math.ceil(most))
        // The statement frees one page at a time, however many it is asked for, unless it is stepped to its end.
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

  const isIncremental = (): boolean => Number(db.pragma('auto_vacuum')) === INCREMENTAL

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
      const most = Math.max(FREE_PAGES, pages() * FREE_SHARE)
      if (isIncremental() && freePages() > most) await giveBack(most / 2, REST_MS, signal)
    },
    async compact(full, progress, signal) {
      const bytesBefore = bytesUsed()
      progress('journal')
      const entries = await retain(NO_REST, signal)
      progress('free pages')
      // A file of an earlier version that could not be written anew when it was migrated knows no other way.
      if (full || !isIncremental()) rewrite()
      else await giveBack(0, NO_REST, signal)
      // The file itself only shrinks when its log is folded in; where others read from that, it does so later.
      db.pragma('wal_checkpoint(TRUNCATE)')
      return { bytesBefore, bytesAfter: bytesUsed(), entries }
    },
  }
}
