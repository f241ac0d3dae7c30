import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changed, removed, rescans, watchedFolder } from '../../test/code/watched-folder.js'
import { folderFeed } from './folder-feed.js'
import type { ProjectChange } from './repo-changes.js'
import { scanProject } from './repo-scan.js'
import { watchProject } from './repo-watch.js'
import { chokidarFeed, type FeedEvents, type OpenFeed, parcelFeed } from './watch-feeds.js'

const here = watchedFolder()

describe.each([
  ['folders', folderFeed],
  ['parcel', parcelFeed],
  ['chokidar', chokidarFeed],
] as const)('watching with %s', (_name, feed) => {
  it('reports new, edited, renamed and deleted files', async () => {
    await writeFile(join(here.root, 'old.ts'), '1')
    await writeFile(join(here.root, 'gone.ts'), '1')
    const { until } = await here.start({ feeds: [feed] })
    await writeFile(join(here.root, 'new.ts'), '1')
    await rename(join(here.root, 'old.ts'), join(here.root, 'renamed.ts'))
    await rm(join(here.root, 'gone.ts'))
    await until(
      (results) =>
        ['new.ts', 'renamed.ts'].every((path) => changed(results).includes(path)) &&
        ['old.ts', 'gone.ts'].every((path) => removed(results).includes(path)),
    )
  })

  it('finds the files of a folder that appears with content', async () => {
    const { until } = await here.start({ feeds: [feed] })
    await mkdir(join(here.root, 'a/b/c'), { recursive: true })
    await writeFile(join(here.root, 'a/b/c/deep.ts'), '1')
    await until((results) => changed(results).includes('a/b/c/deep.ts') || rescans(results) > 0)
  })

  it('does not report ignored files', async () => {
    await writeFile(join(here.root, '.gitignore'), 'skip/\n*.log\n')
    await mkdir(join(here.root, 'skip'))
    const { changes: results, until } = await here.start({ feeds: [feed], ignore: ['private'] })
    await writeFile(join(here.root, 'skip/a.ts'), '1')
    await writeFile(join(here.root, 'x.log'), '1')
    await mkdir(join(here.root, 'private'))
    await writeFile(join(here.root, 'private/b.ts'), '1')
    await mkdir(join(here.root, 'node_modules/m'), { recursive: true })
    await writeFile(join(here.root, 'node_modules/m/i.js'), '1')
    await writeFile(join(here.root, 'last.ts'), '1')
    await until((all) => changed(all).includes('last.ts'))
    expect(changed(results)).toEqual(['last.ts'])
  })
})

describe('folders added and removed as a whole', () => {
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
    // The listener compares everything when requested, and otherwise reads the named paths.
    const follow = async (change: ProjectChange) => {
      if (change.rescan) for await (const file of scanProject(here.root)) known.add(file.path)
      else for (const path of change.changed) known.add(path)
      wake()
    }
    here.watch = await watchProject(here.root, follow, { debounceMs: 50, feeds: [feed] })
    await mkdir(join(here.root, 'x/y/z'), { recursive: true })
    await writeFile(join(here.root, 'x/first.ts'), '1')
    await until('x/first.ts')
    await writeFile(join(here.root, 'x/y/z/later.ts'), '1')
    await until('x/y/z/later.ts')
    await rename(join(here.root, 'x'), join(here.root, 'moved'))
    await until('moved/first.ts', 'moved/y/z/later.ts')
    await writeFile(join(here.root, 'moved/y/z/last.ts'), '1')
    await until('moved/y/z/last.ts')
  })

  it('reopens a feed only if it misses nested folders', async () => {
    let events: FeedEvents | undefined
    let opened = 0
    const feed: OpenFeed = async (_target, input) => {
      events = input
      opened++
      return { missesNested: true, close: async () => {} }
    }
    const { changes: results, until } = await here.start({ feeds: [feed] })
    await mkdir(join(here.root, 'flat'))
    await writeFile(join(here.root, 'flat/a.ts'), '1')
    events?.paths([join(here.root, 'flat')])
    await until((all) => changed(all).includes('flat/a.ts'))
    await mkdir(join(here.root, 'seen/inner'), { recursive: true })
    await writeFile(join(here.root, 'seen/inner/a.ts'), '1')
    events?.paths([join(here.root, 'seen'), join(here.root, 'seen/inner')])
    await until((all) => changed(all).includes('seen/inner/a.ts'))
    expect([opened, rescans(results)]).toEqual([1, 0])
    await mkdir(join(here.root, 'deep/inner'), { recursive: true })
    events?.paths([join(here.root, 'deep')])
    await until((all) => rescans(all) === 1)
    expect(opened).toBe(2)
    // Lost events may hide such folders, too.
    events?.lost()
    await until((all) => rescans(all) === 2)
    expect(opened).toBe(3)
  })

  it.each([
    ['folders', folderFeed],
    ['parcel', parcelFeed],
    ['chokidar', chokidarFeed],
  ] as const)('watches a here.root again that was removed and made again (%s)', async (_name, feed) => {
    const { changes: results, until } = await here.start({ feeds: [feed], rootMs: 20 })
    await rm(here.root, { recursive: true })
    await until((all) => rescans(all) >= 1)
    const before = results.length
    await mkdir(here.root)
    await writeFile(join(here.root, 'back.ts'), '1')
    await until((all) => rescans(all.slice(before)) >= 1)
    await until(() => here.watch?.mode === 'events')
    await writeFile(join(here.root, 'later.ts'), '1')
    await until((all) => changed(all).includes('later.ts'))
  })
})

