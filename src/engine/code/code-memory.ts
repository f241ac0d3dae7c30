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

interface CodeMemoryOptions {
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
  /** How often a serving process looks for projects whose watch ended elsewhere or was switched off. */
  readonly lookAgainMs?: number
  /** Called when passages wait for vectors. */
  embed(): void
}

interface IndexRequest {
  readonly owner: string
  readonly path: string
  readonly actor: string
  /** True starts watching, false stops it; undefined keeps the current state. */
  readonly watch?: boolean | undefined
  /** Files to index from now on; undefined keeps the current patterns. */
  readonly patterns?: ScanPatterns | undefined
  /** Id of the source if it is new. */
  readonly newId?: string | undefined
  readonly signal: AbortSignal
  progress(now: PassProgress): void
}

interface IndexResult extends PassResult {
  readonly files: number
  readonly passages: number
  /** The state of the index after the call. */
  readonly report: IndexReport
}

/** Indexed repositories: indexed on request, updated while watched, resumed after a crash. */
export interface CodeMemory {
  index(request: IndexRequest): Promise<IndexResult>
  report(project: string, owner: string): Promise<IndexReport>
  /** Projects of one owner; of all owners without one. */
  projects(owner: string | undefined): Promise<readonly Source[]>
  /** Returns the number of deleted passages. */
  remove(project: string, request: { readonly owner: string; readonly actor: string; readonly store: Store }): Promise<number>
  /** Resumes interrupted passes and starts watches; called by serving processes. */
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
  /** A serving process keeps its index loaded, so that the first query is fast. */
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
      // A process that shuts down leaves the state unchanged, so that another one resumes the pass.
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

  /** The refused folder may have been indexed before it disappeared. */
  const noteVanished = async (path: string, owner: string, failure: MemoryError): Promise<void> => {
    const former = await files.formerPath(path)
    const source = (await projectsOf(ports, owner)).find((candidate) => candidate.origin === former)
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
        // Another process deleted the project.
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
      // Another process switched the watch off.
      if (source === undefined || !stateOf(source).watch) void watches.close(sourceId)
      else await background(sourceId, change)
    },
  })

  /** Projects whose watch was requested here; a serving process watches every project that has a watch. */
  const requested = new Set<string>()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** Matches the watches to the stored state and resumes interrupted passes. */
  const renewed = new Set<string>()
  const look = async (): Promise<void> => {
    const projects = await ports.code.projects()
    const watched = new Map(projects.filter((source) => stateOf(source).watch).map((source) => [source.id, source]))
    for (const id of watches.ids()) if (!watched.has(id)) await watches.close(id)
    for (const source of watched.values()) {
      if (stop.signal.aborted) return
      if (stays || requested.has(source.id)) await watches.look(source, { compares: false })
    }
    if (!stays) return
    for (const source of projects) {
      if (queue.isBusy(source.id)) continue
      // Rebuilds an index of an older format once; if that fails, the state contains the reason.
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
      requested.add(source.id)
      keepLooking()
      await watches.look(source, { compares: true })
    } else {
      requested.delete(source.id)
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
      // The watch starts before the pass, so that no change falls between them.
      if (request.watch !== undefined) await setWatch(source, request.watch, request.actor)
      // The lease distinguishes a queued new project from an abandoned one.
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
      requested.delete(source.id)
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
