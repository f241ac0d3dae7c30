import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { changed, removed, rescans, watchedFolder } from './watched-folder.js'

const here = watchedFolder()

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

describe.skipIf(!existsSync('/proc/self/fd'))('watching on and off leaves no handle open', () => {
  const cycle = async (): Promise<void> => {
    const { until } = await here.start()
    await writeFile(join(here.root, 'a', 'x.ts'), String(Math.random()))
    await until((results) => results.length > 0)
    await here.watch?.close()
  }

  it('over many times', async () => {
    await mkdir(join(here.root, 'a', 'b'), { recursive: true })
    await cycle()
    const before = handles()
    for (let i = 0; i < 20; i++) await cycle()
    await expect.poll(handles, EVENTUALLY).toEqual(before)
  })

  it('nor do folders that come and go while it is on', async () => {
    const { changes: results, until } = await here.start()
    await mkdir(join(here.root, 'first'))
    await until(() => removed(results).includes('first') || rescans(results) > 0)
    const before = handles()
    for (let i = 0; i < 10; i++) {
      await mkdir(join(here.root, `f${i}`))
      await writeFile(join(here.root, `f${i}`, 'x.ts'), '1')
      await until(() => changed(results).includes(`f${i}/x.ts`) || rescans(results) > i)
      await rm(join(here.root, `f${i}`), { recursive: true })
      await until(() => removed(results).filter((path) => path === `f${i}`).length > 1 || rescans(results) > i)
    }
    await expect.poll(handles, EVENTUALLY).toEqual(before)
  })
})
