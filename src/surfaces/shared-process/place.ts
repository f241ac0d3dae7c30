import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The shortest limit of all systems for a socket path, including the terminating zero. */
const MAX_PATH_BYTES = 103

/** Where the shared process of a store listens. */
export interface SharedPlace {
  readonly dataDir: string
  /** Undefined if no path is short enough. */
  readonly path: string | undefined
  /** The script to start; copies of the same script share a process. */
  readonly script: string
}

export const findPlace = (store: { readonly dataDir: string; readonly database: string | undefined }, script: string): SharedPlace => ({
  dataDir: store.dataDir,
  path: socketPath(store.dataDir, store.database),
  script,
})

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

function socketPath(dataDir: string, database: string | undefined): string | undefined {
  const store = database === undefined ? '' : `-${digestOf(database)}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\mneme-${digestOf(`${userInfo().username}\0${dataDir}`)}${store}`
  const path = join(dataDir, `shared${store}.sock`)
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path
  const short = join(tmpdir(), `mneme-${process.getuid?.() ?? 0}`, `${digestOf(`${dataDir}${store}`)}.sock`)
  return Buffer.byteLength(short) <= MAX_PATH_BYTES ? short : undefined
}

/** Makes the folder of the socket private to this user. False if that is impossible or it belongs to another user. */
export function preparePlace({ dataDir, path = '' }: SharedPlace): boolean {
  if (process.platform === 'win32') return true
  const folder = join(path, '..')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    if (!found.isDirectory() && folder !== dataDir) return false
    // In a folder that everyone can write to, another user could place a socket.
    return folder === dataDir || (found.uid === process.getuid?.() && (found.mode & 0o077) === 0)
  } catch {
    return false
  }
}

/** True if the path is free or has a socket of this user without a process, left by a killed one. */
export const isFree = (path: string): boolean => process.platform === 'win32' || statusOf(path) === undefined || isOwnSocket(path)

/** True for a socket of this user; any other file, link or socket stays untouched. */
export function isOwnSocket(path: string): boolean {
  if (process.platform === 'win32') return true
  const found = statusOf(path)
  return found?.isSocket() === true && found.uid === process.getuid?.()
}

/** Undefined as well where no file can be, such as below a file. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
