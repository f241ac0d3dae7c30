import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Where something is kept beside a file: by the moment, so that nothing is ever replaced. */
export const nameOfCopy = (file: string): string => `${file}.${new Date().toISOString().replaceAll(':', '-')}.bak`

/** Windows flushes only what may be written. */
export const flushFile = (path: string): void => flush(path, 'r+')

/** A new name is only lasting once its folder is. Windows has no handles of folders. */
export function flushFolder(path: string): void {
  if (process.platform !== 'win32') flush(path, 'r')
}

function flush(path: string, flags: string): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
