import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ProjectChange, type ProjectWatch, type WatchOptions, watchProject } from './repo-watch.js'
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
    await until((told) => changed(told).includes('a/b/c/deep.ts'))
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

describe('watching', () => {
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
