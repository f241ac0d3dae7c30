import type { Source } from '../../core/source.js'
import { toMemoryError } from '../../errors.js'
import type { FilesChanged, FilesWatch, ProjectFiles } from '../../ports/project-files.js'
import type { Diary } from '../environment.js'
import { type HeldLease, type LeaseTools, tryLease } from './index-lease.js'

export interface WatchOptions {
  readonly files: ProjectFiles
  readonly leases: LeaseTools
  readonly diary: Diary
  refresh(sourceId: string, change: FilesChanged): Promise<void>
}

interface OpenWatch {
  close(): Promise<void>
}

/** How often a process looks whether the one that watches is gone. */
const TAKE_OVER_MS = 20_000

/** Watched projects of this process. Of several processes on one store only one watches a project; another takes over when it ends. */
export function createWatches({ files, leases, diary, refresh }: WatchOptions) {
  const open = new Map<string, OpenWatch>()

  const begin = async (source: Source): Promise<OpenWatch> => {
    let lease: HeldLease | undefined
    let feed: FilesWatch | undefined
    let closed = false
    let attempt: Promise<void> | undefined

    const tryToWatch = async (): Promise<void> => {
      lease = await tryLease(leases, 'watch', source.id)
      if (lease === undefined) return
      try {
        feed = await files.watch(source.origin, (change) => refresh(source.id, change))
      } catch (error) {
        diary.warn('a project cannot be watched', { project: source.title, failure: toMemoryError(error).message })
        await lease.release(null)
        lease = undefined
      }
    }

    const look = (): void => {
      if (closed || attempt !== undefined || lease?.holds()) return
      const orphan = feed
      const late = lease !== undefined || feed === undefined
      feed = undefined
      attempt = Promise.resolve(orphan?.close())
        .then(tryToWatch)
        // Whoever watched before may have missed the last changes.
        .then(() => (feed !== undefined && late ? refresh(source.id, { rescan: true }) : undefined))
        .catch((error: unknown) => diary.warn('watching failed', { project: source.title, failure: toMemoryError(error).message }))
        .finally(() => {
          attempt = undefined
        })
    }

    await tryToWatch()
    const timer = setInterval(look, TAKE_OVER_MS)
    timer.unref()
    return {
      async close() {
        closed = true
        clearInterval(timer)
        await attempt
        await feed?.close()
        await lease?.release(null)
      },
    }
  }

  return {
    async open(source: Source): Promise<void> {
      if (!open.has(source.id)) open.set(source.id, await begin(source))
    },
    has: (sourceId: string): boolean => open.has(sourceId),
    async close(sourceId: string): Promise<void> {
      const watch = open.get(sourceId)
      open.delete(sourceId)
      await watch?.close()
    },
    async closeAll(): Promise<void> {
      const all = [...open.values()]
      open.clear()
      await Promise.all(all.map((watch) => watch.close()))
    },
  }
}
