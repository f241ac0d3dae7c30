import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { MemoryError } from '../errors.js'
import type { FileHead, ForeignDatabase, ImportTree, TreeEntry } from '../ports/importer.js'
import { encodingOf } from './text-lines.js'
import { listZip, readZipEntry, type ZipEntry, type ZipListing } from './zip-archive.js'

const HEAD_BYTES = 256 * 1024
const MAX_FOLDER_ENTRIES = 200_000
const MAX_FOLDER_DEPTH = 24
/** Folders of tools, whose files are no memories. */
const LEFT_OUT_FOLDERS = new Set(['.git', 'node_modules', '.trash', '.venv', '__pycache__', '.hg', '.svn'])

/** Opens a database file for reading. */
export type DatabaseReader = (file: string) => Promise<ForeignDatabase>

/** A tree and the entries excluded from it. */
interface OpenedTree {
  readonly tree: ImportTree
  readonly refused: ZipListing['refused']
}

interface Content {
  bytes(path: string): AsyncIterable<Uint8Array>
  /** The file on disk, where the entry is one. */
  file(path: string): string | undefined
}

/** Opens what a path names. Links inside of a folder are not followed. */
export async function openTree(path: string, databases: DatabaseReader): Promise<OpenedTree> {
  const stats = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  const name = basename(path)
  if (stats.isDirectory()) {
    const root = await realpath(path)
    const entries = await listFolder(root)
    return {
      tree: createTree(
        { name, origin: path, kind: 'folder', entries },
        diskContent((entry) => join(root, entry)),
        databases,
      ),
      refused: [],
    }
  }
  if (!stats.isFile() && !stats.isFIFO() && !stats.isCharacterDevice())
    throw new MemoryError('invalid_input', `${path} is neither a file nor a folder.`)
  const first = await readStart(path)
  if (first[0] === 0x50 && first[1] === 0x4b && first[2] === 0x03 && first[3] === 0x04) {
    const { entries, refused } = await listZip(path, name)
    const byPath = new Map(entries.map((entry) => [entry.path, entry]))
    return {
      tree: createTree({ name, origin: path, kind: 'zip', entries: entries.map(toTreeEntry) }, zipContent(path, byPath), databases),
      refused,
    }
  }
  return { tree: fileTree(path, name, { size: stats.size, mtimeMs: stats.mtimeMs }, databases), refused: [] }
}

function fileTree(
  path: string,
  name: string,
  stats: { readonly size: number; readonly mtimeMs: number },
  databases: DatabaseReader,
): ImportTree {
  const entries = [{ path: name, size: stats.size, modifiedAt: Math.round(stats.mtimeMs * 1000) }]
  return createTree(
    { name, origin: path, kind: 'file', entries },
    diskContent(() => path),
    databases,
  )
}

/** A tree of one entry of another. */
export const entryTree = (tree: ImportTree, entry: TreeEntry): ImportTree => ({
  ...tree,
  name: basename(entry.path),
  origin: tree.kind === 'folder' ? join(tree.origin, entry.path) : `${tree.origin}/${entry.path}`,
  kind: 'file',
  entries: [entry],
})

const toTreeEntry = ({ path, size, modifiedMs }: ZipEntry): TreeEntry => ({ path, size, modifiedAt: modifiedMs * 1000 })

