import type { Instant } from '../../core/facts/fact.js'
import type { Source } from '../../core/facts/source.js'
import type { StoragePorts } from '../../ports/backend.js'
import { LEASE_US } from '../lease-durations.js'
import { inspectLease, isLeased, type LeaseTools } from './index-lease.js'
import { type IndexStatus, stateOf } from './project-state.js'

/** The current progress of a project. */
export interface IndexReport {
  readonly project: string
  readonly path: string
  readonly status: IndexStatus
  readonly totalFiles: number
  readonly indexedFiles: number
  readonly passages: number
  /** Share of files while indexing; 100 once all files are searchable by keyword. */
  readonly percent: number
  readonly etaSeconds: number | null
  readonly startedAt: Instant | null
  readonly completedAt: Instant | null
  readonly error: string | null
  readonly skipped: Readonly<Record<string, number>>
  /** Files with masked secrets, and the kinds. */
  readonly masked: Readonly<Record<string, readonly string[]>>
  readonly watching: boolean
  readonly vectorsDone: number
  readonly vectorsEtaSeconds: number | null
}

const INTERRUPTED_MESSAGE =
  'Indexing stopped before it was finished because its process ended. Index the project again to go on from there.'

interface Sample {
  readonly at: Instant
  readonly embedded: number
}

/** True if a project that must be indexed has no live process. */
export async function isGivenUp(leases: LeaseTools, source: Source): Promise<boolean> {
  const { status } = stateOf(source)
  // A process that has just registered a project is about to record the queue lease.
  const due = status === 'indexing' || (status === 'pending' && leases.clock.now() - source.createdAt > LEASE_US.index)
  return due && !(await isLeased(leases, source.id))
}

export function createIndexReport(ports: StoragePorts, leases: LeaseTools) {
  const samples = new Map<string, Sample>()

  /** Estimated from the speed observed by this process; null without observations. */
  const vectorsEta = (source: Source, now: Instant, embedded: number, total: number): number | null => {
    const sample = samples.get(source.id)
    if (sample === undefined || embedded < sample.embedded || embedded === total) {
      samples.set(source.id, { at: now, embedded })
      return embedded === total ? 0 : null
    }
    const rate = (embedded - sample.embedded) / Math.max(1, now - sample.at)
    return rate === 0 ? null : Math.ceil((total - embedded) / rate / 1e6)
  }

  return async (source: Source, here: { waiting(id: string): boolean; watching(id: string): boolean }): Promise<IndexReport> => {
    const tally = await ports.code.tally(source.id)
    const state = stateOf(source)
    const holder = await inspectLease(leases, 'index', source.id)
    const now = leases.clock.now()
    const interrupted = !here.waiting(source.id) && (await isGivenUp(leases, source))
    const status = interrupted ? 'failed' : state.status
    const unfinished = status === 'indexing' || status === 'failed'
    const progress = unfinished ? holder?.progress : undefined
    const share = progress === undefined || progress.totalBytes === 0 ? undefined : progress.doneBytes / progress.totalBytes
    // Files skipped after opening were already counted when the pass began.
    const leftOut = Object.values(tally.skipped).reduce((sum, n) => sum + n, 0)
    const total = Math.max((progress?.total ?? 0) - leftOut, tally.files)
    return {
      project: source.title,
      path: source.origin,
      status,
      totalFiles: total,
      indexedFiles: status === 'pending' ? 0 : tally.files,
      passages: tally.passages,
      percent: status === 'completed' ? 100 : percentOf(share ?? (total === 0 ? 0 : tally.files / total)),
      etaSeconds:
        status === 'indexing' && progress !== undefined && share !== undefined && share > 0
          ? Math.ceil(((now - progress.startedAt) / 1e6) * (1 / share - 1))
          : null,
      startedAt: state.startedAt,
      completedAt: status === 'completed' ? state.completedAt : null,
      error: interrupted ? INTERRUPTED_MESSAGE : status === 'failed' ? state.error : null,
      skipped: summed(state.skipped, tally.skipped),
      masked: state.masked,
      watching: state.watch && (here.watching(source.id) || (await inspectLease(leases, 'watch', source.id))?.live === true),
      vectorsDone: tally.embedded,
      vectorsEtaSeconds: vectorsEta(source, now, tally.embedded, tally.passages),
    }
  }
}

const percentOf = (share: number): number => Math.floor(Math.min(0.999, share) * 1000) / 10

function summed(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const out: Record<string, number> = { ...a }
  for (const [reason, n] of Object.entries(b)) out[reason] = (out[reason] ?? 0) + n
  return out
}
