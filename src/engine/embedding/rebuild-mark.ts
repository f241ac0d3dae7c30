import type { Clock } from '../../ports/clock.js'
import type { Jobs } from '../../ports/jobs.js'
import { LEASE_US } from '../lease-durations.js'

/** Shows that a rebuild of all vectors has begun and has not ended, so that the next one continues it. */
interface RebuildMark {
  isSet(): Promise<boolean>
  set(): Promise<void>
  clear(): Promise<void>
}

const JOB_KIND = 'reembed'
const JOB_SUBJECT = '*'

/** A job row keeps the mark. Its lease ends at once: the rebuilding process may be killed, and others embed the backlog, too. */
export function createRebuildMark(ports: {
  readonly jobs: Jobs
  readonly clock: Clock
  readonly holder: string
  readonly model: string
}): RebuildMark {
  const { jobs, clock, holder, model } = ports
  const take = () => jobs.take(JOB_KIND, JOB_SUBJECT, holder, clock.now(), clock.now() + LEASE_US.plan)
  return {
    isSet: async () => (await jobs.find(JOB_KIND, JOB_SUBJECT))?.progress.model === model,
    async set() {
      const lease = await take()
      if (lease === undefined) return
      await jobs.renew(lease, clock.now() + LEASE_US.plan, { model })
      await jobs.release(lease, clock.now(), null)
    },
    async clear() {
      if ((await jobs.find(JOB_KIND, JOB_SUBJECT)) === undefined) return
      const lease = await take()
      if (lease !== undefined) await jobs.forget(lease)
    },
  }
}
