import { type FSWatcher, watch } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FeedEvents, OpenFeed } from './watch-feeds.js'

/** Handles opened per turn of the event loop. */
const AT_ONCE = 100

interface WatchedFolder {
  readonly watcher: FSWatcher
  readonly ino: number
}

/**
 * For Linux: one Node watcher per folder, which share one kernel descriptor. The native watcher leaks a pipe each time its last
 * subscription ends.
 */
export const folderFeed: OpenFeed = async ({ root, folders, isLeftOut }, events) => {
  const open = new Map<string, WatchedFolder>()
  let closed = false

  const stop = (): void => {
    closed = true
    for (const { watcher } of open.values()) watcher.close()
    open.clear()
  }

  /** Closes the handles of subfolders of a removed or moved folder. */
  const dropBelow = (path: string): void => {
    for (const [folder, { watcher }] of open) {
      if (folder !== path && !folder.startsWith(`${path}${sep}`)) continue
      watcher.close()
      open.delete(folder)
    }
  }

  const add = async (path: string): Promise<void> => {
    const ino = await folderNumber(path)
    const known = open.get(path)
    if (closed || known?.ino === ino) return
    if (known !== undefined) dropBelow(path)
    if (ino === undefined) return
    const watcher = watch(path, (kind, name) => report(path, kind, name))
    watcher.on('error', () => {
      if (!closed) events.failed()
    })
    open.set(path, { watcher, ino })
  }

  const report = (folder: string, kind: string, name: string | null): void => {
    if (closed) return
    // Changes of a folder itself are reported under its own name and by its parent; the root has no watched parent.
    if (name === null || (folder === root && kind === 'rename' && name === basename(root))) events.paths([root])
    if (name === null) return
    const path = join(folder, name)
    events.paths([path])
    if (kind === 'rename' && !isLeftOut(path)) follow(path, events)
  }

  const follow = (path: string, { failed }: FeedEvents): void => {
    add(path).catch(() => {
      // No handles are left: the project is compared at intervals from now on.
      if (!closed) failed()
    })
  }

  try {
    for (const [index, folder] of folders.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await nextTurn()
      await add(join(root, folder))
    }
  } catch (failure) {
    stop()
    throw failure
  }
  return { missesNested: true, close: async () => stop() }
}

/** Identifies a folder at a path; undefined if it does not exist. */
const folderNumber = (path: string): Promise<number | undefined> =>
  lstat(path).then(
    (stats) => (stats.isDirectory() ? stats.ino : undefined),
    () => undefined,
  )
