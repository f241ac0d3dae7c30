import { setTimeout as delay } from 'node:timers/promises'
import { MemoryError } from '../../errors.js'
import type { Connection, Plan, Query, Row, WriteOptions } from '../sql/plan/plan.js'
import { visitGathered } from './columnar-read.js'
import type { Database, PreparedStatement } from './driver.js'
import { fromCommit, fromSqlite, isBusy, isDamage } from './failure.js'
import { createIdentityCheck, isDiskFull } from './file-identity.js'
import { streamRowsAhead } from './read-ahead.js'

export interface SqliteConnection extends Connection {
  /** Changes with every commit of any connection in any process. */
  changeMark(): number
  /** Changes with every commit of another connection in any process. */
  foreignMark(): number
  /** True after a commit with unknown outcome: refuses writes until reopened. */
  needsReopen(): boolean
  /** Why writes are rejected, as far as known without trying; undefined if no problem is known. */
  problem(): MemoryError | undefined
  close(): Promise<void>
}

interface SqliteConnectionOptions {
  readonly file: string
  /** How long a write waits for another process. */
  readonly busyTimeoutMs: number
  /** Called after each durable commit. */
  committed?(): void
  /** Rejects every write with this error, if set. */
  readonly refusal?: MemoryError | undefined
}

interface QueuedWrite {
  readonly durable: boolean
  apply(): void
  done(): void
  fail(error: unknown): void
}

/** Bounds the time for which a group of writes holds the lock. */
const MAX_GROUP_SIZE = 64
const GROUP_MS = 25

/**
 * Queues writes and commits them in groups: calls that arrive while a commit is flushed share the next flush. Waiting for another process
 * does not block the event loop.
 */
