import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { MemoryError } from '../../errors.js'
import { type Connection, each, type Plan, type Query, type Row, runInLockstep, type WriteOptions } from '../sql/plan/plan.js'
import { onceInOrder } from '../sql/plan/row-stream.js'
import { fromPostgres, isCollision, isLost, isUnprepared } from './failure.js'
import { createSession, PlanError, type Session } from './session.js'

export interface PostgresConnection extends Connection {
  /** No number of the whole database changes with every commit, so each result is new: the owners' rows report changes. */
  changeMark(): number
  readonly marksByOwner: true
  /** Runs plain statements on one connection, outside of a transaction. */
  execute(statements: readonly string[]): Promise<readonly (readonly Row[])[]>
  problem(): MemoryError | undefined
  close(): Promise<void>
}

interface PostgresConnectionOptions {
  readonly pool: pg.Pool
  /** Location for messages, without a password. */
  readonly location: string
  /** How long a call retries while the database is unreachable. */
  readonly patienceMs: number
  /** Receives the statements of every round trip. */
  observe?(statements: readonly string[]): void
}

interface QueuedWrite {
  readonly durable: boolean
  /** Runs the write; `settle` reports the outcome. */
  apply(session: Session, again: boolean): Promise<void>
  done(): void
  fail(error: unknown): void
}

interface RunningRead {
  plan(): Plan<void>
  done(): void
  fail(error: unknown): void
}

/** More savepoints in one transaction slow down every snapshot of the server. */
const MAX_GROUP_SIZE = 32
const MAX_RETRY_DELAY_MS = 500

/**
 * A connection pool. Writes for the same owners queue here rather than in the database, and queued writes share a transaction, each in its
 * own savepoint. Nothing depends on session state.
 */
const FIRST_ANSWER_MS = 1000

