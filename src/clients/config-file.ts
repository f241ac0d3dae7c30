import { randomBytes } from 'node:crypto'
import { dirname, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { MemoryError } from '../errors.js'
import type { Disk } from './disk.js'

/** A client's file that may be changed. */
interface ConfigFile {
  /** The path that the client uses. */
  readonly path: string
  /** The resolved path, after links. */
  readonly real: string
  /** Null if the file does not exist. */
  readonly bytes: Buffer | null
  readonly mode: number
  /** Missing folders, outermost first. */
  readonly missingFolders: readonly string[]
}

const NEW_FILE = 0o600
const BUSY_TRIES = 5
const BUSY_PAUSE_MS = 200
const BUSY_CODES = new Set(['EBUSY', 'EPERM', 'EACCES'])
const MAY_WRITE = 0o200

/** Reads a file for a change and rejects files that must not be changed. A project's file must be inside its `root`. */
export function openConfigFile(disk: Disk, path: string, user: number | undefined, root?: string): ConfigFile {
  if (root !== undefined) checkWithin(disk, path, root)
  if (!disk.has(path)) {
    if (disk.isLink(path))
      throw refused(path, 'is a link to a file that is not there', 'Make that file, or remove the link, and try again.')
    const missingFolders = foldersTo(disk, dirname(path))
    const above = missingFolders[0] === undefined ? dirname(path) : dirname(missingFolders[0])
    checkOwner(disk, above, user, 'The folder')
    return { path, real: path, bytes: null, mode: NEW_FILE, missingFolders }
  }
  const real = disk.resolve(path)
  const { mode, isFile } = disk.look(real)
  if (!isFile) throw refused(path, 'is not a file', 'Move it away and try again.')
  checkOwner(disk, real, user, 'It')
  if ((mode & MAY_WRITE) === 0)
    throw refused(path, 'is read-only', 'Allow writing (chmod u+w) and try again, or add the entry by hand: mneme install --print.')
  return { path, real, bytes: readable(disk, path, real), mode, missingFolders: [] }
}

/** A link in a project may lead to any file of the user, so only files inside the project are changed. */
function checkWithin(disk: Disk, path: string, root: string): void {
  let there = path
  while (!disk.has(there) && dirname(there) !== there) there = dirname(there)
  const [real, base] = [disk.resolve(there), disk.resolve(root)]
  const isInside = real === base || real.startsWith(base.endsWith(sep) ? base : `${base}${sep}`)
  if (!isInside)
    throw refused(path, `is a link that leads out of the project, to ${real}`, 'Replace the link by a file, or install without --project.')
}

function readable(disk: Disk, path: string, real: string): Buffer {
  try {
    return disk.read(real)
  } catch (cause) {
    throw new MemoryError('unavailable', `${path} cannot be read (${codeOf(cause)}).`, { hint: 'Check its permissions.', cause })
  }
}

/** Replacing a file of another account would change its owner and may reveal its content. */
function checkOwner(disk: Disk, path: string, user: number | undefined, what: string): void {
  if (user === undefined || disk.look(path).owner === user) return
  throw refused(path, `belongs to another user. ${what} was left as it is`, 'Run this command as that user.')
}

function foldersTo(disk: Disk, folder: string): readonly string[] {
  const missing: string[] = []
  for (let at = folder; !disk.has(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  return missing
}

export const refused = (path: string, what: string, hint: string): MemoryError => new MemoryError('forbidden', `${path} ${what}.`, { hint })

/** Replaces the bytes atomically: after a crash, the file is the old or the new one. Rejects a file that changed since it was read. */
export async function replaceBytes(disk: Disk, file: ConfigFile, bytes: Buffer): Promise<void> {
  for (const folder of file.missingFolders) disk.makeFolder(folder)
  const draft = `${file.real}.mneme-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    disk.create(draft, bytes, file.mode)
    checkUnchanged(disk, file)
    await moveWhenFree(disk, draft, file)
  } catch (failure) {
    disk.remove(draft)
    if (failure instanceof MemoryError) throw failure
    throw new MemoryError('unavailable', `${file.path} could not be written (${codeOf(failure)}); it is as it was.`, {
      hint: 'Close the program that uses it, check its permissions and the space on the disk, and try again.',
      cause: failure,
    })
  }
}

function checkUnchanged(disk: Disk, { path, real, bytes }: ConfigFile): void {
  const now = disk.has(real) ? disk.read(real) : null
  const same = bytes === null || now === null ? bytes === now : bytes.equals(now)
  if (!same)
    throw new MemoryError('conflict', `${path} was changed by another program at this moment; it was left as it is.`, {
      hint: 'Run the command again.',
    })
}

/** On Windows, an open file cannot be replaced, so this retries. */
async function moveWhenFree(disk: Disk, draft: string, { real }: ConfigFile): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return disk.move(draft, real)
    } catch (failure) {
      if (tries === BUSY_TRIES || !BUSY_CODES.has(codeOf(failure))) throw failure
      await setTimeout(BUSY_PAUSE_MS)
    }
  }
}

export const codeOf = (failure: unknown): string =>
  failure instanceof Error && 'code' in failure ? String(failure.code) : failure instanceof Error ? failure.message : String(failure)
