import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The shortest limit of the systems that have sockets in the file system, with room for the terminating zero. */
const MAX_PATH_BYTES = 103

/** Where the shared process of a store listens. */
export interface SharedPlace {
  readonly dataDir: string
  /** Undefined where no path is short enough. */
  readonly path: string | undefined
  /** The script that is started, and whose copies share a process. */
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

/** Makes the folder of the socket private to this user. False where it cannot be, or belongs to another user. */
export function preparePlace({ dataDir, path = '' }: SharedPlace): boolean {
  if (process.platform === 'win32') return true
  const folder = join(path, '..')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    if (!found.isDirectory() && folder !== dataDir) return false
    // Others must not be able to put a socket of theirs into a folder that everyone can write to.
    return folder === dataDir || (found.uid === process.getuid?.() && (found.mode & 0o077) === 0)
  } catch {
    return false
  }
}

/** True where nothing is, or a socket of this user: one that no process answers on was left by a process that was killed. */
export const isFree = (path: string): boolean =>
  process.platform === 'win32' || lstatSync(path, { throwIfNoEntry: false }) === undefined || isOwnSocket(path)

/** True for a socket that this user made: any other file, link or foreign socket is left alone. */
export function isOwnSocket(path: string): boolean {
  if (process.platform === 'win32') return true
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isSocket() === true && found.uid === process.getuid?.()
}
