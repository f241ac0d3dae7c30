import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { MemoryError } from '../errors.js'

/** One file of an archive, as its central directory describes it. */
export interface ZipEntry {
  readonly path: string
  readonly size: number
  readonly packedSize: number
  readonly offset: number
  readonly method: number
  readonly modifiedMs: number
}

/** Entries that are not read, each with the reason. */
export interface ZipListing {
  readonly entries: readonly ZipEntry[]
  readonly refused: readonly { readonly path: string; readonly reason: string }[]
}

const END_SIGNATURE = 0x06054b50
const END64_LOCATOR_SIGNATURE = 0x07064b50
const END64_SIGNATURE = 0x06064b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const MAX_COMMENT_BYTES = 65_557
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
const MAX_ENTRIES = 200_000
/** What all entries together may unpack to, and how much more than they take packed. Text packs to about a tenth. */
const MAX_TOTAL_BYTES = 20 * 1024 ** 3
const MAX_RATIO = 200
/** Small entries may pack better without harm. */
const RATIO_FREE_BYTES = 10 * 1024 * 1024
const READ_BYTES = 256 * 1024
const SYMBOLIC_LINK = 0o120000
const FILE_TYPE = 0o170000

const broken = (name: string, what: string): MemoryError =>
  new MemoryError('invalid_input', `${name} is not a complete zip archive: ${what}.`, {
    hint: 'It may have been cut off while it was downloaded or copied. Get it again.',
  })

/** Reads the directory of an archive. Nothing is unpacked. */
export async function listZip(path: string, name: string): Promise<ZipListing> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { offset, length, count } = await findDirectory(file, size, name)
    if (length > MAX_DIRECTORY_BYTES || count > MAX_ENTRIES)
      throw new MemoryError('invalid_input', `${name} lists ${count} entries, at most ${MAX_ENTRIES} are read.`)
    const directory = await readAt(file, offset, length)
    if (directory.length < length) throw broken(name, 'its directory is missing')
    return parseDirectory(directory, count, name)
  } finally {
    await file.close()
  }
}

async function findDirectory(
  file: FileHandle,
  size: number,
  name: string,
): Promise<{ readonly offset: number; readonly length: number; readonly count: number }> {
  const tailStart = Math.max(0, size - MAX_COMMENT_BYTES)
  const tail = await readAt(file, tailStart, size - tailStart)
  let at = tail.length - 22
  while (at >= 0 && tail.readUInt32LE(at) !== END_SIGNATURE) at--
  if (at < 0) throw broken(name, 'the end of its directory is missing')
  const found = { count: tail.readUInt16LE(at + 10), length: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) }
  const locator = at - 20
  if (locator < 0 || tail.readUInt32LE(locator) !== END64_LOCATOR_SIGNATURE) return checked(found)
  const end = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56)
  if (end.length < 56 || end.readUInt32LE(0) !== END64_SIGNATURE) throw broken(name, 'its zip64 directory is damaged')
  return checked({
    count: Number(end.readBigUInt64LE(32)),
    length: Number(end.readBigUInt64LE(40)),
    offset: Number(end.readBigUInt64LE(48)),
  })

  function checked<T extends { readonly offset: number; readonly length: number }>(place: T): T {
    if (place.offset + place.length > size) throw broken(name, 'its directory lies outside of the file')
    return place
  }
}

