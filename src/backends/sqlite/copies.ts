import { closeSync, fsyncSync, openSync } from 'node:fs'

/** The name of a copy next to a file, with the time, so that nothing is overwritten. */
export const nameOfCopy = (file: string): string => `${file}.${new Date().toISOString().replaceAll(':', '-')}.bak`

/** Windows only flushes writable files. */
export const flushFile = (path: string): void => flush(path, 'r+')

/** A new name is durable once its folder is flushed. Windows has no folder handles. */
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
