import type { ScanPatterns } from '../../core/evidence/scan-scope.js'
import type { Source } from '../../core/facts/source.js'
import { type MemoryError, toMemoryError } from '../../errors.js'
import type { StoragePorts } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import type { CodeParser } from '../../ports/code-parser.js'
import type { Ids } from '../../ports/ids.js'
import type { Self } from '../../ports/jobs.js'
import type { FilesChanged, ProjectFiles } from '../../ports/project-files.js'
import type { Store } from '../../ports/store.js'
import type { EngineLog } from '../environment.js'
import { type LeaseTools, takeLease, tryLease } from './index-lease.js'
import { type PassProgress, type PassResult, runPass } from './index-pass.js'
import { createIndexReport, type IndexReport, isGivenUp } from './index-report.js'
import { createPassQueue, type Ticket } from './pass-queue.js'
import {
  isOfOtherForm,
  projectById,
  projectsOf,
  registerProject,
  requireProject,
  reviseProject,
  setPatterns,
  stateOf,
} from './project-state.js'
import { createWatches } from './watches.js'

export interface CodeMemoryOptions {
  readonly ports: StoragePorts
  readonly files: ProjectFiles
  readonly parser: CodeParser
  readonly clock: Clock
  readonly ids: Ids
  readonly log: EngineLog
  /** Whether secrets in the files are masked. */
  readonly maskSecrets: boolean
  readonly holder: string
  readonly self: Self
  /** How often a process that stays looks for projects that others ceased to watch, or asked not to be watched any more. */
  readonly lookAgainMs?: number
  /** Called when passages wait for vectors. */
  embed(): void
}

export interface IndexRequest {
  readonly owner: string
  readonly path: string
  readonly actor: string
  /** True watches from now on, false stops watching; undefined leaves it as it is. */
  readonly watch?: boolean | undefined
  /** What of the folder is wanted from now on; undefined leaves it as it is. */
  readonly patterns?: ScanPatterns | undefined
  /** The id of its source, if it is new. */
  readonly newId?: string | undefined
  readonly signal: AbortSignal
  progress(now: PassProgress): void
}

export interface IndexResult extends PassResult {
  readonly files: number
  readonly passages: number
  /** How the index is now. */
  readonly report: IndexReport
}

/** Repositories as memory: indexed on request, kept in step while watched, resumed after a crash. */
export interface CodeMemory {
  index(request: IndexRequest): Promise<IndexResult>
  report(project: string, owner: string): Promise<IndexReport>
  /** Of one owner, or of all. */
  projects(owner: string | undefined): Promise<readonly Source[]>
  /** Answers how many passages were deleted. */
  remove(project: string, request: { readonly owner: string; readonly actor: string; readonly store: Store }): Promise<number>
  /** For a process that stays: finishes what others left half done and watches what is to be watched. */
  resume(): void
  close(): Promise<void>
}

const ACTOR = 'indexer'
const LOOK_AGAIN_MS = 20_000

