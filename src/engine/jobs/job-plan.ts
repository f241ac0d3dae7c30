import type { Instant } from '../../core/facts/fact.js'
import type { Environment } from '../environment.js'
import { LEASE_US } from '../lease-durations.js'
import type { JobKind } from './run-job.js'

/** Owners whose facts are maintained. */
export const listJobOwners = async ({ settings, graph }: Environment): Promise<readonly string[]> =>
  settings.graph.jobs.allOwners ? graph.owners() : settings.graph.jobs.owners

/** Sets when a job runs next, unless another process holds it. */
export async function planJob({ jobs, clock }: Environment, kind: JobKind, owner: string, holder: string, at: Instant): Promise<void> {
  const now = clock.now()
  const lease = await jobs.take(kind, owner, holder, now, now + LEASE_US.plan)
  if (lease !== undefined) await jobs.release(lease, at, null)
}
