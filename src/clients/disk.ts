import {
  closeSync,
  existsSync,
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

/** What an installation does to a disk, so that a test can end it between any two steps. */
export interface Disk {
  has(path: string): boolean
  read(path: string): Buffer
  /** Owner and right to write of a file or folder, links followed. */
  look(path: string): { readonly owner: number; readonly mode: number; readonly isFile: boolean }
  isLink(path: string): boolean
  resolve(path: string): string
  makeFolder(path: string): void
  /** On the disk when it returns. */
  create(path: string, content: Buffer, mode: number): void
  move(from: string, to: string): void
  remove(path: string): void
  /** Only if there is nothing in it. */
  removeFolder(path: string): void
}

export const realDisk: Disk = {
  has: (path) => existsSync(path),
  read: (path) => readFileSync(path),
  look(path) {
    const found = statSync(path)
    return { owner: found.uid, mode: found.mode & 0o7777, isFile: found.isFile() }
  },
  isLink: (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true,
  resolve: (path) => realpathSync(path),
  makeFolder: (path) => void mkdirSync(path),
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
      // Someone has put something in it meanwhile.
    }
  },
}
