import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../engine/context.js'
import { listJobOwners, planJob } from '../engine/jobs/job-plan.js'
import { JOB_KINDS, type JobKind, runJob } from '../engine/jobs/run-job.js'

interface ScheduleOptions {
  readonly leaseSeconds: number
  readonly holder: string
}

export interface Schedule {
  /** Runs what is due and returns when to run again. */
  tick(): Promise<number>
  close(): Promise<void>
}

const HOUR_US = 3600e6
const WEEK_US = 168 * HOUR_US
/** 1970-01-04 was a Sunday; the hour is three in the morning, UTC. */
const FIRST_SUNDAY_US = 75 * HOUR_US
const MAX_ATTEMPTS = 3
const MAX_PAUSE_US = 30e6
/** Clocks may change and machines may sleep, so the wait is bounded. */
const MAX_WAIT_MS = 60_000

/** Hourly on the hour, or Sunday at three. */
export const nextRun = (kind: JobKind, after: number): number =>
  kind !== 'archive'
    ? (Math.floor(after / HOUR_US) + 1) * HOUR_US
    : FIRST_SUNDAY_US + (Math.floor((after - FIRST_SUNDAY_US) / WEEK_US) + 1) * WEEK_US

/** A failed run is retried after 2, 4 and 8 seconds, then at its usual time. */
export const retryAt = (kind: JobKind, now: number, attempts: number): number =>
  attempts < MAX_ATTEMPTS ? now + Math.min(MAX_PAUSE_US, 2e6 * 2 ** attempts) : nextRun(kind, now)

/** Schedules maintenance. Several processes may do so: rows of jobs record what is due, and leases decide which process runs it. */
export function createSchedule(context: Context, options: ScheduleOptions): Schedule {
  const stop = new AbortController()

  const runDue = async (kind: JobKind, owner: string): Promise<number> => {
    const known = await context.jobs.find(kind, owner)
    const now = context.clock.now()
    // A run planned later than the schedule allows was planned under a wrong clock.
    if (known === undefined || (known.state !== 'running' && known.runAt > nextRun(kind, now) + HOUR_US)) {
      await planJob(context, kind, owner, options.holder, nextRun(kind, now))
      return nextRun(kind, now)
    }
    // An interrupted run is due at once.
    const unfinished = known.state === 'running' && known.progress.done === 0
    if (known.runAt > now && !unfinished) return known.runAt
    try {
      const isDue = async (): Promise<boolean> => {
        const state = await context.jobs.find(kind, owner)
        return state === undefined || state.runAt <= context.clock.now() || state.progress.done === 0
      }
      await runJob(context, {
        kind,
        owner,
        holder: options.holder,
        leaseSeconds: options.leaseSeconds,
        signal: stop.signal,
        isDue,
        next: (now, failed) => (failed ? retryAt(kind, now, known.attempts) : nextRun(kind, now)),
      })
      return nextRun(kind, context.clock.now())
    } catch (error) {
      context.log.warn('a background job failed', { kind, owner, failure: error instanceof Error ? error.message : String(error) })
      return retryAt(kind, context.clock.now(), known.attempts)
    }
  }

  const tick = async (): Promise<number> => {
    let next = Number.POSITIVE_INFINITY
    for (const owner of await listJobOwners(context)) {
      for (const kind of JOB_KINDS) {
        if (stop.signal.aborted) return next
        next = Math.min(next, await runDue(kind, owner))
      }
    }
    return next
  }

  return {
    tick,
    async close() {
      stop.abort()
    },
  }
}

/** Runs until closed; does not keep the process alive. */
export function startSchedule(context: Context, options: ScheduleOptions): Schedule {
  const schedule = createSchedule(context, options)
  const stop = new AbortController()
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      let next = Number.POSITIVE_INFINITY
      try {
        next = await schedule.tick()
      } catch (error) {
        context.log.warn('the schedule of background jobs failed', { failure: error instanceof Error ? error.message : String(error) })
      }
      const waitMs = Math.min(MAX_WAIT_MS, Math.max(1000, (next - context.clock.now()) / 1000))
      await delay(waitMs, undefined, { ref: false, signal: stop.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    tick: schedule.tick,
    async close() {
      stop.abort()
      await schedule.close()
      await running
    },
  }
}
