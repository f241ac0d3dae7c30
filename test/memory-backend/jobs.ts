import type { Instant } from '../../src/core/facts/fact.js'
import { longestLease } from '../../src/core/time/instants.js'
import type { JobState, Jobs } from '../../src/ports/jobs.js'

interface Job extends JobState {
  readonly holder: string | null
  readonly until: Instant
  readonly generation: number
}

export function createRamJobs(): Jobs {
  const jobs = new Map<string, Job>()
  const keyOf = ({ kind, subject }: { readonly kind: string; readonly subject: string }): string => JSON.stringify([kind, subject])
  const held = (lease: {
    readonly kind: string
    readonly subject: string
    readonly holder: string
    readonly generation: number
  }): Job | undefined => {
    const job = jobs.get(keyOf(lease))
    return job?.generation === lease.generation && job.holder === lease.holder ? job : undefined
  }
  return {
    async take(kind, subject, holder, now, until) {
      const key = keyOf({ kind, subject })
      const job = jobs.get(key) ?? {
        kind,
        subject,
        state: 'idle',
        runAt: now,
        attempts: 0,
        progress: {},
        error: null,
        holder: null,
        until: 0,
        generation: 0,
      }
      if (job.holder !== null && job.until > now && job.until <= longestLease(until)) return undefined
      const generation = job.generation + 1
      jobs.set(key, { ...job, state: 'running', holder, until, generation })
      return { kind, subject, holder, generation, progress: job.progress }
    },
    async renew(lease, until, progress) {
      const job = held(lease)
      if (job !== undefined) jobs.set(keyOf(lease), { ...job, until, progress })
      return job !== undefined
    },
    async release(lease, next, error) {
      const job = held(lease)
      if (job === undefined) return
      const attempts = error === null ? 0 : job.attempts + 1
      jobs.set(keyOf(lease), { ...job, holder: null, runAt: next, state: error === null ? 'idle' : 'failed', error, attempts })
    },
    async forget(lease) {
      if (held(lease) !== undefined) jobs.delete(keyOf(lease))
    },
    async find(kind, subject) {
      const job = [...jobs.values()].find((job) => job.kind === kind && job.subject === subject)
      return job === undefined ? undefined : stateOf(job)
    },
    list: async () => [...jobs.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).map(stateOf),
  }
}

const stateOf = ({ kind, subject, state, runAt, attempts, progress, error }: JobState): JobState => ({
  kind,
  subject,
  state,
  runAt,
  attempts,
  progress,
  error,
})
