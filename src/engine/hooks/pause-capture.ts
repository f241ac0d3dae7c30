import type { Instant } from '../../core/facts/fact.js'
import type { Environment } from '../environment.js'

const PAUSE_RECORD_KIND = 'capture-pause'
const PAUSE_RECORD_NAME = 'all'
const LEASE_US = 5e6

/** Suspends hooks of all processes until an instant; one in the past resumes them. */
export async function pauseCapture(env: Environment, until: Instant): Promise<void> {
  const now = env.clock.now()
  const lease = await env.jobs.take(PAUSE_RECORD_KIND, PAUSE_RECORD_NAME, env.ids.mint(), now, now + LEASE_US)
  if (lease === undefined) return
  await env.jobs.renew(lease, now + LEASE_US, { until })
  await env.jobs.release(lease, until, null)
}

/** End of the current pause; null for none. */
export async function pausedUntil(env: Environment): Promise<Instant | null> {
  const state = (await env.jobs.list()).find(({ kind, subject }) => kind === PAUSE_RECORD_KIND && subject === PAUSE_RECORD_NAME)
  const until = state?.progress.until
  return typeof until === 'number' && until > env.clock.now() ? until : null
}
