import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** Expands `~` and resolves against the working directory. */
export const absolutePath = (path: string): string => resolve(/^~(?:[/\\]|$)/.test(path) ? join(homedir(), path.slice(1)) : path)

/** The real path of something that may not exist while its folder does. */
export async function formerPath(path: string): Promise<string> {
  const absolute = absolutePath(path)
  try {
    return join(await realpath(dirname(absolute)), basename(absolute))
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure) return absolute
    throw failure
  }
}

const MISSING_CODES = new Set<unknown>(['ENOENT', 'ENOTDIR'])

/** Distinguishes absent files from unreadable ones. */
export const isMissing = (failure: Error): boolean => 'code' in failure && MISSING_CODES.has(failure.code)
