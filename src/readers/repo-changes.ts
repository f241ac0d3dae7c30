import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { type IgnoreRules, openIgnoreRules } from './repo-ignore.js'
import { type Project, scanFolder, scanProject } from './repo-scan.js'

/** `rescan` requires a complete comparison. A removed path may have been a folder, and may exist again. */
export type ProjectChange = { readonly rescan: true } | ({ readonly rescan: false } & PathChanges)

interface PathChanges {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** Folders to watch, the root as '', and folders to exclude; null if there are too many. */
export async function watchableFolders(root: string, extra: ReadonlySet<string>, limit: number) {
  const ignored: string[] = [...extra]
  const stop = new AbortController()
  const folders: string[] = []
  const scan = scanProject(root, {
    signal: stop.signal,
    onSkip: (path, _reason, isDirectory) => {
      if (isDirectory) ignored.push(path)
    },
    onDirectory: (path) => {
      folders.push(path)
      if (folders.length > limit) stop.abort()
    },
  })
  try {
    for await (const _file of scan) if (folders.length > limit) break
  } catch (failure) {
    if (!stop.signal.aborted) throw failure
  }
  return folders.length > limit ? null : { folders: folders.filter((folder) => !extra.has(folder)), ignored }
}

/**
 * Reads the state of each path from disk, so that the order and kind of events do not matter. `nested` is true if a folder contains another
 * one without an event, as after a tree was copied or moved in.
 */
export async function resolveChanges(
  project: Project,
  paths: readonly string[],
  extra: ReadonlySet<string>,
): Promise<PathChanges & { readonly nested: boolean }> {
  const result = new Set(paths)
  let nested = false
  const onDirectory = (folder: string): void => {
    if (!result.has(folder)) nested = true
  }
  const changed = new Set<string>()
  const removed = new Set<string>()
  const top = await openIgnoreRules(project.path, project.git ? project.root : null)
  const known = new Map<string, Promise<IgnoreRules | null>>([['', Promise.resolve(top)]])

  /** The rules inside a folder; null if the folder is ignored. */
  const rulesIn = (folder: string): Promise<IgnoreRules | null> => {
    const cached = known.get(folder)
    if (cached !== undefined) return cached
    const made = rulesIn(parentOf(folder)).then((outer) =>
      outer === null || extra.has(folder) || outer.ignores(folder, true) !== null ? null : outer.enter(folder),
    )
    known.set(folder, made)
    return made
  }

  for (const path of paths) {
    const rules = await rulesIn(parentOf(path))
    if (rules === null || extra.has(path)) continue
    const stats = await lstat(join(project.path, path)).catch(() => null)
    if (stats === null) removed.add(path)
    else if (rules.ignores(path, stats.isDirectory()) !== null) continue
    else if (stats.isDirectory()) {
      // A previous folder of this name may have been moved away, with files that had no event.
      removed.add(path)
      // Files created before the new folder was watched had no event.
      for await (const file of scanFolder(project.path, path, await rules.enter(path), { onDirectory }, 0)) changed.add(file.path)
    } else if (stats.isFile()) changed.add(path)
    else removed.add(path)
  }
  return { changed: [...changed].sort(), removed: [...removed].sort(), nested }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
