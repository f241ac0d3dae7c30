import type { JsonObject } from '../core/encoding/json.js'
import type { Instant } from '../core/facts/fact.js'

export interface Lease {
  readonly kind: string
  readonly subject: string
  readonly holder: string
  /** Fencing token: an expired holder cannot overwrite its successor. */
  readonly generation: number
  readonly progress: JsonObject
}

export interface JobState {
  readonly kind: string
  readonly subject: string
  readonly state: 'idle' | 'running' | 'failed'
  readonly runAt: Instant
  readonly attempts: number
  readonly progress: JsonObject
  readonly error: string | null
}

/** Background jobs as rows. At most one process holds the lease of a job. */
export interface Jobs {
  /** Undefined while another lease is valid. A lease that ends much later than its length allows was taken under a wrong clock. */
  take(kind: string, subject: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined>
  /** Records progress and extends the lease; false if it was lost. */
  renew(lease: Lease, until: Instant, progress: JsonObject): Promise<boolean>
  /** Ends the lease. An error counts an attempt and keeps the progress; otherwise the progress is kept as the result. */
  release(lease: Lease, next: Instant, error: string | null): Promise<void>
  /** Ends the lease and removes the job. */
  forget(lease: Lease): Promise<void>
  find(kind: string, subject: string): Promise<JobState | undefined>
  list(): Promise<readonly JobState[]>
}

/** This process, as others see it. */
export interface Self {
  readonly pid: number
  readonly host: string
  /** Whether a process of this machine is still there. */
  isAlive(pid: number): boolean
}
