import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { languageOf } from '../core/code/languages.js'
import { shortenLines } from '../core/files/generated-files.js'
import { DEFAULT_SOURCE_LIMITS, type SourceLimits, whySkipped } from '../core/files/skipped-files.js'
import type { FileRead } from '../ports/project-files.js'
import { isMissing } from './local-path.js'
import { toMicros } from './repo-scan.js'
import { decodeText } from './text-encoding.js'

interface SourceFile {
  readonly path: string
  readonly absolute: string
}

const MAX_ATTEMPTS = 3

/**
 * The text of a source file, or why it has none. Nothing above the limit is read, and text and hash belong to one state of the file: if it
 * changes while read, it is read again, then left for the next scan.
 */
export async function readSource(file: SourceFile, limits: SourceLimits = DEFAULT_SOURCE_LIMITS): Promise<FileRead> {
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const read = await readOnce(file, limits)
      if (read.skipped !== 'changing') return read
    }
    const { size, mtimeMs } = await lstat(file.absolute)
    return { skipped: 'changing', size, mtimeUs: toMicros(mtimeMs) }
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure)) throw failure
    // A link replaced the file and was not followed.
    const gone = isMissing(failure) || failure.code === 'ELOOP'
    return { skipped: gone ? 'gone' : 'unreadable', size: 0, mtimeUs: 0 }
  }
}

async function readOnce(file: SourceFile, limits: SourceLimits): Promise<FileRead> {
  // A link or pipe in place of the file must not be followed or block.
  const handle = await open(file.absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const before = await handle.stat()
    const seen = { size: before.size, mtimeUs: toMicros(before.mtimeMs) }
    if (!before.isFile()) return { skipped: 'gone', ...seen }
    const skipped = whySkipped(file.path, before, undefined, limits)
    if (skipped !== null) return { skipped, ...seen }
    const bytes = await readExactly(handle, before.size)
    const after = await handle.stat()
    // Editors save by renaming a new file over the old one, which the handle does not show.
    const named = await lstat(file.absolute)
    const stable =
      bytes.length === before.size && after.size === before.size && after.mtimeMs === before.mtimeMs && named.ino === before.ino
    return stable ? sourceOf(file.path, bytes, seen, limits) : { skipped: 'changing', ...seen }
  } finally {
    await handle.close()
  }
}

async function readExactly(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  let index = 0
  while (index < size) {
    const { bytesRead } = await handle.read(bytes, index, size - index, index)
    if (bytesRead === 0) break
    index += bytesRead
  }
  return bytes.subarray(0, index)
}

function sourceOf(path: string, bytes: Buffer, seen: { size: number; mtimeUs: number }, limits: SourceLimits): FileRead {
  const text = decodeText(bytes)
  const skipped = whySkipped(path, seen, text, limits)
  const language = text === null ? null : languageOf(path, text)
  if (skipped !== null || text === null || language === null) return { skipped: skipped ?? 'unsupported', ...seen }
  return { skipped: null, text: shortenLines(text), language, hash: createHash('sha256').update(bytes).digest('hex'), ...seen }
}
