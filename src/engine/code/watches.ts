import type { Source } from '../../core/facts/source.js'
import { toMemoryError } from '../../errors.js'
import type { FilesChanged, FilesWatch, ProjectFiles } from '../../ports/project-files.js'
import type { EngineLog } from '../environment.js'
import { type HeldLease, type LeaseTools, tryLease } from './index-lease.js'

export interface WatchOptions {
  readonly files: ProjectFiles
  readonly leases: LeaseTools
  readonly log: EngineLog
  refresh(sourceId: string, change: FilesChanged): Promise<void>
}

interface OpenWatch {
  readonly lease: HeldLease
  readonly feed: FilesWatch
}

/** Watched projects of this process. Among the processes of a store, one watches a given project. */
export function createWatches({ files, leases, log, refresh }: WatchOptions) {
  const open = new Map<string, OpenWatch>()
  /** Opening and closing a watch of one project are serialised. */
  const turns = new Map<string, Promise<void>>()
  const hopeless = new Set<string>()
  let ended = false

  const inTurn = (sourceId: string, work: () => Promise<void>): Promise<void> => {
    const turn = (turns.get(sourceId) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    turns.set(sourceId, settled)
    void settled.then(() => (turns.get(sourceId) === settled ? turns.delete(sourceId) : undefined))
    return turn
  }

  const end = async (sourceId: string): Promise<void> => {
    const watch = open.get(sourceId)
    open.delete(sourceId)
    try {
      await watch?.feed.close()
      await watch?.lease.release(null)
    } catch (error) {
      // The lease expires by itself.
      log.warn('a watch did not end well', { project: sourceId, failure: toMemoryError(error).message })
    }
  }

  const compare = (sourceId: string): void => {
    refresh(sourceId, { rescan: true }).catch((error: unknown) => {
      log.warn('a watched project could not be compared', { project: sourceId, failure: toMemoryError(error).message })
    })
  }

  const begin = async (source: Source): Promise<boolean> => {
    const lease = await tryLease(leases, 'watch', source.id)
    if (lease === undefined) return false
    try {
      const feed = await files.watch(source.origin, (change) => refresh(source.id, change))
      open.set(source.id, { lease, feed })
      hopeless.delete(source.id)
      return true
    } catch (error) {
      await lease.release(null)
      if (hopeless.has(source.id)) return false
      hopeless.add(source.id)
      log.warn('a project cannot be watched', { project: source.title, failure: toMemoryError(error).message })
      // A pass meets the same failure and records it.
      compare(source.id)
      return false
    }
  }

  return {
    /** Watches the project unless this or another process does. The previous watcher may have missed recent changes. */
    look: (source: Source, caller: { readonly compares: boolean }): Promise<void> =>
      inTurn(source.id, async () => {
        if (ended || open.get(source.id)?.lease.holds() === true) return
        await end(source.id)
        if ((await begin(source)) && !caller.compares) compare(source.id)
      }),
    has: (sourceId: string): boolean => open.get(sourceId)?.lease.holds() === true,
    ids: (): readonly string[] => [...open.keys()],
    close: (sourceId: string): Promise<void> => inTurn(sourceId, () => end(sourceId)),
    async closeAll(): Promise<void> {
      ended = true
      await Promise.all([...new Set([...open.keys(), ...turns.keys()])].map((sourceId) => inTurn(sourceId, () => end(sourceId))))
    },
  }
}
