import type { JsonObject } from '../../core/encoding/json.js'
import type { Instant } from '../../core/facts/fact.js'
import { MemoryError } from '../../errors.js'
import type { Clock } from '../../ports/clock.js'
import type { Jobs, Lease, Self } from '../../ports/jobs.js'
import { LEASE_US } from '../lease-durations.js'
import type { PassProgress } from './index-pass.js'

export interface LeaseTools {
  readonly jobs: Jobs
  readonly clock: Clock
  readonly self: Self
  readonly holder: string
}

/** The last report of the holder of a project's lease. */
interface SeenProcess {
  readonly progress: PassProgress
  /** False if the holder has ended or has not reported for too long. */
  readonly live: boolean
}

const BEAT_MS = 2000
const ASK_AGAIN_MS = 200

export interface HeldLease {
  /** Resolves once other processes can see the holder. */
  readonly known: Promise<void>
  /** False once another process has taken the lease over. */
  holds(): boolean
  report(now: PassProgress): void
  release(error: string | null): Promise<void>
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(new MemoryError('cancelled', 'Indexing was cancelled.'))
    }
    if (signal.aborted) return stop()
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Waits for the lease of a project, then holds it until released. */
export async function takeLease(tools: LeaseTools, kind: string, subject: string, signal: AbortSignal): Promise<HeldLease> {
  for (;;) {
    const lease = await tryLease(tools, kind, subject)
    if (lease !== undefined) return lease
    await pause(ASK_AGAIN_MS, signal)
  }
}

export async function tryLease(tools: LeaseTools, kind: string, subject: string): Promise<HeldLease | undefined> {
  const { jobs, clock, holder } = tools
  await evictDead(tools, kind, subject)
  const now = clock.now()
  const lease = await jobs.take(kind, subject, holder, now, now + LEASE_US.index)
  if (lease === undefined) return undefined
  const held = hold(tools, lease)
  await held.known
  return held
}

function hold({ jobs, clock, self }: LeaseTools, lease: Lease): HeldLease {
  let last: PassProgress = { done: 0, total: 0, doneBytes: 0, totalBytes: 0, startedAt: clock.now() }
  let lost = false
  let ended = false
  let renewing: Promise<void> | undefined
  const renew = async (): Promise<void> => {
    const until = clock.now() + LEASE_US.index
    const kept = await jobs
      .renew(lease, until, { ...last, pid: self.pid, host: self.host, generation: lease.generation, until })
      .catch(() => true)
    if (!kept && !ended) lost = true
  }
  const beat = (): Promise<void> => {
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
    return renewing
  }
  const timer = setInterval(() => void beat(), BEAT_MS)
  timer.unref()
  let reportedAt = 0
  return {
    known: beat(),
    holds: () => !lost,
    report(now) {
      last = now
      // Each report is a small write, so they are limited to a few per second.
      if (clock.now() - reportedAt < 300e3) return
      reportedAt = clock.now()
      void beat()
    },
    async release(error) {
      ended = true
      clearInterval(timer)
      await renewing
      if (lost) return
      // Records the final progress in the job.
      await renew()
      await jobs.release(lease, clock.now(), error)
    },
  }
}

/** Ends the lease of a process of this machine that has ended; it would never renew it. */
export async function evictDead({ jobs, clock, self }: Omit<LeaseTools, 'holder'>, kind: string, subject: string): Promise<void> {
  const job = (await jobs.list()).find((state) => state.kind === kind && state.subject === subject)
  if (job === undefined || job.state !== 'running') return
  const { pid, host, generation } = job.progress
  if (host !== self.host || typeof pid !== 'number' || typeof generation !== 'number' || self.isAlive(pid)) return
  await jobs.release({ kind, subject, holder: '', generation, progress: job.progress }, clock.now(), 'the process ended')
}

/** The last reported progress on a project, and whether a process is still working on it. */
export async function inspectLease({ jobs, clock, self }: LeaseTools, kind: string, subject: string): Promise<SeenProcess | undefined> {
  const job = (await jobs.list()).find((state) => state.kind === kind && state.subject === subject)
  if (job === undefined) return undefined
  const { progress } = job
  const dead = progress.host === self.host && !self.isAlive(numberAt(progress, 'pid'))
  return { progress: toProgress(progress), live: job.state === 'running' && !dead && numberAt(progress, 'until') > clock.now() }
}

/** True if a live process indexes the project or has queued it. */
export async function isLeased(tools: LeaseTools, subject: string): Promise<boolean> {
  for (const kind of ['index', 'queue']) if ((await inspectLease(tools, kind, subject))?.live === true) return true
  return false
}

const numberAt = (value: JsonObject, key: string): Instant => {
  const found = value[key]
  return typeof found === 'number' ? found : 0
}

const toProgress = (value: JsonObject): PassProgress => ({
  done: numberAt(value, 'done'),
  total: numberAt(value, 'total'),
  doneBytes: numberAt(value, 'doneBytes'),
  totalBytes: numberAt(value, 'totalBytes'),
  startedAt: numberAt(value, 'startedAt'),
})
