import { z } from 'zod'
import { formatInstant } from '../../core/input/input.js'
import type { Context } from '../../engine/context.js'
import { undoActor, undoChange } from '../../engine/history/undo.js'
import { listJobOwners } from '../../engine/jobs/job-plan.js'
import { JOB_KINDS, type JobReport, runJob } from '../../engine/jobs/run-job.js'
import { readStatus } from '../../engine/maintenance/status.js'
import { MemoryError } from '../../errors.js'
import { type Call, operation } from '../operation.js'
import { jobsText, undoText } from './plain-text.js'

export const jobs = operation({
  name: 'jobs',
  title: 'Jobs',
  description: `Background work: what runs, how far it is, what failed. "jobs run <kind>" runs one now: ${JOB_KINDS.join(' or ')}`,
  effect: 'write',
  mode: ({ action }) => (action === 'run' ? {} : { effect: 'read' }),
  keyed: false,
  idempotent: true,
  positionals: ['action', 'kind'],
  input: z.strictObject({
    action: z.enum(['list', 'run']).default('list'),
    kind: z.enum(JOB_KINDS, { error: `must be one of ${JOB_KINDS.join(', ')}` }).optional(),
    owner: z.string().optional().describe('Owner of the facts; default the configured owners'),
  }),
  output: z.object({ jobs: z.array(z.record(z.string(), z.unknown())), pending_vectors: z.int() }),
  text: jobsText,
  async run(call, { action, kind, owner }) {
    const { context } = call
    if (action === 'run') {
      if (kind === undefined)
        throw new MemoryError('invalid_input', 'Which job?', { hint: `mneme jobs run <kind>, where kind is ${JOB_KINDS.join(' or ')}.` })
      const reports: Record<string, unknown>[] = []
      for (const jobOwner of owner === undefined ? await listJobOwners(context) : [owner])
        reports.push({ kind, owner: jobOwner, ...flat(await runNow(call, kind, jobOwner)) })
      return { jobs: reports, pending_vectors: (await readStatus(context)).embedding.pending }
    }
    return {
      jobs: await jobsNow(context),
      pending_vectors: (await readStatus(context)).embedding.pending,
    }
  },
})

/** Jobs with their state: projects by name, scheduled jobs with their next run. */
async function jobsNow({ services, jobs }: Context): Promise<Record<string, unknown>[]> {
  const projects = new Map((await services.code.projects(undefined)).map((source) => [source.id, source.title]))
  return (await jobs.list()).map((job) => {
    const project = projects.get(job.subject)
    const scheduled = JOB_KINDS.some((kind) => kind === job.kind) && job.state !== 'running'
    return { ...job, ...(project === undefined ? {} : { project }), ...(scheduled ? { due: formatInstant(job.runAt) } : {}) }
  })
}

/** Runs a job now without changing its schedule. */
const runNow = ({ context, progress }: Call, kind: (typeof JOB_KINDS)[number], owner: string): Promise<JobReport> =>
  runJob(context, {
    kind,
    owner,
    signal: context.signal,
    holder: `cli-${context.callId}`,
    leaseSeconds: context.settings.graph.jobs.leaseSeconds,
    progress: (done) => progress(done.checked ?? 0, null, `facts of ${owner} checked`),
  })

const flat = (report: JobReport): Record<string, unknown> =>
  'result' in report ? { state: report.state, run: report.run, ...report.result } : { state: report.state }

export const undo = operation({
  name: 'undo',
  title: 'Undo',
  description: 'Revert one change by its number, or one run of a job; later changes stay',
  effect: 'write',
  keyed: false,
  idempotent: true,
  positionals: ['what'],
  input: z.strictObject({
    what: z.string().describe('Number of a change, or a run from `jobs`, such as job:archive:default#3'),
    owner: z.string().optional().describe('Owner of the change; required on PostgreSQL, which numbers changes per owner'),
  }),
  output: z.object({ undone: z.int(), skipped: z.array(z.string()) }),
  text: undoText,
  async run({ context, actor }, { what, owner }) {
    const { undone, skipped } = /^\d+$/u.test(what)
      ? await undoChange(context, actor, Number(what), owner)
      : await undoActor(context, actor, what)
    if (undone === 0)
      throw new MemoryError(
        'conflict',
        `Nothing was undone: ${listed(skipped)} ${skipped.length === 1 ? 'was' : 'were'} changed again since, or deleted, or what they were is no longer kept; what was deleted cannot be brought back.`,
        { hint: `\`mneme history ${skipped[0] ?? ''}\` shows what happened since; the newest change has to be undone first.` },
      )
    return { undone, skipped: [...skipped] }
  },
})

/** The first ids, to recognise the run. */
const listed = (ids: readonly string[]): string =>
  ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ')
