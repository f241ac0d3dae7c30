import { EMPTY_REPORT, listPolicies, sweepPage } from '../stigmem/decay.js'
import type { JobStep } from './job-step.js'

/** Decays statements hourly; resumes after a crash. */
export const decay: JobStep = async (env, { owner, actor, progress }) => {
  const policies = (await listPolicies(env, owner)).filter(({ mode }) => mode !== 'dry_run')
  const before = progress.at === undefined || progress.key === undefined ? undefined : { at: progress.at, key: progress.key }
  const page = policies.length === 0 ? { ...EMPTY_REPORT, next: null } : await sweepPage(env, actor, { owner }, policies, before)
  return {
    progress: {
      checked: (progress.checked ?? 0) + page.evaluated,
      faded: (progress.faded ?? 0) + page.retracted + page.reduced,
      ...(page.next === null ? {} : { at: page.next.at, key: Number(page.next.key) }),
    },
    done: page.next === null,
  }
}