describe('watching', () => {
  it('opens a new feed even if the old one cannot be closed', async () => {
    let opened = 0
    let events: FeedEvents | undefined
    const feed: OpenFeed = async (_target, input) => {
      opened++
      events = input
      return { close: () => Promise.reject(new Error('Unable to remove watcher')) }
    }
    const { until } = await here.start({ feeds: [feed] })
    await writeFile(join(here.root, '.gitignore'), 'later/\n')
    events?.paths([join(here.root, '.gitignore')])
    await until((all) => rescans(all) >= 1)
    expect([opened, here.watch?.mode]).toEqual([2, 'events'])
    await writeFile(join(here.root, 'n.ts'), '1')
    events?.paths([join(here.root, 'n.ts')])
    await until((all) => changed(all).includes('n.ts'))
  })

  it('requests a rescan when ignore rules change, and applies the new ones', async () => {
    const { changes: results, until } = await here.start()
    await writeFile(join(here.root, '.gitignore'), 'later/\n')
    await until((all) => rescans(all) >= 1)
    await mkdir(join(here.root, 'later'))
    await writeFile(join(here.root, 'later/a.ts'), '1')
    await writeFile(join(here.root, 'b.ts'), '1')
    // A late second event of the rule file causes another rescan, which then includes this change.
    await until((all) => changed(all).includes('b.ts') || rescans(all) > 1)
    expect(changed(results)).not.toContain('later/a.ts')
  })

  it('requests a rescan when events are lost, are too many, or the feed fails, and then polls', async () => {
    let events: FeedEvents | undefined
    let closed = 0
    const feed: OpenFeed = async (_target, input) => {
      events = input
      return {
        close: async () => {
          closed++
        },
      }
    }
    const { until } = await here.start({ feeds: [feed], pollMs: 20 })
    expect(here.watch?.mode).toBe('events')
    events?.lost()
    await until((results) => rescans(results) >= 1)
    events?.paths(Array.from({ length: 5_000 }, (_, index) => join(here.root, `f${index}`)))
    await until((results) => rescans(results) >= 2)
    events?.failed()
    await until((results) => rescans(results) >= 5)
    expect([here.watch?.mode, closed]).toEqual(['polling', 1])
  })

  it('polls when no feed opens or there are too many folders', async () => {
    const broken: OpenFeed = async () => {
      throw new Error('no handles left')
    }
    const first = await here.start({ feeds: [broken], pollMs: 20 })
    await first.until((results) => rescans(results) >= 2)
    await here.watch?.close()
    await mkdir(join(here.root, 'a/b'), { recursive: true })
    await here.start({ maxFolders: 2 })
    expect(here.watch?.mode).toBe('polling')
  })

  it('calls the listener one call at a time and collects changes meanwhile', async () => {
    let events: FeedEvents | undefined
    const feed: OpenFeed = async (_target, input) => {
      events = input
      return { close: async () => {} }
    }
    let running = 0
    let max = 0
    let calls = 0
    let release = () => {}
    const entered = new Promise<void>((enter) => {
      void watchProject(
        here.root,
        async () => {
          calls++
          max = Math.max(max, ++running)
          enter()
          await new Promise<void>((resolve) => {
            release = resolve
          })
          running--
        },
        { debounceMs: 10, feeds: [feed] },
      ).then((opened) => {
        here.watch = opened
        events?.lost()
      })
    })
    await entered
    events?.lost()
    events?.lost()
    release()
    while (calls < 2) await new Promise((resolve) => setImmediate(resolve))
    release()
    expect(max).toBe(1)
  })

  it('reports nothing after close', async () => {
    const { changes: results } = await here.start()
    await here.watch?.close()
    await writeFile(join(here.root, 'late.ts'), '1')
    const second = await here.start()
    await writeFile(join(here.root, 'seen.ts'), '1')
    await second.until((all) => changed(all).includes('seen.ts'))
    expect(results).toEqual([])
  })
})
