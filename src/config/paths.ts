import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** An absolute path; `~` is the home folder. */
export function toAbsolute(path: string): string {
  return resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)
}
