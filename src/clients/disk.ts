import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'

/** Disk operations of an installation, so that tests can interrupt it between steps. */
export interface Disk {
  has(path: string): boolean
  read(path: string): Buffer
  /** Owner and write permission of a file or folder, following links. */
  look(path: string): { readonly owner: number; readonly mode: number; readonly isFile: boolean }
  isLink(path: string): boolean
  resolve(path: string): string
  makeFolder(path: string, mode?: number): void
  /** Flushed to disk on return. */
  create(path: string, content: Buffer, mode: number): void
  move(from: string, to: string): void
  remove(path: string): void
  /** Only if it is empty. */
  removeFolder(path: string): void
}

export const realDisk: Disk = {
  has: (path) => existsSync(path),
  read: readRegularFile,
  look(path) {
    const found = statSync(path)
    return { owner: found.uid, mode: found.mode & 0o7777, isFile: found.isFile() }
  },
  isLink: (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true,
  resolve: (path) => realpathSync(path),
  makeFolder: (path, mode) => void mkdirSync(path, mode),
  create(path, content, mode) {
    const file = openSync(path, 'wx', mode)
    try {
      for (let at = 0; at < content.length; ) at += writeSync(file, content, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  move: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { force: true }),
  removeFolder(path) {
    try {
      rmdirSync(path)
    } catch {
      // It is not empty any more.
    }
  },
}

/** Rejects pipes and devices, because reading them may never end. */
function readRegularFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'not a file' })
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
