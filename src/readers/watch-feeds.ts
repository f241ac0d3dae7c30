import { join, sep } from 'node:path'

/** Events of a feed; absolute paths in any order, with repeats. */
export interface FeedEvents {
  paths(absolutes: readonly string[]): void
  /** Some events were lost. */
  lost(): void
  /** The feed has ended. */
  failed(): void
}

export interface ChangeFeed {
  /** True if folders inside a new folder are not seen until the feed is reopened. */
  readonly missesNested?: boolean
  close(): Promise<void>
}

interface FeedTarget {
  readonly root: string
  /** Folders to watch, relative to the root, which is ''. */
  readonly folders: readonly string[]
  /** Folders to exclude, relative to the root. */
  readonly ignored: readonly string[]
  /** The same for an absolute path, including future folders. */
  isLeftOut(path: string): boolean
}

/** Rejects if it cannot watch. */
export type OpenFeed = (target: FeedTarget, events: FeedEvents) => Promise<ChangeFeed>

/** Excluded in advance, so that they take no handles when created. */
const LATER_IGNORED = ['node_modules', '.git', '__pycache__']

export function targetOf(root: string, folders: readonly string[], ignored: readonly string[]): FeedTarget {
  const left = new Set(ignored.map((folder) => join(root, folder)))
  return {
    root,
    folders,
    ignored,
    isLeftOut: (path) => left.has(path) || (path !== root && LATER_IGNORED.includes(path.slice(path.lastIndexOf(sep) + 1))),
  }
}

export const parcelFeed: OpenFeed = async ({ root, ignored }, events) => {
  const { default: watcher } = await import('@parcel/watcher')
  const subscription = await watcher.subscribe(
    root,
    (failure, batch) => {
      if (failure === null || failure === undefined) events.paths(batch.map((event) => event.path))
      // The library reports an overflow of the kernel queue as an ordinary error.
      else if (/overflow|dropped|rescan|re-scan/i.test(failure.message)) events.lost()
      else events.failed()
    },
    { ignore: [...ignored.map((folder) => join(root, folder)), ...LATER_IGNORED.map((name) => `**/${name}/**`)] },
  )
  return { missesNested: process.platform === 'linux', close: () => subscription.unsubscribe() }
}

export const chokidarFeed: OpenFeed = async ({ root, isLeftOut }, events) => {
  const { watch } = await import('chokidar')
  const watcher = watch(root, { ignored: isLeftOut, ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true })
  await new Promise<void>((resolve, reject) => {
    watcher.once('ready', resolve)
    watcher.once('error', (failure) => {
      void watcher.close()
      reject(failure)
    })
  })
  watcher.on('all', (_event, path) => events.paths([path]))
  watcher.on('error', () => events.failed())
  return { close: () => watcher.close() }
}
