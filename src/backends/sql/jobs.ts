import type { Instant } from '../../core/facts/fact.js'
import { longestLease } from '../../core/time/instants.js'
import type { Clock } from '../../ports/clock.js'
import type { JobState, Jobs } from '../../ports/jobs.js'
import type { Dialect } from './plan/dialect.js'
import { type Connection, first, jsonObject, number, type Row, run, text, textOrNull } from './plan/plan.js'

const STATES: readonly JobState['state'][] = ['idle', 'running', 'failed']

/** Leases use the database clock if there is one; `now` and `until` come from this process. */
export function createJobs(connection: Connection, { databaseTime }: Pick<Dialect, 'databaseTime'>, clock: Clock): Jobs {
  const time = databaseTime ?? '?'
  const later = databaseTime === undefined ? '?' : `${databaseTime} + ?`
  const node = (instant: Instant): readonly Instant[] => (databaseTime === undefined ? [instant] : [])
  const ending = (until: Instant, now: Instant): Instant => (databaseTime === undefined ? until : until - now)
  return {
    take: (kind, subject, holder, now, until) =>
      connection.write(
        function* () {
          const row = yield* first(
            `INSERT INTO jobs (kind, subject, state, run_at, attempts, lease_owner, lease_until, generation, progress)
           VALUES (?, ?, 'running', ?, 0, ?, ${later}, 1, '{}')
           ON CONFLICT (kind, subject) DO UPDATE SET state = 'running', lease_owner = excluded.lease_owner, lease_until = excluded.lease_until,
             generation = jobs.generation + 1
           WHERE jobs.lease_until IS NULL OR jobs.lease_until <= ${time} OR jobs.lease_until > ${later} RETURNING generation, progress`,
            kind,
            subject,
            now,
            holder,
            ending(until, now),
            ...node(now),
            ending(longestLease(until), now),
          )
          return row === undefined
            ? undefined
            : { kind, subject, holder, generation: number(row, 'generation'), progress: jsonObject(row, 'progress') }
        },
        { durable: false },
      ),
    renew: (lease, until, progress) =>
      connection.write(
        function* () {
          const row = yield* first(
            `UPDATE jobs SET lease_until = ${later}, progress = ? WHERE kind = ? AND subject = ? AND generation = ? AND lease_owner = ? RETURNING kind`,
            ending(until, clock.now()),
            JSON.stringify(progress),
            lease.kind,
            lease.subject,
            lease.generation,
            lease.holder,
          )
          return row !== undefined
        },
        { durable: false },
      ),
    release: (lease, next, error) =>
      connection.write(
        function* () {
          yield* run(
            `UPDATE jobs SET lease_owner = NULL, lease_until = NULL, run_at = ?, state = ?, error = ?, attempts = CASE WHEN CAST(? AS TEXT) IS NULL THEN 0 ELSE attempts + 1 END
           WHERE kind = ? AND subject = ? AND generation = ?`,
            next,
            error === null ? 'idle' : 'failed',
            error,
            error,
            lease.kind,
            lease.subject,
            lease.generation,
          )
        },
        { durable: false },
      ),
    forget: (lease) =>
      connection.write(
        function* () {
          yield* run(
            `DELETE FROM jobs WHERE kind = ? AND subject = ? AND generation = ? AND lease_owner = ?`,
            lease.kind,
            lease.subject,
            lease.generation,
            lease.holder,
          )
        },
        { durable: false },
      ),
    find: (kind, subject) =>
      connection.read(function* () {
        const row = yield* first(`SELECT * FROM jobs WHERE kind = ? AND subject = ?`, kind, subject)
        return row === undefined ? undefined : toState(row)
      }),
    list: () =>
      connection.read(function* () {
        return (yield* run(`SELECT * FROM jobs ORDER BY kind, subject`)).map(toState)
      }),
  }
}

const toState = (row: Row): JobState => ({
  kind: text(row, 'kind'),
  subject: text(row, 'subject'),
  state: STATES.find((state) => state === row.state) ?? 'idle',
  runAt: number(row, 'run_at'),
  attempts: number(row, 'attempts'),
  progress: jsonObject(row, 'progress'),
  error: textOrNull(row, 'error'),
})