function parseDirectory(directory: Buffer, count: number, name: string): ZipListing {
  const entries: ZipEntry[] = []
  const refused: { path: string; reason: string }[] = []
  const seen = new Set<string>()
  let total = 0
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw broken(name, 'its directory is damaged')
    const nameLength = directory.readUInt16LE(at + 28)
    const extraLength = directory.readUInt16LE(at + 30)
    const path = directory.toString('utf8', at + 46, at + 46 + nameLength)
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const wide = wideSizes(extra, {
      size: directory.readUInt32LE(at + 24),
      packedSize: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    })
    const flags = directory.readUInt16LE(at + 8)
    const method = directory.readUInt16LE(at + 10)
    const mode = directory.readUInt32LE(at + 38) >>> 16
    const modifiedMs = dosTime(directory.readUInt16LE(at + 12), directory.readUInt16LE(at + 14))
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32)
    if (path.endsWith('/') || path.startsWith('__MACOSX/')) continue
    total += wide.size
    const reason = whyRefused({ path, flags, method, mode, ...wide }) ?? (seen.has(path) ? 'another entry has the same name' : undefined)
    seen.add(path)
    if (reason !== undefined) refused.push({ path, reason })
    else entries.push({ path, method, modifiedMs, ...wide })
  }
  if (total > MAX_TOTAL_BYTES)
    throw new MemoryError(
      'invalid_input',
      `${name} unpacks to ${Math.round(total / 1024 ** 3)} GB, at most ${MAX_TOTAL_BYTES / 1024 ** 3} GB are read.`,
    )
  return { entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)), refused }
}

interface DirectoryEntry {
  readonly path: string
  readonly flags: number
  readonly method: number
  readonly mode: number
  readonly size: number
  readonly packedSize: number
}

function whyRefused({ path, flags, method, mode, size, packedSize }: DirectoryEntry): string | undefined {
  const parts = path.split(/[/\\]/)
  if (path.startsWith('/') || path.includes('\\') || /^[a-z]:/i.test(path) || parts.includes('..'))
    return 'its path leads outside of the archive'
  if (/[\0-\x1f\x7f]/.test(path)) return 'its name contains control characters'
  if ((mode & FILE_TYPE) === SYMBOLIC_LINK) return 'it is a link'
  if ((flags & 1) !== 0) return 'it is encrypted; unpack the archive with its password and import the folder'
  if (method !== 0 && method !== 8) return `it is compressed with a method that is not supported (${method})`
  if (size > RATIO_FREE_BYTES && size > packedSize * MAX_RATIO)
    return `it unpacks to ${Math.round(size / Math.max(1, packedSize))} times its size`
  return undefined
}

/** Sizes of 4 GB and more are in an extra field. */
function wideSizes<T extends { size: number; packedSize: number; offset: number }>(extra: Buffer, sizes: T): T {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let field = at + 4
    for (const name of ['size', 'packedSize', 'offset'] as const) {
      if (sizes[name] !== 0xffffffff || field + 8 > extra.length) continue
      sizes[name] = Number(extra.readBigUInt64LE(field))
      field += 8
    }
  }
  return sizes
}

const dosTime = (time: number, date: number): number =>
  new Date(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime()

/** The contents of an entry. It ends with an error where they are longer than the directory says. */
export async function* readZipEntry(path: string, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const header = await readAt(file, entry.offset, 30)
    if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw broken(entry.path, 'the header of the entry is damaged')
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
    let size = 0
    for await (const chunk of entry.method === 0 ? packed(file, start, entry) : inflate(file, start, entry)) {
      size += chunk.length
      if (size > entry.size) throw broken(entry.path, 'the entry is longer than the directory says')
      yield chunk
    }
    if (size < entry.size) throw broken(entry.path, 'the entry breaks off')
  } finally {
    await file.close()
  }
}

async function* packed(file: FileHandle, start: number, { packedSize }: ZipEntry): AsyncGenerator<Uint8Array> {
  for (let read = 0; read < packedSize; ) {
    const chunk = await readAt(file, start + read, Math.min(READ_BYTES, packedSize - read))
    if (chunk.length === 0) return
    read += chunk.length
    yield chunk
  }
}

async function* inflate(file: FileHandle, start: number, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const inflater = createInflateRaw()
  const { pipeline } = await import('node:stream/promises')
  const feeding = pipeline(packed(file, start, entry), inflater).catch(() => undefined)
  try {
    for await (const chunk of inflater) yield chunk
  } catch (failure) {
    throw failure instanceof MemoryError ? failure : broken(entry.path, 'the entry is damaged')
  } finally {
    inflater.destroy()
    await feeding
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}
