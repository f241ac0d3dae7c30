import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FileLock, lockAlone } from '../backends/sqlite/file-lock.js'

/** The lock of the shared process of a store; undefined while another process has it. Imports no engine, so that the others end at once. */
export function takeSharedLock(dataDir: string, path: string): FileLock | undefined {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return lockAlone(join(dataDir, basename(path, '.sock')))
}
