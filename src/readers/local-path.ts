import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** As a shell would understand it: `~` is the home folder, and what is relative starts where the process runs. */
export const absolutePath = (path: string): string => resolve(/^~(?:[/\\]|$)/.test(path) ? join(homedir(), path.slice(1)) : path)

/** The real path of something that may be gone itself while its folder is still there. */
export async function formerPath(path: string): Promise<string> {
  const absolute = absolutePath(path)
  try {
    return join(await realpath(dirname(absolute)), basename(absolute))
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure) return absolute
    throw failure
  }
}

const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR'])

/** Told apart from what is there and may not be read. */
export const isMissing = (failure: Error): boolean => 'code' in failure && MISSING.has(failure.code)