function createTree(
  about: Pick<ImportTree, 'name' | 'origin' | 'kind' | 'entries'>,
  content: Content,
  databases: DatabaseReader,
): ImportTree {
  const heads = new Map<string, Promise<FileHead>>()
  let bytesRead = 0
  async function* bytes(path: string): AsyncGenerator<Uint8Array> {
    for await (const chunk of decompressed(path, content)) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  return {
    ...about,
    bytes,
    bytesRead: () => bytesRead,
    head(path) {
      const known = heads.get(path) ?? readHead(bytes(path))
      if (heads.size > 200) heads.clear()
      heads.set(path, known)
      return known
    },
    async database(path) {
      const { bytes: first } = await this.head(path)
      if (new TextDecoder().decode(first.subarray(0, 15)) !== 'SQLite format 3') return undefined
      const file = content.file(path)
      if (file !== undefined && /\.(?:gz|zst)$/.test(file))
        throw new MemoryError('invalid_input', `${path} is a compressed database.`, { hint: 'Decompress it and import the result.' })
      if (file === undefined)
        throw new MemoryError('invalid_input', `${path} is a database inside of an archive.`, {
          hint: 'Unpack the archive and import the file.',
        })
      return databases(file)
    },
  }
}

const diskContent = (fileOf: (path: string) => string): Content => ({
  bytes: (path) => readFile(fileOf(path)),
  file: fileOf,
})

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield chunk
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const zipContent = (path: string, entries: ReadonlyMap<string, ZipEntry>): Content => ({
  bytes(name) {
    const entry = entries.get(name)
    if (entry === undefined) throw new MemoryError('not_found', `${path} has no entry ${name}.`)
    return readZipEntry(path, entry)
  },
  file: () => undefined,
})

/** Node has zstd from 22.15 on; the types of Node 20 do not list it. */
const zstd: unknown = Reflect.get(zlib, 'createZstdDecompress')
const isMaker = (value: unknown): value is () => zlib.Gunzip => typeof value === 'function'

function decompressed(path: string, content: Content): AsyncIterable<Uint8Array> {
  if (path.endsWith('.gz')) return through(path, content, () => zlib.createGunzip())
  if (!path.endsWith('.zst')) return content.bytes(path)
  if (!isMaker(zstd))
    throw new MemoryError(
      'invalid_input',
      `${path} is compressed with zstd, which this version of Node (${process.versions.node}) cannot read.`,
      {
        hint: 'Use Node 22.15 or newer, or unpack it first: zstd -d.',
      },
    )
  return through(path, content, zstd)
}

async function* through(path: string, content: Content, make: () => zlib.Gunzip): AsyncGenerator<Uint8Array> {
  const unpack = make()
  const { pipeline } = await import('node:stream/promises')
  const feeding = pipeline(content.bytes(path), unpack).catch(() => undefined)
  const output: Readable = unpack
  try {
    for await (const chunk of output) yield chunk
  } catch {
    throw new MemoryError('invalid_input', `${path} cannot be unpacked: it is damaged or breaks off.`)
  } finally {
    unpack.destroy()
    await feeding
  }
}

async function readHead(chunks: AsyncIterable<Uint8Array>): Promise<FileHead> {
  const parts: Uint8Array[] = []
  let size = 0
  let whole = true
  for await (const chunk of chunks) {
    parts.push(chunk)
    size += chunk.length
    if (size <= HEAD_BYTES) continue
    whole = false
    break
  }
  const bytes = Buffer.concat(parts).subarray(0, HEAD_BYTES)
  return { bytes, text: new TextDecoder(encodingOf(bytes)).decode(bytes), whole }
}

async function readStart(path: string): Promise<Buffer> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    if (!(await file.stat()).isFile()) return Buffer.alloc(0)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } catch (cause) {
    throw unreadable(path, cause)
  } finally {
    await file?.close()
  }
}

async function listFolder(root: string): Promise<readonly TreeEntry[]> {
  const entries: TreeEntry[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    for await (const item of await opendir(folder)) {
      const path = join(folder, item.name)
      if (item.isDirectory()) {
        if (depth < MAX_FOLDER_DEPTH && !LEFT_OUT_FOLDERS.has(item.name)) await visit(path, depth + 1)
      } else if (item.isFile()) {
        const stats = await lstat(path).catch(() => undefined)
        if (stats?.isFile() !== true) continue
        entries.push({ path: relative(root, path).split(sep).join('/'), size: stats.size, modifiedAt: Math.round(stats.mtimeMs * 1000) })
        if (entries.length > MAX_FOLDER_ENTRIES)
          throw new MemoryError('invalid_input', `${root} holds more than ${MAX_FOLDER_ENTRIES} files.`, {
            hint: 'Name a folder inside of it.',
          })
      }
    }
  }
  await visit(root, 0)
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function unreadable(path: string, cause: unknown): MemoryError {
  if (cause instanceof MemoryError) return cause
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new MemoryError('not_found', `There is no file ${path}.`, { hint: 'Give the path of a file or folder to import.', cause })
  return new MemoryError('storage', `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
    hint: 'Grant the right to read it (`chmod u+r`), or pipe it in: `mneme import < file`.',
    cause,
  })
}
