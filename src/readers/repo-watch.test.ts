import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVENTUALLY } from '../../test/eventually.js'
import { folderFeed } from './folder-feed.js'
import type { ProjectChange } from './repo-changes.js'
import { scanProject } from './repo-scan.js'
import { type ProjectWatch, type WatchOptions, watchProject } from './repo-watch.js'
import { chokidarFeed, type FeedEvents, type OpenFeed, parcelFeed } from './watch-feeds.js'

let root: string
let watch: ProjectWatch | undefined
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'watch-')))
})
afterEach(async () => {
  await watch?.close()
  watch = undefined
  await rm(root, { recursive: true, force: true })
})

/** Watches and lets a test wait until what was told so far satisfies it. */
async function start(options: WatchOptions = {}) {
  const told: ProjectChange[] = []
  let wake = () => {}
  watch = await watchProject(
    root,
    (change) => {
      told.push(change)
      wake()
    },
    { debounceMs: 50, ...options },
  )
  return {
    told,
    async until(done: (told: readonly ProjectChange[]) => boolean): Promise<void> {
      while (!done(told))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
}

const changed = (told: readonly ProjectChange[]) => told.flatMap((change) => (change.rescan ? [] : change.changed))
const removed = (told: readonly ProjectChange[]) => told.flatMap((change) => (change.rescan ? [] : change.removed))
const rescans = (told: readonly ProjectChange[]) => told.filter((change) => change.rescan).length

describe.each([
  ['folders', folderFeed],
  ['parcel', parcelFeed],
  ['chokidar', chokidarFeed],
] as const)('watching with %s', (_name, feed) => {
  it('tells of new, edited, renamed and deleted files', async () => {
    await writeFile(join(root, 'old.ts'), '1')
    await writeFile(join(root, 'gone.ts'), '1')
    const { until } = await start({ feeds: [feed] })
    await writeFile(join(root, 'new.ts'), '1')
    await rename(join(root, 'old.ts'), join(root, 'renamed.ts'))
    await rm(join(root, 'gone.ts'))
    await until(
      (told) =>
        ['new.ts', 'renamed.ts'].every((path) => changed(told).includes(path)) &&
        ['old.ts', 'gone.ts'].every((path) => removed(told).includes(path)),
    )
  })

  it('finds the files of a folder that appears with content', async () => {
    const { until } = await start({ feeds: [feed] })
    await mkdir(join(root, 'a/b/c'), { recursive: true })
    await writeFile(join(root, 'a/b/c/deep.ts'), '1')
    await until((told) => changed(told).includes('a/b/c/deep.ts') || rescans(told) > 0)
  })

  it('says nothing of ignored files', async () => {
    await writeFile(join(root, '.gitignore'), 'skip/\n*.log\n')
    await mkdir(join(root, 'skip'))
    const { told, until } = await start({ feeds: [feed], ignore: ['private'] })
    await writeFile(join(root, 'skip/a.ts'), '1')
    await writeFile(join(root, 'x.log'), '1')
    await mkdir(join(root, 'private'))
    await writeFile(join(root, 'private/b.ts'), '1')
    await mkdir(join(root, 'node_modules/m'), { recursive: true })
    await writeFile(join(root, 'node_modules/m/i.js'), '1')
    await writeFile(join(root, 'last.ts'), '1')
    await until((all) => changed(all).includes('last.ts'))
    expect(changed(told)).toEqual(['last.ts'])
  })
})

describe('folders that come and go as a whole', () => {
  it.each([
    ['folders', folderFeed],
    ['parcel', parcelFeed],
    ['chokidar', chokidarFeed],
  ] as const)('sees what is written later below a tree that was made at once (%s)', async (_name, feed) => {
    const known = new Set<string>()
    let wake = () => {}
    const until = async (...paths: readonly string[]): Promise<void> => {
      while (!paths.every((path) => known.has(path)))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    // Whoever listens compares everything when asked to, and else looks at what is named.
    const follow = async (change: ProjectChange) => {
      if (change.rescan) for await (const file of scanProject(root)) known.add(file.path)
      else for (const path of change.changed) known.add(path)
      wake()
    }
    watch = await watchProject(root, follow, { debounceMs: 50, feeds: [feed] })
    await mkdir(join(root, 'x/y/z'), { recursive: true })
    await writeFile(join(root, 'x/first.ts'), '1')
    await until('x/first.ts')
    await writeFile(join(root, 'x/y/z/later.ts'), '1')
    await until('x/y/z/later.ts')
    await rename(join(root, 'x'), join(root, 'moved'))
    await until('moved/first.ts', 'moved/y/z/later.ts')
    await writeFile(join(root, 'moved/y/z/last.ts'), '1')
    await until('moved/y/z/last.ts')
  })

  it('opens a feed again that misses nested folders, and only then', async () => {
    let events: FeedEvents | undefined
    let opened = 0
    const feed: OpenFeed = async (_target, given) => {
      events = given
      opened++
      return { missesNested: true, close: async () => {} }
    }
    const { told, until } = await start({ feeds: [feed] })
    await mkdir(join(root, 'flat'))
    await writeFile(join(root, 'flat/a.ts'), '1')
    events?.paths([join(root, 'flat')])
    await until((all) => changed(all).includes('flat/a.ts'))
    await mkdir(join(root, 'seen/inner'), { recursive: true })
    await writeFile(join(root, 'seen/inner/a.ts'), '1')
    events?.paths([join(root, 'seen'), join(root, 'seen/inner')])
    await until((all) => changed(all).includes('seen/inner/a.ts'))
    expect([opened, rescans(told)]).toEqual([1, 0])
    await mkdir(join(root, 'deep/inner'), { recursive: true })
    events?.paths([join(root, 'deep')])
    await until((all) => rescans(all) === 1)
    expect(opened).toBe(2)
    // A flood of events may hide such folders too.
    events?.lost()
    await until((all) => rescans(all) === 2)
    expect(opened).toBe(3)
  })

  it.each([
    ['folders', folderFeed],
    ['parcel', parcelFeed],
    ['chokidar', chokidarFeed],
  ] as const)('watches a root again that was removed and made again (%s)', async (_name, feed) => {
    const { told, until } = await start({ feeds: [feed], rootMs: 20 })
    await rm(root, { recursive: true })
    await until((all) => rescans(all) >= 1)
    const before = told.length
    await mkdir(root)
    await writeFile(join(root, 'back.ts'), '1')
    await until((all) => rescans(all.slice(before)) >= 1)
    await until(() => watch?.mode === 'events')
    await writeFile(join(root, 'later.ts'), '1')
    await until((all) => changed(all).includes('later.ts'))
  })
})

describe('watching', () => {
  it('opens a new feed also where the old one cannot be closed', async () => {
    let opened = 0
    let events: FeedEvents | undefined
    const feed: OpenFeed = async (_target, given) => {
      opened++
      events = given
      return { close: () => Promise.reject(new Error('Unable to remove watcher')) }
    }
    const { until } = await start({ feeds: [feed] })
    await writeFile(join(root, '.gitignore'), 'later/\n')
    events?.paths([join(root, '.gitignore')])
    await until((all) => rescans(all) >= 1)
    expect([opened, watch?.mode]).toEqual([2, 'events'])
    await writeFile(join(root, 'n.ts'), '1')
    events?.paths([join(root, 'n.ts')])
    await until((all) => changed(all).includes('n.ts'))
  })

  it('asks for a rescan when ignore rules change, and follows the new ones', async () => {
    const { told, until } = await start()
    await writeFile(join(root, '.gitignore'), 'later/\n')
    await until((all) => rescans(all) >= 1)
    await mkdir(join(root, 'later'))
    await writeFile(join(root, 'later/a.ts'), '1')
    await writeFile(join(root, 'b.ts'), '1')
    // A late second event of the rule file asks for one more rescan, which then stands for this change.
    await until((all) => changed(all).includes('b.ts') || rescans(all) > 1)
    expect(changed(told)).not.toContain('later/a.ts')
  })

  it('asks for a rescan when events are lost, are too many, or the feed fails, and then polls', async () => {
    let events: FeedEvents | undefined
    let closed = 0
    const feed: OpenFeed = async (_target, given) => {
      events = given
      return {
        close: async () => {
          closed++
        },
      }
    }
    const { until } = await start({ feeds: [feed], pollMs: 20 })
    expect(watch?.mode).toBe('events')
    events?.lost()
    await until((told) => rescans(told) >= 1)
    events?.paths(Array.from({ length: 5_000 }, (_, index) => join(root, `f${index}`)))
    await until((told) => rescans(told) >= 2)
    events?.failed()
    await until((told) => rescans(told) >= 5)
    expect([watch?.mode, closed]).toEqual(['polling', 1])
  })

  it('polls when no feed opens or there are too many folders', async () => {
    const broken: OpenFeed = async () => {
      throw new Error('no handles left')
    }
    const first = await start({ feeds: [broken], pollMs: 20 })
    await first.until((told) => rescans(told) >= 2)
    await watch?.close()
    await mkdir(join(root, 'a/b'), { recursive: true })
    await start({ maxFolders: 2 })
    expect(watch?.mode).toBe('polling')
  })

  it('calls the listener one at a time and gathers what happens meanwhile', async () => {
    let events: FeedEvents | undefined
    const feed: OpenFeed = async (_target, given) => {
      events = given
      return { close: async () => {} }
    }
    let running = 0
    let most = 0
    let calls = 0
    let release = () => {}
    const entered = new Promise<void>((enter) => {
      void watchProject(
        root,
        async () => {
          calls++
          most = Math.max(most, ++running)
          enter()
          await new Promise<void>((resolve) => {
            release = resolve
          })
          running--
        },
        { debounceMs: 10, feeds: [feed] },
      ).then((opened) => {
        watch = opened
        events?.lost()
      })
    })
    await entered
    events?.lost()
    events?.lost()
    release()
    while (calls < 2) await new Promise((resolve) => setImmediate(resolve))
    release()
    expect(most).toBe(1)
  })

  it('goes silent after close', async () => {
    const { told } = await start()
    await watch?.close()
    await writeFile(join(root, 'late.ts'), '1')
    const second = await start()
    await writeFile(join(root, 'seen.ts'), '1')
    await second.until((all) => changed(all).includes('seen.ts'))
    expect(told).toEqual([])
  })
})

/** Open descriptors, and what the kernel watches for them. */
function handles(): { readonly descriptors: number; readonly watched: number } {
  const descriptors = readdirSync('/proc/self/fd')
  const watched = descriptors.flatMap((descriptor) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').match(/^inotify /gm) ?? []
    } catch (failure) {
      // The one that the list was read with is closed again.
      if (failure instanceof Error) return []
      throw failure
    }
  })
  return { descriptors: descriptors.length, watched: watched.length }
}

describe.skipIf(!existsSync('/proc/self/fd'))('repair 12: watching on and off leaves no handle open', () => {
  const cycle = async (): Promise<void> => {
    const { until } = await start()
    await writeFile(join(root, 'a', 'x.ts'), String(Math.random()))
    await until((told) => told.length > 0)
    await watch?.close()
  }

  it('over many times', async () => {
    await mkdir(join(root, 'a', 'b'), { recursive: true })
    await cycle()
    const before = handles()
    for (let i = 0; i < 20; i++) await cycle()
    await expect.poll(handles, EVENTUALLY).toEqual(before)
  })

  it('nor do folders that come and go while it is on', async () => {
    const { told, until } = await start()
    await mkdir(join(root, 'first'))
    await until(() => removed(told).includes('first') || rescans(told) > 0)
    const before = handles()
    for (let i = 0; i < 10; i++) {
      await mkdir(join(root, `f${i}`))
      await writeFile(join(root, `f${i}`, 'x.ts'), '1')
      await until(() => changed(told).includes(`f${i}/x.ts`) || rescans(told) > i)
      await rm(join(root, `f${i}`), { recursive: true })
      await until(() => removed(told).filter((path) => path === `f${i}`).length > 1 || rescans(told) > i)
    }
    await expect.poll(handles, EVENTUALLY).toEqual(before)
  })
})