export function createPostgresConnection({ pool, location, patienceMs, observe }: PostgresConnectionOptions): PostgresConnection {
  const queues = new Map<string, QueuedWrite[]>()
  const flushing = new Set<Promise<void>>()
  const gathered: RunningRead[] = []
  let failure: MemoryError | undefined
  let prepares = true
  let closed = false
  let requested = 0

  const explain = (error: unknown): unknown => {
    if (error instanceof PlanError) return error.reason
    const explained = fromPostgres(error, location)
    if (explained instanceof MemoryError && ['unavailable', 'storage'].includes(explained.code)) failure = explained
    return explained
  }

  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    if (closed) throw new MemoryError('unavailable', `The connection to ${location} was closed during this call.`, { hint: 'Retry.' })
    const client = await pool.connect()
    const session = createSession(client, prepares, observe)
    let lost = false
    try {
      return await work(session)
    } catch (error) {
      lost = isLost(error)
      throw error
    } finally {
      // A connection in an unknown state is not reused.
      client.release(lost || session.isOpen())
    }
  }

  let hasAnswered = false
  /** Retries failures of the connection and conflicts with other transactions. */
  const persist = async <T>(attempt: (again: boolean) => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    for (let nth = 0; ; nth++) {
      try {
        const result = await attempt(nth > 0)
        failure = undefined
        hasAnswered = true
        return result
      } catch (error) {
        if (isUnprepared(error) && prepares) {
          prepares = false
          continue
        }
        // A server that has never answered is more likely misnamed than restarting.
        const waitMs = hasAnswered || !isLost(error) ? patienceMs : Math.min(patienceMs, FIRST_ANSWER_MS)
        if (!(isLost(error) || isCollision(error)) || closed || performance.now() - startedAt > waitMs) throw error
        await delay(Math.min(MAX_RETRY_DELAY_MS, 5 * 2 ** nth) * (0.5 + Math.random() / 2))
      }
    }
  }

  /** Concurrent reads share one connection in lockstep; if one fails, each is repeated alone. */
  const readGathered = (): void => {
    const reads = gathered.splice(0)
    const runAll = (some: readonly RunningRead[]): Promise<unknown> =>
      persist(() => withSession((session) => session.step(runInLockstep(some.map((reading) => reading.plan())))))
    const alone = (reading: RunningRead): void =>
      void runAll([reading]).then(
        () => reading.done(),
        (error: unknown) => reading.fail(explain(error)),
      )
    const [only, ...others] = reads
    if (only === undefined) return
    if (others.length === 0) alone(only)
    else
      void runAll(reads).then(
        () => {
          for (const reading of reads) reading.done()
        },
        () => {
          for (const reading of reads) alone(reading)
        },
      )
  }

  const flushGroup = async (group: readonly QueuedWrite[]): Promise<void> => {
    const settled = await persist((again) =>
      withSession(async (session) => {
        const outcomes: (() => void)[] = []
        session.begin(group.some((waiting) => waiting.durable))
        try {
          for (const waiting of group) outcomes.push(await applyOne(session, waiting, again, group.length > 1))
          await session.commit()
          return outcomes
        } catch (error) {
          await session.rollback().catch(() => undefined)
          throw error
        }
      }),
    )
    for (const settle of settled) settle()
  }

  /** A failure of one write affects that write only; a lost connection or transaction makes all of them retry. */
  const applyOne = async (session: Session, waiting: QueuedWrite, again: boolean, shares: boolean): Promise<() => void> => {
    if (!shares) {
      await waiting.apply(session, again)
      return () => waiting.done()
    }
    session.savepoint()
    try {
      await waiting.apply(session, again)
      await session.release()
      return () => waiting.done()
    } catch (error) {
      if (isLost(error) || isCollision(error) || isUnprepared(error)) throw error
      await session.rollbackToSavepoint()
      return () => waiting.fail(explain(error))
    }
  }

  const flush = async (key: string, waiting: QueuedWrite[]): Promise<void> => {
    // Calls that arrive together share a transaction.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_GROUP_SIZE)
      try {
        await flushGroup(group)
      } catch (error) {
        const reason = explain(error)
        for (const waiting of group) waiting.fail(reason)
      }
    }
    queues.delete(key)
  }

  const enqueue = (key: string | undefined, waiting: QueuedWrite): void => {
    const queue = key === undefined ? undefined : queues.get(key)
    if (queue !== undefined) {
      queue.push(waiting)
      return
    }
    const fresh = [waiting]
    const name = key ?? `alone ${Math.random()}`
    queues.set(name, fresh)
    const work = flush(name, fresh).finally(() => flushing.delete(work))
    flushing.add(work)
  }

  return {
    read: <T>(plan: () => Plan<T>) =>
      new Promise<T>((resolve, reject) => {
        let answer: { readonly value: T } | undefined
        gathered.push({
          *plan(): Plan<void> {
            answer = { value: yield* plan() }
          },
          done: () => {
            if (answer !== undefined) resolve(answer.value)
          },
          fail: reject,
        })
        if (gathered.length === 1) queueMicrotask(readGathered)
      }),
    write<T>(plan: () => Plan<T>, options: WriteOptions<T> = {}) {
      return new Promise<T>((resolve, reject) => {
        let result: { readonly value: T } | undefined
        enqueue(options.owners === undefined ? undefined : JSON.stringify([...new Set(options.owners)].sort()), {
          durable: options.durable ?? true,
          async apply(session, again) {
            const earlier = again && options.earlier !== undefined ? await session.step(options.earlier()) : undefined
            result = { value: earlier ?? (await session.step(plan())) }
          },
          done: () => {
            if (result !== undefined) resolve(result.value)
          },
          fail: reject,
        })
      })
    },
    async execute(statements) {
      try {
        return await persist(() => withSession((session) => session.execute(statements.map((text): Query => ({ text, values: [] })))))
      } catch (error) {
        throw explain(error)
      }
    },
    marksByOwner: true,
    // The server streams the rows, so one query suffices. A lost read is repeated.
    streamRows(reading) {
      const { take } = onceInOrder(reading)
      return this.read(() => each(take, reading.query(0, Number.MAX_SAFE_INTEGER)))
    },
    changeMark: () => ++requested,
    problem: () => failure,
    async close() {
      await Promise.allSettled([...flushing])
      closed = true
      await pool.end()
    },
  }
}
