import type { Environment } from '../environment.js'

/** Progress of a job, in numbers. */
export type JobProgress = Readonly<Record<string, number>>

export interface JobPage {
  readonly progress: JobProgress
  readonly done: boolean
}

/** One page of a job: short and idempotent. */
export type JobStep = (
  env: Environment,
  context: { readonly owner: string; readonly actor: string; readonly progress: JobProgress },
) => Promise<JobPage>