export function createCodeMemory(options: CodeMemoryOptions): CodeMemory {
  const { ports, files, clock, log } = options
  const leases: LeaseTools = { jobs: ports.jobs, clock, self: options.self, holder: options.holder }
  const stop = new AbortController()
  const report = createIndexReport(ports, leases)

  let stays = false
  let following: Promise<void> | undefined
  /** A process that will be asked keeps its search structures in step, so that the first question finds them ready. */
  const follow = (): void => {
    if (!stays || stop.signal.aborted) return
    following ??= ports.code
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
        { ports, files, parser: options.parser, ids: options.ids, clock, maskSecrets: options.maskSecrets },
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
    await reviseProject(ports, sourceId, ACTOR, (state) => ({ ...state, status: 'failed', error })).catch((second: unknown) => {
      log.warn('the state of a project could not be stored', { failure: toMemoryError(second).message })
    })
  }

  /** A folder that is refused may be one that was indexed and is gone since. */
  const noteVanished = async (path: string, owner: string, failure: MemoryError): Promise<void> => {
    const former = await files.formerPath(path)
    const source = (await projectsOf(ports, owner)).find((one) => one.origin === former)
    if (source === undefined) return
    const there = await files.find(source.origin).then(
      () => true,
      () => false,
    )
    if (!there) await noteFailure(source.id, failure)
  }

  const queue = createPassQueue(pass)
  const background = (sourceId: string, only?: FilesChanged): Promise<void> =>
    queue.ask(sourceId, only, { signal: stop.signal, progress: () => undefined }).then(
      () => undefined,
      (error: unknown) => {
        const { code, message } = toMemoryError(error)
        // Another process deleted the project: there is nothing left to watch.
        if (code === 'not_found') void watches.close(sourceId)
        else if (!stop.signal.aborted) log.warn('indexing in the background failed', { project: sourceId, failure: message })
      },
    )
  const watches = createWatches({
    files,
    leases,
    log,
    async refresh(sourceId, change) {
      const source = await projectById(ports, sourceId)
      // Another process was told to stop the watch.
      if (source === undefined || !stateOf(source).watch) void watches.close(sourceId)
      else await background(sourceId, change)
    },
  })

  /** Projects this process was asked to watch; one that stays watches all that are to be watched. */
  const asked = new Set<string>()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** Brings the watches in step with what the store says, and takes up what was left half done. */
  const renewed = new Set<string>()
  const look = async (): Promise<void> => {
    const projects = await ports.code.projects()
    const watched = new Map(projects.filter((source) => stateOf(source).watch).map((source) => [source.id, source]))
    for (const id of watches.ids()) if (!watched.has(id)) await watches.close(id)
    for (const source of watched.values()) {
      if (stop.signal.aborted) return
      if (stays || asked.has(source.id)) await watches.look(source, { compares: false })
    }
    if (!stays) return
    for (const source of projects) {
      if (queue.isBusy(source.id)) continue
      // An index of an older form is brought up to date once; if that fails, its state says why.
      const older = isOfOtherForm(source, options.maskSecrets) && !renewed.has(source.id)
      if (older) renewed.add(source.id)
      if (older || (await isGivenUp(leases, source))) void background(source.id)
    }
  }

  const lookAgain = (): void => {
    if (stop.signal.aborted) return
    looking ??= look()
      .catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn('projects could not be looked after', { failure: toMemoryError(error).message })
      })
      .finally(() => {
        looking = undefined
      })
  }

  const keepLooking = (): void => {
    timer ??= setInterval(lookAgain, options.lookAgainMs ?? LOOK_AGAIN_MS).unref()
  }

  const setWatch = async (source: Source, watch: boolean, actor: string): Promise<void> => {
    if (stateOf(source).watch !== watch) await reviseProject(ports, source.id, actor, (state) => ({ ...state, watch }))
    if (watch) {
      asked.add(source.id)
      keepLooking()
      await watches.look(source, { compares: true })
    } else {
      asked.delete(source.id)
      await watches.close(source.id)
    }
  }

  return {
    async index(request) {
      const found = await files.find(request.path, { named: true }).catch(async (error: unknown) => {
        const failure = toMemoryError(error)
        if (failure.code !== 'forbidden') await noteVanished(request.path, request.owner, failure)
        throw failure
      })
      const source = await registerProject(ports, request.newId ?? options.ids.mint(), request.owner, found, request.actor)
      if (request.patterns !== undefined) await setPatterns(ports, source.id, request.actor, request.patterns)
      // Watching begins first, so that nothing falls between the pass and the watch.
      if (request.watch !== undefined) await setWatch(source, request.watch, request.actor)
      // Others must be able to tell a new project that waits for its turn from one that was given up.
      const queued = stateOf(source).status === 'pending' ? await tryLease(leases, 'queue', source.id) : undefined
      const result = await queue.ask(source.id, undefined, request).finally(() => queued?.release(null).catch(() => undefined))
      follow()
      const tally = await ports.code.tally(source.id)
      const now = await report(result.source, { waiting: queue.isBusy, watching: watches.has })
      return { ...result, files: tally.files, passages: tally.passages, report: now }
    },
    report: async (project, owner) => report(await requireProject(ports, project, owner), { waiting: queue.isBusy, watching: watches.has }),
    projects: (owner) => projectsOf(ports, owner),
    async remove(project, { owner, actor, store }) {
      const source = await requireProject(ports, project, owner)
      asked.delete(source.id)
      await watches.close(source.id)
      await queue.stop(source.id)
      const { passages } = await ports.code.tally(source.id)
      await store.commit({ actor, owners: [source.owner] }, () => [
        { op: 'source.delete', id: source.id, owner: source.owner, reason: 'delete_project' },
      ])
      return passages
    },
    resume() {
      stays = true
      lookAgain()
      keepLooking()
    },
    async close() {
      stop.abort()
      clearInterval(timer)
      queue.close()
      await watches.closeAll()
      await queue.stop()
      await looking
      await following
      await options.parser.close()
    },
  }
}
