import type { Environment } from '../environment.js'
import { archiveExpired } from './archive.js'
import { deduplicate } from './duplicates.js'
import type { JobProgress, JobStep } from './job-step.js'

/** Loaded when it is due. */
const decay: JobStep = async (env, context) => (await import('./decay.js')).decay(env, context)

/** Maintenance jobs that run on schedule or on request. */
const JOBS = { deduplicate, archive: archiveExpired, decay } as const satisfies Record<string, JobStep>
export type JobKind = keyof typeof JOBS
export const JOB_KINDS: readonly JobKind[] = ['deduplicate', 'archive', 'decay']

interface JobRun {
  readonly kind: JobKind
  readonly owner: string
  /** Identifies this process in leases. */
  readonly holder: string
  readonly leaseSeconds: number
  readonly signal: AbortSignal
  /** Time of the next run after success or failure; without it the time is unchanged. */
  next?(now: number, failed: boolean): number
  /** Called once the lease is held; false skips the job because another process has just run it. */
  isDue?(): Promise<boolean>
  progress?(done: JobProgress): void
}

export type JobReport =
  | { readonly state: 'busy' | 'not due' }
  /** `run` is the actor of all changes in the journal. */
  | { readonly state: 'done' | 'lost' | 'interrupted'; readonly run: string; readonly result: JobProgress }

/** Works page by page under a lease. Resumes after a crash at the last page. */
export async function runJob(env: Environment, job: JobRun): Promise<JobReport> {
  const { jobs } = env
  const until = (): number => env.clock.now() + job.leaseSeconds * 1e6
  const lease = await jobs.take(job.kind, job.owner, job.holder, env.clock.now(), until())
  if (lease === undefined) return { state: 'busy' }
  const run = `job:${job.kind}:${job.owner}#${lease.generation}`
  const resumed = lease.progress.done === 0
  let result: JobProgress = resumed ? numbersOf(lease.progress) : {}
  const planned = async (): Promise<number> =>
    (await jobs.list()).find((state) => state.kind === job.kind && state.subject === job.owner)?.runAt ?? env.clock.now()
  let failure: string | null = null
  let next: number | undefined
  try {
    if (job.isDue !== undefined && !(await job.isDue())) {
      next = await planned()
      return { state: 'not due' }
    }
    for (;;) {
      if (job.signal.aborted) return { state: 'interrupted', run, result }
      const page = await JOBS[job.kind](env, { owner: job.owner, actor: run, progress: result })
      result = page.progress
      job.progress?.(result)
      if (!(await jobs.renew(lease, until(), { ...result, done: page.done ? 1 : 0, run: lease.generation })))
        return { state: 'lost', run, result }
      if (page.done) return { state: 'done', run, result }
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
    throw error
  } finally {
    await jobs.release(lease, next ?? job.next?.(env.clock.now(), failure !== null) ?? (await planned()), failure)
  }
}

const numbersOf = (progress: Readonly<Record<string, unknown>>): JobProgress =>
  Object.fromEntries(
    Object.entries(progress).flatMap(([key, value]) =>
      typeof value === 'number' && key !== 'done' && key !== 'run' ? [[key, value]] : [],
    ),
  )
