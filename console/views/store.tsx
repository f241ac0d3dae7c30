import { useState } from 'preact/hooks'
import { Loaded } from '../parts/feedback.js'
import { act, say } from '../state/actions.js'
import { revision, useAnswer } from '../state/answers.js'
import { type ApiError, callLong } from '../state/api.js'
import { number, ownerName, plural } from '../state/words.js'

interface Projects {
  readonly projects: readonly string[]
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export function Code() {
  const answer = useAnswer<Projects>('memory/list_projects', {})
  return (
    <>
      <h1>Code</h1>
      <p class="dim">Folders whose code agents can search.</p>
      <Loaded answer={answer}>
        {({ projects }) =>
          projects.length === 0 ? (
            <div class="empty">
              <h2>No project is indexed.</h2>
              <pre class="pre">mneme index .</pre>
            </div>
          ) : (
            <>
              {projects.map((project) => (
                <Project key={project} id={project} />
              ))}
            </>
          )
        }
      </Loaded>
    </>
  )
}

function Project({ id }: { readonly id: string }) {
  const answer = useAnswer<Record<string, unknown>>('memory/get_index_status', { project_id: id })
  return (
    <section class="block">
      <Loaded answer={answer} lines={3}>
        {(status) => <ProjectStatus id={id} status={status} />}
      </Loaded>
    </section>
  )
}

function ProjectStatus({ id, status }: { readonly id: string; readonly status: Readonly<Record<string, unknown>> }) {
  const shown = Object.entries(status).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  )
  const skipped = Object.entries(status).find(([name, value]) => name.includes('skip') && typeof value === 'object' && value !== null)
  return (
    <>
      <header>
        <h2>{text(status.name) || id}</h2>
      </header>
      <dl class="kv">
        {shown.map(([name, value]) => [
          <dt key={name}>{name.replaceAll('_', ' ')}</dt>,
          <dd key={`${name}=`}>{typeof value === 'number' ? number(value) : String(value)}</dd>,
        ])}
      </dl>
      {skipped !== undefined && (
        <details class="block">
          <summary>Skipped files and why</summary>
          <pre class="pre wrap">{JSON.stringify(skipped[1], null, 2)}</pre>
        </details>
      )}
    </>
  )
}

interface Jobs {
  readonly jobs: readonly Readonly<Record<string, unknown>>[]
  readonly pending_vectors: number
}
const KINDS = ['archive', 'duplicates', 'decay'] as const

export function JobsView() {
  const answer = useAnswer<Jobs>('admin/jobs', { action: 'list' })
  const [running, setRunning] = useState<{ readonly kind: string; readonly message: string }>()
  const run = async (kind: string): Promise<void> => {
    setRunning({ kind, message: 'begun' })
    await callLong<Jobs>(
      'admin/jobs',
      { action: 'run', kind },
      { progress: ({ done, message }) => setRunning({ kind, message: `${number(done)} ${message}` }) },
    ).then(
      ({ jobs }) => say(`Done: ${jobs.map((job) => `${text(job.kind)} of ${ownerName(text(job.owner))}, ${text(job.state)}`).join('; ')}.`),
      (failure: ApiError) => say(failure.message, { bad: true }),
    )
    setRunning(undefined)
    revision.value += 1
  }
  const undo = (what: string): void => void act({ tool: 'admin/undo', input: { what }, done: 'The run was undone.' })
  return (
    <>
      <h1>Jobs</h1>
      <p class="dim">Background work: what runs, how far it is, what failed.</p>
      <div class="flow block">
        {KINDS.map((kind) => (
          <button key={kind} type="button" class="btn" disabled={running !== undefined} onClick={() => void run(kind)}>
            Run {kind} now
          </button>
        ))}
        {running !== undefined && (
          <span class="dim" role="status">
            {running.kind}: {running.message}
          </span>
        )}
      </div>
      <Loaded answer={answer}>
        {({ jobs, pending_vectors }) => (
          <section class="block">
            <p class="dim">
              {pending_vectors === 0 ? 'No text waits for a vector.' : `${plural(pending_vectors, 'text')} wait for a vector.`}
            </p>
            {jobs.length === 0 ? (
              <p class="dim block">No job has run yet.</p>
            ) : (
              <div class="scroll block">
                <table class="table">
                  <thead>
                    <tr>
                      <th scope="col">Job</th>
                      <th scope="col">Of</th>
                      <th scope="col">State</th>
                      <th scope="col">Result</th>
                      <th scope="col">Run</th>
                    </tr>
                  </thead>
                  <tbody>
                    {jobs.map((job) => (
                      <tr key={`${text(job.kind)} ${text(job.subject)}`}>
                        <th scope="row">{text(job.kind)}</th>
                        <td>{text(job.project) || ownerName(text(job.subject))}</td>
                        <td>
                          {text(job.state)} {text(job.error)}
                        </td>
                        <td class="mono small">{resultOf(job.progress)}</td>
                        <td>
                          {runOf(job) !== undefined && (
                            <button type="button" class="btn quiet" onClick={() => undo(runOf(job) ?? '')}>
                              Undo
                            </button>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </section>
        )}
      </Loaded>
    </>
  )
}

const resultOf = (progress: unknown): string =>
  typeof progress === 'object' && progress !== null
    ? Object.entries(progress)
        .filter(([, value]) => typeof value === 'number' || typeof value === 'string')
        .map(([name, value]) => `${name} ${String(value)}`)
        .join(', ')
    : ''

function runOf({ kind, subject, generation, progress }: Readonly<Record<string, unknown>>): string | undefined {
  const run = typeof progress === 'object' && progress !== null && 'run' in progress ? progress.run : undefined
  if (typeof run === 'string') return run
  return typeof generation === 'number' ? `job:${text(kind)}:${text(subject)}#${generation}` : undefined
}
