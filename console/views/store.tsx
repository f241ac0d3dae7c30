import { useEffect, useState } from 'preact/hooks'
import { Loaded } from '../parts/feedback.js'
import { act, say } from '../state/actions.js'
import { revision, useAnswer } from '../state/answers.js'
import { type ApiError, callLong } from '../state/api.js'
import { dateAndTime, number, ownerName, plural, spacedWords } from '../state/words.js'

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
            projects.map((project) => <Project key={project} id={project} />)
          )
        }
      </Loaded>
    </>
  )
}

interface IndexStatus {
  readonly path: string
  readonly status: 'pending' | 'indexing' | 'completed' | 'failed'
  readonly total_files: number
  readonly indexed_files: number
  readonly total_chunks: number
  readonly progress_percent: number
  readonly eta_seconds: number | null
  readonly completed_at: string | null
  readonly error_message?: string
  readonly files_skipped: Readonly<Record<string, number>>
  readonly masked_files?: Readonly<Record<string, readonly string[]>>
  readonly watching: boolean
  readonly vectors_done: number
  readonly vectors_total: number
}

const RELOAD_MS = 1500

function Project({ id }: { readonly id: string }) {
  const answer = useAnswer<IndexStatus>('memory/get_index_status', { project_id: id })
  const { value, reload } = answer
  const isBusy =
    value !== undefined && (value.status === 'indexing' || value.status === 'pending' || value.vectors_done < value.vectors_total)
  useEffect(() => {
    if (!isBusy) return undefined
    const timer = setTimeout(reload, RELOAD_MS)
    return () => clearTimeout(timer)
  }, [isBusy, value, reload])
  return (
    <section class="block" aria-label={`Project ${id}`}>
      <header>
        <h2>{id}</h2>
      </header>
      <Loaded answer={answer} lines={3}>
        {(status) => <ProjectStatus status={status} />}
      </Loaded>
    </section>
  )
}

const STATES = { pending: 'Waiting to be indexed', indexing: 'Being indexed', completed: 'Indexed', failed: 'Failed' } as const

function ProjectStatus({ status }: { readonly status: IndexStatus }) {
  const skipped = Object.entries(status.files_skipped).sort(([, a], [, b]) => b - a)
  const masked = Object.entries(status.masked_files ?? {})
  const rows: readonly (readonly [string, string])[] = [
    ['State', `${STATES[status.status]}${status.completed_at === null ? '' : ` on ${dateAndTime(status.completed_at)}`}`],
    ...(status.error_message === undefined ? [] : [['Problem', status.error_message] as const]),
    ['Folder', status.path],
    ['Files', `${number(status.indexed_files)} of ${number(status.total_files)}, in ${plural(status.total_chunks, 'passage')}`],
    ['Vectors', `${number(status.vectors_done)} of ${number(status.vectors_total)}`],
    ['Changes', status.watching ? 'followed as files are saved' : 'read at the next index run'],
  ]
  return (
    <>
      <dl class="kv">{rows.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}=`}>{value}</dd>])}</dl>
      {status.status === 'indexing' && (
        <div
          class="progress block"
          role="progressbar"
          aria-label={`Index, ${status.progress_percent} %${status.eta_seconds === null ? '' : `, ${status.eta_seconds} s left`}`}
          aria-valuenow={Math.round(status.progress_percent)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ '--v': status.progress_percent / 100 }} />
        </div>
      )}
      {skipped.length === 0 ? (
        <p class="dim block">No file was skipped.</p>
      ) : (
        <table class="table block">
          <caption class="sr">Skipped files</caption>
          <thead>
            <tr>
              <th scope="col">Skipped because</th>
              <th scope="col" class="r">
                Files
              </th>
            </tr>
          </thead>
          <tbody>
            {skipped.map(([reason, count]) => (
              <tr key={reason}>
                <th scope="row">{reason.replaceAll('_', ' ')}</th>
                <td class="r">{number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {masked.length > 0 && (
        <p class="dim block">
          Secrets are masked in {plural(masked.length, 'file')}: {masked.map(([path, kinds]) => `${path} (${kinds.join(', ')})`).join(', ')}
          .
        </p>
      )}
    </>
  )
}

interface Jobs {
  readonly jobs: readonly Readonly<Record<string, unknown>>[]
  readonly pending_vectors: number
}
const KINDS = ['archive', 'deduplicate', 'decay'] as const

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
                        <td>{text(job.subject) === '*' ? 'everything' : text(job.project) || ownerName(text(job.subject))}</td>
                        <td>
                          {text(job.state)} {text(job.error)}
                        </td>
                        <td class="small">{resultOf(job.progress)}</td>
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

/** What the bookkeeping of a job says to the processes that run it, and not to people. */
const INTERNAL_FIELDS = new Set(['pid', 'host', 'generation', 'until', 'run', 'startedAt', 'doneBytes', 'totalBytes', 'stamp', 'rid'])

function resultOf(progress: unknown): string {
  if (typeof progress !== 'object' || progress === null) return ''
  const known = Object.fromEntries(Object.entries(progress))
  const { done, total } = known
  const counted = typeof done === 'number' && typeof total === 'number'
  const others = Object.entries(known)
    .filter(([name, value]) => !INTERNAL_FIELDS.has(name) && !(counted && (name === 'done' || name === 'total')) && isShown(value))
    .map(([name, value]) => `${spacedWords(name)} ${typeof value === 'number' ? number(value) : String(value)}`)
  return [...(counted ? [`${number(done)} of ${number(total)}`] : []), ...others].join(', ')
}

const isShown = (value: unknown): boolean => (typeof value === 'number' && value !== 0) || (typeof value === 'string' && value !== '')

function runOf({ kind, subject, generation, progress }: Readonly<Record<string, unknown>>): string | undefined {
  const run = typeof progress === 'object' && progress !== null && 'run' in progress ? progress.run : undefined
  if (typeof run === 'string') return run
  return typeof generation === 'number' ? `job:${text(kind)}:${text(subject)}#${generation}` : undefined
}
