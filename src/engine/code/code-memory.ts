import type { Source } from '../../core/source.js'
import { type MemoryError, toMemoryError } from '../../errors.js'
import type { Backend } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import type { CodeParser } from '../../ports/code-parser.js'
import type { Ids } from '../../ports/ids.js'
import type { FilesChanged, ProjectFiles } from '../../ports/project-files.js'
import type { Diary } from '../environment.js'
import { type LeaseTools, type Self, takeLease } from './index-lease.js'
import { type PassProgress, type PassResult, runPass } from './index-pass.js'
import { createIndexReport, type IndexReport } from './index-report.js'
import { createPassQueue, type Ticket } from './pass-queue.js'
import { projectById, registerProject, requireProject, stateOf, withState } from './project-state.js'
import { createWatches } from './watches.js'

export interface CodeMemoryOptions {
  readonly backend: Backend
  readonly files: ProjectFiles
  readonly parser: CodeParser
  readonly clock: Clock
  readonly ids: Ids
  readonly diary: Diary
  readonly owner: string
  readonly holder: string
  readonly self: Self
  /** Called when passages wait for vectors. */
  embed(): void
}

export interface IndexRequest {
  readonly path: string
  readonly actor: string
  /** True watches from now on, false stops watching; undefined leaves it as it is. */
  readonly watch?: boolean | undefined
  readonly signal: AbortSignal
  progress(now: PassProgress): void
}

export interface Indexed extends PassResult {
  readonly files: number
  readonly passages: number
}

/** Repositories as memory: indexed on request, kept in step while watched, resumed after a crash. */
export interface CodeMemory {
  index(request: IndexRequest): Promise<Indexed>
  report(project: string): Promise<IndexReport>
  projects(): Promise<readonly Source[]>
  /** Answers how many passages were deleted. */
  remove(project: string, actor: string): Promise<number>
  /** For a process that stays: finishes what others left half done and watches what is to be watched. */
  resume(): void
  close(): Promise<void>
}

const ACTOR = 'indexer'

export function createCodeMemory(options: CodeMemoryOptions): CodeMemory {
  const { backend, files, clock, diary } = options
  const leases: LeaseTools = { jobs: backend.jobs, clock, self: options.self, holder: options.holder }
  const stop = new AbortController()
  const report = createIndexReport(backend, leases)

  let stays = false
  let following: Promise<void> | undefined
  /** A process that will be asked keeps its search structures in step, so that the first question finds them ready. */
  const follow = (): void => {
    if (!stays || stop.signal.aborted) return
    following ??= backend.code
      .warm()
      .catch(() => undefined)
      .finally(() => {
        following = undefined
      })
  }

  const pass = async (sourceId: string, only: FilesChanged | undefined, { signal, progress }: Ticket): Promise<PassResult> => {
    const lease = await takeLease(leases, 'index', sourceId, signal)
    let failure: MemoryError | null = null
    try {
      const result = await runPass(
        { backend, files, parser: options.parser, ids: options.ids, clock },
        {
          sourceId,
          only,
          signal,
          actor: ACTOR,
          holds: lease.holds,
          stored: follow,
          progress(now) {
            lease.report(now)
            progress(now)
          },
        },
      )
      if (result.filesChanged + result.filesRemoved > 0) options.embed()
      return result
    } catch (error) {
      failure = toMemoryError(error)
      // A process that is shut down leaves the state as it is: another goes on with it.
      if (!stop.signal.aborted && lease.holds()) await noteFailure(sourceId, failure)
      throw failure
    } finally {
      await lease.release(failure === null ? null : failure.message).catch(() => undefined)
    }
  }

  const noteFailure = async (sourceId: string, failure: MemoryError): Promise<void> => {
    const error =
      failure.code === 'cancelled' ? 'Indexing was cancelled before it was finished. Index the project again to go on.' : failure.message
    await revise(sourceId, ACTOR, (source) => withState(source, { ...stateOf(source), status: 'failed', error })).catch(
      (second: unknown) => {
        diary.warn('the state of a project could not be stored', { failure: toMemoryError(second).message })
      },
    )
  }

  const revise = async (sourceId: string, actor: string, change: (source: Source) => Source): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      const source = await projectById(backend, sourceId)
      if (source === undefined) return
      try {
        await backend.store.commit(actor, (at) => [
          { op: 'source.put', source: { ...change(source), updatedAt: at, version: source.version + 1 } },
        ])
        return
      } catch (error) {
        if (toMemoryError(error).code !== 'conflict' || attempt >= 5) throw error
      }
    }
  }

  const queue = createPassQueue(pass)
  const background = (sourceId: string, only?: FilesChanged): Promise<void> =>
    queue.ask(sourceId, only, { signal: stop.signal, progress: () => undefined }).then(
      () => undefined,
      (error: unknown) => {
        const { code, message } = toMemoryError(error)
        // Another process deleted the project: there is nothing left to watch.
        if (code === 'not_found') void watches.close(sourceId)
        else if (!stop.signal.aborted) diary.warn('indexing in the background failed', { project: sourceId, failure: message })
      },
    )
  const watches = createWatches({ files, leases, diary, refresh: background })

  const setWatch = async (source: Source, watch: boolean, actor: string): Promise<void> => {
    if (stateOf(source).watch !== watch) await revise(source.id, actor, (one) => withState(one, { ...stateOf(one), watch }))
    if (watch) await watches.open(source)
    else await watches.close(source.id)
  }

  return {
    async index(request) {
      const found = await files.find(request.path)
      const source = await registerProject(backend, options.ids, options.owner, found, request.actor)
      // Watching begins first, so that nothing falls between the pass and the watch.
      if (request.watch !== undefined) await setWatch(source, request.watch, request.actor)
      const result = await queue.ask(source.id, undefined, request)
      follow()
      const tally = await backend.code.tally(source.id)
      return { ...result, files: tally.files, passages: tally.passages }
    },
    report: async (project) => report(await requireProject(backend, project), { waiting: queue.isBusy, watching: watches.has }),
    projects: () => backend.code.projects(),
    async remove(project, actor) {
      const source = await requireProject(backend, project)
      await watches.close(source.id)
      await queue.stop(source.id)
      const { passages } = await backend.code.tally(source.id)
      await backend.store.commit(actor, () => [{ op: 'source.delete', id: source.id, owner: source.owner, reason: 'delete_project' }])
      return passages
    },
    resume() {
      stays = true
      const start = async (): Promise<void> => {
        for (const source of await backend.code.projects()) {
          const { status, watch } = stateOf(source)
          if (stop.signal.aborted) return
          if (watch) await watches.open(source)
          if (watch || status === 'pending' || status === 'indexing') void background(source.id)
        }
      }
      start().catch((error: unknown) => {
        if (!stop.signal.aborted) diary.warn('projects could not be resumed', { failure: toMemoryError(error).message })
      })
    },
    async close() {
      stop.abort()
      queue.close()
      await watches.closeAll()
      await queue.stop()
      await following
      await options.parser.close()
    },
  }
}
