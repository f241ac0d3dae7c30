import { lstat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type IgnoreRules, isRuleFile, openIgnoreRules } from './repo-ignore.js'
import { findProject, type Project, scanFolder, scanProject } from './repo-scan.js'
import { type ChangeFeed, chokidarFeed, type FeedEvents, type OpenFeed, parcelFeed } from './watch-feeds.js'

/** `rescan` says that the project must be compared as a whole. A removed path may have been a folder, and be there again. */
export type ProjectChange =
  | { readonly rescan: true }
  | { readonly rescan: false; readonly changed: readonly string[]; readonly removed: readonly string[] }

export interface WatchOptions {
  readonly debounceMs?: number
  /** Folders or files to leave out beyond what the ignore rules say, relative to the root. */
  readonly ignore?: readonly string[]
  /** Folders take a handle each; a project with more is compared at intervals instead. */
  readonly maxFolders?: number
  /** A full queue in the kernel loses events without a word, so the project is compared now and then in any case. */
  readonly verifyMs?: number
  /** Interval of comparing while nothing can be watched. */
  readonly pollMs?: number
  /** In order of preference. */
  readonly feeds?: readonly OpenFeed[]
}

export interface ProjectWatch {
  readonly mode: 'events' | 'polling'
  close(): Promise<void>
}

/** More paths than this at once are a checkout or an install: comparing is cheaper, and events were likely lost. */
const MAX_PENDING = 2_000
/** A storm that never pauses is still passed on. */
const MAX_WAIT_FACTOR = 10

/** Calls `onChange` one at a time; what happens meanwhile is gathered for the next call. */
export async function watchProject(
  path: string,
  onChange: (change: ProjectChange) => void | Promise<void>,
  options: WatchOptions = {},
): Promise<ProjectWatch> {
  const project = await findProject(path)
  const { debounceMs = 500, maxFolders = 8_000, verifyMs = 600_000, pollMs = 30_000, feeds = [parcelFeed, chokidarFeed] } = options
  const extra = new Set((options.ignore ?? []).map((entry) => entry.replace(/\/+$/, '')))
  const pending = new Set<string>()
  let rescan = false
  let since: number | null = null
  let timer: NodeJS.Timeout | undefined
  let interval: NodeJS.Timeout | undefined
  let flushing: Promise<void> | null = null
  let feed: ChangeFeed | null = null
  let closed = false

  const flush = async (): Promise<void> => {
    since = null
    const paths = [...pending]
    const whole = rescan || paths.some(isRuleFile)
    pending.clear()
    rescan = false
    if (whole) {
      // New rules change what is worth watching.
      if (paths.some(isRuleFile)) await reopen()
      if (!closed) await onChange({ rescan: true })
      return
    }
    const change = await resolveChanges(project, paths, extra)
    if (!closed && (change.rescan || change.changed.length + change.removed.length > 0)) await onChange(change)
  }

  const schedule = (): void => {
    if (closed) return
    since ??= performance.now()
    clearTimeout(timer)
    const left = since + debounceMs * MAX_WAIT_FACTOR - performance.now()
    timer = setTimeout(
      () => {
        if (flushing !== null) return
        // Whoever listens handles its own failures; a failed pass is made good by comparing everything.
        const pass = flush().catch(() => {
          rescan = true
        })
        flushing = pass.finally(() => {
          flushing = null
          if (pending.size > 0 || rescan) schedule()
        })
      },
      Math.max(0, Math.min(debounceMs, left)),
    )
  }

  const events: FeedEvents = {
    paths(absolutes) {
      for (const absolute of absolutes) {
        const inside = relative(project.path, absolute).split(sep).join('/')
        if (inside === '' || inside.startsWith('../')) rescan = true
        else pending.add(inside)
      }
      if (pending.size > MAX_PENDING) {
        pending.clear()
        rescan = true
      }
      schedule()
    },
    lost() {
      rescan = true
      schedule()
    },
    failed() {
      poll()
      rescan = true
      schedule()
    },
  }

  const poll = (): void => {
    void feed?.close()
    feed = null
    clearInterval(interval)
    if (!closed) interval = setInterval(events.lost, pollMs).unref()
  }

  const reopen = async (): Promise<void> => {
    const old = feed
    feed = null
    await old?.close()
    const folders = await watchableFolders(project.path, extra, maxFolders)
    if (folders !== null) feed = await openFirst(feeds, { root: project.path, ...folders }, events)
    if (closed) await feed?.close()
    else if (feed === null) poll()
    else {
      clearInterval(interval)
      interval = setInterval(events.lost, verifyMs).unref()
    }
  }

  await reopen()
  return {
    get mode() {
      return feed === null ? 'polling' : 'events'
    },
    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(interval)
      await feed?.close()
      feed = null
      await flushing
    },
  }
}

async function openFirst(feeds: readonly OpenFeed[], target: Parameters<OpenFeed>[0], events: FeedEvents): Promise<ChangeFeed | null> {
  for (const open of feeds) {
    try {
      return await open(target, events)
    } catch (failure) {
      // A missing native module or no handles left: the next one may do.
      if (!(failure instanceof Error)) throw failure
    }
  }
  return null
}

/** Which folders there are to watch and which to leave out; null when there are too many. */
async function watchableFolders(root: string, extra: ReadonlySet<string>, limit: number) {
  const ignored: string[] = [...extra]
  const stop = new AbortController()
  let count = 0
  const scan = scanProject(root, {
    signal: stop.signal,
    onSkip: (path, _reason, isDirectory) => {
      if (isDirectory) ignored.push(path)
    },
    onDirectory: () => {
      count++
      if (count > limit) stop.abort()
    },
  })
  try {
    for await (const _file of scan) if (count > limit) break
  } catch (failure) {
    if (!stop.signal.aborted) throw failure
  }
  return count > limit ? null : { ignored }
}

/** What became of each path is read from the disk, so that the order and kind of events do not matter. */
async function resolveChanges(project: Project, paths: readonly string[], extra: ReadonlySet<string>): Promise<ProjectChange> {
  const changed = new Set<string>()
  const removed = new Set<string>()
  const top = await openIgnoreRules(project.path, project.git ? project.root : null)
  const known = new Map<string, Promise<IgnoreRules | null>>([['', Promise.resolve(top)]])

  /** The rules inside a folder; null when the folder is itself ignored. */
  const rulesIn = (folder: string): Promise<IgnoreRules | null> => {
    const cached = known.get(folder)
    if (cached !== undefined) return cached
    const made = rulesIn(parentOf(folder)).then((outer) =>
      outer === null || extra.has(folder) || outer.ignores(folder, true) ? null : outer.enter(folder),
    )
    known.set(folder, made)
    return made
  }

  for (const path of paths) {
    const rules = await rulesIn(parentOf(path))
    if (rules === null || extra.has(path)) continue
    const stats = await lstat(join(project.path, path)).catch(() => null)
    if (stats === null) removed.add(path)
    else if (rules.ignores(path, stats.isDirectory())) continue
    else if (stats.isDirectory()) {
      // A folder of this name may have been moved away before this one came, with files that had no event of their own.
      removed.add(path)
      // Files made before the new folder was watched had no event either.
      for await (const file of scanFolder(project.path, path, await rules.enter(path), {}, 0)) changed.add(file.path)
    } else if (stats.isFile()) changed.add(path)
    else removed.add(path)
  }
  return { rescan: false, changed: [...changed].sort(), removed: [...removed].sort() }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
