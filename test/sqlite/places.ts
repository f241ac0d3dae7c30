import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Backend } from '../../src/ports/backend.js'
import { handClock } from '../contract/samples.js'

/** Folders for the tests of one file, removed in the end; `mounted` are small file systems, for users who may mount. */
export function temporaryPlaces() {
  const root = mkdtempSync(join(tmpdir(), 'mneme-files-'))
  const mounts: string[] = []
  let made = 0
  afterAll(() => {
    for (const mount of mounts) execFileSync('umount', [mount])
    rmSync(root, { recursive: true, force: true })
  })
  const newPath = (): string => join(root, `data-${made++}`)
  const newDirectory = (): string => {
    const directory = newPath()
    mkdirSync(directory)
    return directory
  }
  const mounted = (...options: readonly string[]): string | undefined => {
    const directory = newDirectory()
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'none', directory], { stdio: 'ignore' })
    } catch {
      return undefined
    }
    mounts.push(directory)
    return directory
  }
  const mountable = mounted('size=64k') !== undefined
  if (!mountable) process.stderr.write('no file system can be mounted here, so a full and a read-only disk are tried by limits only\n')
  return { root, newPath, newDirectory, mounted, mountable }
}

export const open = (directory: string, busyTimeoutMs = 2000): Promise<Backend> =>
  openSqlite({ directory, clock: handClock(), busyTimeoutMs })
