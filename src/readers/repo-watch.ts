import { lstat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { folderFeed } from './folder-feed.js'
import { type ProjectChange, resolveChanges, watchableFolders } from './repo-changes.js'
import { isRuleFile } from './repo-ignore.js'
import { findProject } from './repo-scan.js'
import { type ChangeFeed, chokidarFeed, type FeedEvents, type OpenFeed, parcelFeed, targetOf } from './watch-feeds.js'

export interface WatchOptions {
  readonly debounceMs?: number
  /** Paths to exclude in addition to the ignore rules, relative to the root. */
  readonly ignore?: readonly string[]
  /** Each folder takes a handle; a larger project is compared at intervals instead. */
  readonly maxFolders?: number
  /** Interval of complete comparisons, because an overflowing kernel queue loses events silently. */
  readonly verifyMs?: number
  /** Interval of comparisons while watching is not possible. */
  readonly pollMs?: number
  /** Interval of checks that the root is still the watched folder. */
  readonly rootMs?: number
  /** In order of preference. */
  readonly feeds?: readonly OpenFeed[]
}

export interface ProjectWatch {
  readonly mode: 'events' | 'polling'
  close(): Promise<void>
}

/** More paths at once are a checkout or an install: a complete comparison is cheaper, and events were probably lost. */
const MAX_PENDING = 2_000
/** Continuous changes are still passed on. */
const MAX_WAIT_FACTOR = 10

/** Calls `onChange` one at a time; changes in between are collected for the next call. */
export async function watchProject(
  path: string,
  onChange: (change: ProjectChange) => void | Promise<void>,
  options: WatchOptions = {},
): Promise<ProjectWatch> {
  const project = await findProject(path)
  const { debounceMs = 500, maxFolders = 8_000, verifyMs = 600_000, pollMs = 30_000, rootMs = 5_000 } = options
  const feeds = options.feeds ?? [process.platform === 'linux' ? folderFeed : parcelFeed, chokidarFeed]
  const extra = new Set((options.ignore ?? []).map((entry) => entry.replace(/\/+$/, '')))
  const pending = new Set<string>()
  /** Opening the feed failed halfway. */
  let broken = false
  let rescan = false
  let since: number | null = null
  let timer: NodeJS.Timeout | undefined
  let interval: NodeJS.Timeout | undefined
  let flushing: Promise<void> | null = null
  let feed: ChangeFeed | null = null
  let closed = false
  let root = await identityOf(project.path)
  let rootChanged = false

  const flush = async (): Promise<void> => {
    since = null
    const paths = [...pending]
    const rules = paths.some(isRuleFile)
    const whole = rescan || rules
    pending.clear()
    rescan = false
    if (rootChanged) {
      if (root === null) await stopFeed()
      else await reopen()
      rootChanged = false
    } else if (root === null) return
    // New rules change the watched folders, and lost events may include new folders.
    else if (rules || broken || (whole && feed?.missesNested === true)) await reopen()
    const found = whole ? null : await resolveChanges(project, paths, extra)
    if (found !== null && !(found.nested && feed?.missesNested === true)) {
      const { changed, removed } = found
      if (!closed && changed.length + removed.length > 0) await onChange({ rescan: false, changed, removed })
      return
    }
    // Changes between the old and the new feed are unknown.
    if (found !== null) await reopen()
    if (!closed) await onChange({ rescan: true })
  }

  const schedule = (): void => {
    if (closed) return
    since ??= performance.now()
    clearTimeout(timer)
    const left = since + debounceMs * MAX_WAIT_FACTOR - performance.now()
    timer = setTimeout(
      () => {
        if (flushing !== null) return
        // Listeners handle their own failures; a failed pass is followed by a complete comparison.
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
        if (inside === '' || inside.startsWith('../')) {
          rescan = true
          void checkRoot(true)
        } else pending.add(inside)
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

  /** A folder that was recreated or replaced needs a new feed, even if it has the same inode number. */
  const checkRoot = async (touched: boolean): Promise<void> => {
    const now = await identityOf(project.path)
    if ((now === root && !touched) || closed) return
    root = now
    rootChanged = true
    events.lost()
  }

  const stopFeed = async (): Promise<void> => {
    const old = feed
    feed = null
    // The native watcher fails on removed folders, which does not prevent a new one.
    await old?.close().catch(() => undefined)
  }

  const poll = (): void => {
    void stopFeed()
    clearInterval(interval)
    if (!closed) interval = setInterval(events.lost, pollMs).unref()
  }

  const reopen = async (): Promise<void> => {
    await stopFeed()
    broken = true
    const folders = await watchableFolders(project.path, extra, maxFolders)
    if (folders !== null) feed = await openFirst(feeds, targetOf(project.path, folders.folders, folders.ignored), events)
    broken = false
    if (closed) await feed?.close()
    else if (feed === null) poll()
    else {
      clearInterval(interval)
      interval = setInterval(events.lost, verifyMs).unref()
    }
  }

  await reopen()
  const rootTimer = setInterval(() => void checkRoot(false), rootMs).unref()
  return {
    get mode() {
      return feed === null ? 'polling' : 'events'
    },
    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(interval)
      clearInterval(rootTimer)
      await stopFeed()
      await flushing
    },
  }
}

async function openFirst(feeds: readonly OpenFeed[], target: Parameters<OpenFeed>[0], events: FeedEvents): Promise<ChangeFeed | null> {
  for (const open of feeds) {
    try {
      return await open(target, events)
    } catch (failure) {
      // A missing native module or no handles: try the next feed.
      if (!(failure instanceof Error)) throw failure
    }
  }
  return null
}

/** Identifies a folder at a path; null if it does not exist. */
const identityOf = (path: string): Promise<string | null> =>
  lstat(path).then(
    (stats) => (stats.isDirectory() ? `${stats.dev}:${stats.ino}` : null),
    () => null,
  )