export function createSqliteConnection(
  db: Database,
  { file, busyTimeoutMs, committed, refusal }: SqliteConnectionOptions,
): SqliteConnection {
  const statements = new Map<string, PreparedStatement>()
  const dataVersion = db.prepare('PRAGMA data_version')
  const refuseReplaced = createIdentityCheck(db, file)
  const layout = db.prepare('PRAGMA user_version')
  const openedLayout = layout.value()
  const waiting: QueuedWrite[] = []
  let damage: unknown
  let over = false
  let failure: MemoryError | undefined
  let flushing: Promise<void> | undefined
  /** Increases with every commit of this connection, and when commits of others are first seen. */
  let changes = 0
  let seenForeign = Number(dataVersion.value())

  const prepare = (text: string): PreparedStatement => {
    let statement = statements.get(text)
    if (statement === undefined) {
      // Lists are padded to a few sizes, so this overflows only on statements built from hostile input.
      if (statements.size > 400) statements.clear()
      statement = db.prepare(text)
      statements.set(text, statement)
    }
    return statement
  }

  /** Writes to a damaged file may be lost and damage more of it. */
  const explain = (error: unknown): unknown => {
    const explained = fromSqlite(error, file)
    if (isDamage(error)) damage ??= explained
    return explained
  }

  const command = (text: string): void => void prepare(text).run()

  const answer = (query: Query): readonly Row[] => {
    const { text, values, each, counted } = query
    if (visitGathered(prepare, query)) return []
    const statement = prepare(text)
    if (each !== undefined) {
      statement.each(each, ...values)
      return []
    }
    if (statement.answers) return statement.all(...values)
    const { changes: affected } = statement.run(...values)
    return counted ? [{ affected }] : []
  }

  const step = <T>(plan: Plan<T>): T => {
    let next = plan.next()
    while (!next.done) next = plan.next(next.value.map(answer))
    return next.value
  }

  const whenFree = async <T>(attemptOnce: () => T): Promise<T> => {
    const deadline = performance.now() + busyTimeoutMs
    for (let attempt = 0; ; attempt++) {
      try {
        return attemptOnce()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > deadline) {
          throw new MemoryError('unavailable', `Another process has held the lock of ${file} for ${busyTimeoutMs} ms.`, {
            hint: 'Retry. If it persists, find the process that holds the file (`fuser` shows it) or raise --busy-timeout-ms.',
          })
        }
        // Randomised, so that processes do not collide again.
        await delay(1 + Math.min(attempt, 10) * Math.random() * 2)
      }
    }
  }

  /** After a failed commit, SQLite's view of the log and the log itself may differ. */
  const commit = (): void => {
    try {
      command('COMMIT')
      changes++
    } catch (error) {
      const reason = fromCommit(error, file)
      over = reason !== error
      throw reason
    }
  }

  const refuseClosed = (): void => {
    if (!db.isOpen) throw new MemoryError('unavailable', `${file} was closed during this call.`, { hint: 'Retry.' })
  }

  const refuseOver = (): void => {
    refuseClosed()
    if (over)
      throw new MemoryError('unavailable', `${file} must be reopened after a disk failure.`, {
        hint: 'Nothing was stored. Retry.',
      })
  }

  /** A connection that cannot roll back accepts no more writes; waiting calls must still be rejected. */
  const goBack = (): void => {
    try {
      if (db.inTransaction) command('ROLLBACK')
    } catch {
      over = true
    }
  }

  const flushGroup = async (group: QueuedWrite[]): Promise<void> => {
    const settled: (() => void)[] = []
    try {
      if (damage !== undefined) throw damage
      refuseOver()
      db.pragma(`synchronous = ${group.some((waiting) => waiting.durable) ? 'FULL' : 'NORMAL'}`)
      await whenFree(() => command('BEGIN IMMEDIATE'))
      // A newer version may have migrated the file; rows of the old schema would be lost there.
      if (layout.value() !== openedLayout)
        throw new MemoryError('storage', `A newer mneme upgraded the schema of ${file}.`, {
          hint: 'Nothing was stored. Restart this process with that version.',
        })
      const began = performance.now()
      for (const [index, entry] of group.entries()) {
        if (index > 0 && performance.now() - began > GROUP_MS) {
          waiting.unshift(...group.splice(index))
          break
        }
        command('SAVEPOINT one')
        try {
          entry.apply()
          command('RELEASE one')
          settled.push(() => entry.done())
        } catch (error) {
          if (!db.inTransaction || isDamage(error)) throw error
          command('ROLLBACK TO one')
          command('RELEASE one')
          settled.push(() => entry.fail(explain(error)))
        }
      }
      refuseReplaced()
      commit()
      failure = undefined
      if (group.some((waiting) => waiting.durable)) committed?.()
    } catch (error) {
      goBack()
      const reason = explain(error)
      if (reason instanceof MemoryError && reason.code === 'storage') failure = reason
      for (const waiting of group) waiting.fail(reason)
      return
    }
    for (const settle of settled) settle()
  }

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      // One turn of the event loop lets calls that arrived together share a commit, and other calls run between two commits.
      await new Promise<void>((resolve) => setImmediate(resolve))
      await flushGroup(waiting.splice(0, MAX_GROUP_SIZE))
    }
    flushing = undefined
  }

  return {
    async read(plan) {
      try {
        refuseClosed()
        // Readers do not wait, except while another process recovers the log of a killed one.
        return await whenFree(() => step(plan()))
      } catch (error) {
        throw explain(error)
      }
    },
    streamRows(reading) {
      return streamRowsAhead(this, { name: file, driver: db.driver }, reading)
    },
    write<T>(plan: () => Plan<T>, options: WriteOptions<T> = {}) {
      if (refusal !== undefined) return Promise.reject(refusal)
      return new Promise<T>((resolve, reject) => {
        let result: { readonly value: T } | undefined
        waiting.push({
          durable: options.durable ?? true,
          apply: () => {
            result = { value: step(plan()) }
          },
          done: () => {
            if (result !== undefined) resolve(result.value)
          },
          fail: reject,
        })
        flushing ??= flush()
      })
    },
    problem() {
      if (refusal !== undefined) return refusal
      if (damage instanceof MemoryError) return damage
      try {
        refuseReplaced()
      } catch (error) {
        if (error instanceof MemoryError) return error
        throw error
      }
      if (isDiskFull(file))
        return new MemoryError('storage', `The disk that holds ${file} is full.`, {
          hint: 'Free some space; until then nothing can be stored.',
        })
      return failure
    },
    changeMark() {
      const foreign = Number(dataVersion.value())
      if (foreign !== seenForeign) changes++
      seenForeign = foreign
      return changes
    },
    foreignMark: () => Number(dataVersion.value()),
    needsReopen: () => over,
    async close() {
      await flushing
      if (db.isOpen) db.close()
    },
  }
}
