import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { ProjectChange } from '../../src/readers/repo-changes.js'
import { type ProjectWatch, type WatchOptions, watchProject } from '../../src/readers/repo-watch.js'

export interface WatchedFolder {
  root: string
  watch: ProjectWatch | undefined
  /** Watches, and lets a test wait until the reported changes satisfy it. */
  start(options?: WatchOptions): Promise<{
    readonly changes: readonly ProjectChange[]
    until(done: (results: readonly ProjectChange[]) => boolean): Promise<void>
  }>
}

/** A folder per test; its watchers are closed afterwards. */
export function watchedFolder(): WatchedFolder {
  const here: WatchedFolder = {
    root: '',
    watch: undefined,
    async start(options = {}) {
      const results: ProjectChange[] = []
      let wake = () => {}
      here.watch = await watchProject(
        here.root,
        (change) => {
          results.push(change)
          wake()
        },
        { debounceMs: 50, ...options },
      )
      return {
        changes: results,
        async until(done) {
          while (!done(results))
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        },
      }
    },
  }
  beforeEach(async () => {
    here.root = await realpath(await mkdtemp(join(tmpdir(), 'watch-')))
  })
  afterEach(async () => {
    await here.watch?.close()
    here.watch = undefined
    await rm(here.root, { recursive: true, force: true })
  })
  return here
}

export const changed = (results: readonly ProjectChange[]) => results.flatMap((change) => (change.rescan ? [] : change.changed))
export const removed = (results: readonly ProjectChange[]) => results.flatMap((change) => (change.rescan ? [] : change.removed))
export const rescans = (results: readonly ProjectChange[]) => results.filter((change) => change.rescan).length
